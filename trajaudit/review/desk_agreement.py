"""How far people, the panel and judges agree, for the lead's page.

These figures take long where many were asked, so that they are kept until something new was said,
and made anew at most once a minute.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable
from typing import Literal, get_args

from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.datamodel.review import HumanDecision, ItemState, LedgerRecord
from trajaudit.errors import TrajauditError
from trajaudit.record.judged import read_votes
from trajaudit.record.runs import list_run_dirs
from trajaudit.review.agreement import AgreementTable, Said, agreement_tables
from trajaudit.review.catch_up import read_line
from trajaudit.review.desk_core import Core
from trajaudit.review.lead_records import AgreementFigure
from trajaudit.review.store import Tx

MOST_VOTE_BYTES = 20_000_000
"""Of all files of votes that are read for a page."""
_EVERY_S = 60.0
_KEPT = "figures"
_BUSY = "being made"
_STARTING = threading.Lock()
Between = Literal["people", "panel_people", "judges"]
_NOT_YET = tuple(
    AgreementFigure(between=one, items=0, note="being worked out; look again in a moment")
    for one in get_args(Between)
)


def agreement_figures(core: Core) -> tuple[AgreementFigure, ...]:
    """Return the three figures; those that cannot be had, or not yet, with a note."""
    if core.alone:
        return ()
    with core.store.read() as tx:
        said = tx.number("SELECT max(rowid) FROM reviews") + tx.number(
            "SELECT max(rowid) FROM words"
        )
    kept = core.agreement.get(_KEPT)
    if isinstance(kept, _Kept) and (kept.said == said or core.now() < kept.made + _EVERY_S):
        return kept.figures
    with _STARTING:
        busy = core.agreement.get(_BUSY)
        worker = threading.Thread(target=_make, args=(core, said), daemon=True)
        begin = not isinstance(busy, threading.Thread) or not busy.is_alive()
        if begin:
            core.agreement[_BUSY] = worker
            worker.start()
    if begin:
        # A page waits a moment for what may take seconds, and only the one that asked first.
        worker.join(core.patience)
    found = core.agreement.get(_KEPT)
    return found.figures if isinstance(found, _Kept) else _NOT_YET


def _make(core: Core, said: int) -> None:
    try:
        with core.store.read() as tx:
            people = _people(tx, _TWICE)
            panel = _with_panel(tx)
        figures: tuple[AgreementFigure, ...] = (people, panel, _judges(core))
    except TrajauditError as error:
        figures = tuple(
            AgreementFigure(between=one, items=0, note=str(error)) for one in get_args(Between)
        )
    core.agreement[_KEPT] = _Kept(said, core.now(), figures)


def people_in_round(tx: Tx, name: str) -> AgreementFigure | None:
    """Return how far people agree in a round; None before two labelled an item of it."""
    figure = _people(tx, _IN_ROUND, name=name)
    return figure if figure.items else None


class _Kept:
    def __init__(self, said: int, made: float, figures: tuple[AgreementFigure, ...]) -> None:
        self.said = said
        self.made = made
        self.figures = figures


_TWICE = """SELECT r.line FROM items i JOIN reviews r ON r.item_id = i.item_id
  WHERE i.labels > 1 AND r.gone = 0 AND r.queue != 'gold' AND i.is_pair = 0"""
_IN_ROUND = "SELECT line FROM reviews WHERE batch = :name AND gone = 0 AND round != 'production'"


def _people(tx: Tx, sql: str, **values: str) -> AgreementFigure:
    records: list[LedgerRecord] = [read_line(row.line) for row in tx.all(sql, **values)]
    tables = agreement_tables(Said(records=records))
    return _figure("people", _first(tables, "people"), "no item has labels of two people yet")


def _with_panel(tx: Tx) -> AgreementFigure:
    """Hold the panel against people where both settled a trial; one item counts once."""
    human: dict[tuple[str, int], HumanDecision] = {}
    decisions: list[PanelDecision] = []
    trials: dict[str, int] = defaultdict(int)
    for row in tx.all(
        "SELECT item_id, task_id, verdict, panel FROM items WHERE panel IN ('pass', 'fail')"
        " AND verdict IN ('pass', 'fail') AND is_pair = 0 AND labels > 0"
    ):
        trials[row.task_id] += 1
        key = (row.task_id, trials[row.task_id])
        human[key] = HumanDecision(
            task_id=key[0],
            trial=key[1],
            passed=row.verdict == "pass",
            state=ItemState.AGREED,
            item_id=row.item_id,
        )
        decisions.append(
            PanelDecision(
                task_id=key[0],
                trial=key[1],
                panel="panel",
                rubric="",
                decides=True,
                result=row.panel,
                stage="A",
            )
        )
    tables = agreement_tables(Said(human=human, decisions=decisions))
    why = "people settled no trial yet that the panel had settled"
    return _figure("panel_people", _first(tables, "panel_people"), why)


def _judges(core: Core) -> AgreementFigure:
    with core.store.read() as tx:
        wanted = {row.run_id for row in tx.all("SELECT DISTINCT run_id FROM places")}
    runs = [run for run in list_run_dirs(core.runs) if run.run_id in wanted]
    files = [run.path / "votes.jsonl" for run in runs]
    size = sum(path.stat().st_size for path in files if path.exists())
    if size > MOST_VOTE_BYTES:
        why = "too many votes for a page: trajaudit review agreement RUN tells"
        return AgreementFigure(between="judges", items=0, note=why)
    votes: list[Vote] = []
    for run in runs:
        # Trials of different runs are different trials.
        votes += (
            vote.model_copy(update={"task_id": f"{run.run_id}/{vote.task_id}"})
            for vote in read_votes(run)
        )
    tables = agreement_tables(Said(votes=votes))
    return _figure("judges", _first(tables, "judges"), "no trial has votes of two families")


def _first(tables: Iterable[AgreementTable], kind: str) -> AgreementTable | None:
    return next((one for one in tables if one.kind == kind and one.round is None), None)


def _figure(between: Between, table: AgreementTable | None, why: str) -> AgreementFigure:
    if table is None:
        return AgreementFigure(between=between, items=0, note=why)
    values = {name: row.value for name, row in table.figures.items()}
    which = "ac1" if values.get("alpha") is None else "alpha"
    row = table.figures.get("alpha" if which == "alpha" else "ac1")
    interval = row.interval if row else None
    return AgreementFigure(
        between=between,
        items=table.items,
        share=values.get("percent"),
        kappa=values["kappa"] if values.get("kappa") is not None else values.get("fleiss"),
        alpha=values.get("alpha"),
        ac1=values.get("ac1"),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        positive=values.get("positive"),
        negative=values.get("negative"),
        note="" if row is None or row.interval else row.why,
    )
