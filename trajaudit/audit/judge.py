"""A panel of judges over the trials of a run that the rules left in doubt."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from trajaudit.audit.ceilings import require_prices
from trajaudit.audit.certified import Certified, certified
from trajaudit.audit.judging import JudgeOptions, items, panel_of, price_of
from trajaudit.audit.score import require_intact, score_run
from trajaudit.audit.sitting import Sat, store
from trajaudit.audit.trust import URL_ENV
from trajaudit.datamodel.judging import Judge, PanelDecision, Vote
from trajaudit.judge.decide import by_family
from trajaudit.judge.meter import Meter, MeteredModel
from trajaudit.judge.notebook import Notebook, keyed, text_sha256
from trajaudit.judge.panel import Bench, Judged
from trajaudit.judge.seat import Item, Seat
from trajaudit.judge.throttle import ThrottledModel
from trajaudit.llm import ModelOptions, open_model
from trajaudit.record.judged import VoteLedger, read_commitments
from trajaudit.record.judges import LoadedPanel
from trajaudit.record.rundir import RunDir

CACHE = ".judge-cache"
"""Folder beside the runs in which judges' answers are kept."""


_REMOTE = ("openai/", "openai:")


@dataclass(frozen=True, kw_only=True)
class JudgeReport:
    """What a panel did."""

    panel: str
    rubric: str
    decisions: tuple[PanelDecision, ...]
    votes: tuple[Vote, ...]
    unheard: tuple[Judged, ...]
    sent: int
    """Attempts, repeats of failed ones included."""
    tokens: int
    cost_usd: float | None
    """None: a price is unknown."""
    certified: Certified = "no"
    """What these very judges showed on labelled trials."""

    @property
    def flips(self) -> int:
        """Families that said pass in one order and fail in the other, over all trials."""
        trials: dict[tuple[str, int], list[Vote]] = {}
        for vote in self.votes:
            trials.setdefault((vote.task_id, vote.trial), []).append(vote)
        said = [
            {vote.overall for vote in group}
            for votes in trials.values()
            for group in by_family(votes).values()
        ]
        return sum({"pass", "fail"} <= one for one in said)

    @property
    def statuses(self) -> dict[str, int]:
        """How many replies had which status."""
        return dict(sorted(Counter(str(vote.status) for vote in self.votes).items()))


def judge_run(run: RunDir, options: JudgeOptions) -> JudgeReport:
    """Judge the doubtful trials of a run, and write votes, decisions, queues and outcomes.

    Votes are written as they come: what was asked for by a process that died is not asked again.

    Raises:
        UsageError: no panel, or a run that was not scored.
        ScenarioError: a file of the panel is wrong.
        RunDirError: a journal was edited.
    """
    require_intact(run)
    loaded = panel_of(run, options)
    meter = Meter(budget=loaded.panel.budget)
    wanted = list(items(run, loaded, options))
    with VoteLedger(run) as ledger:
        cache = run.path.parent / CACHE
        with opened_bench(loaded, meter, cache, send_keys=options.send_keys) as bench:
            judged = _all(_kept(bench, run, loaded, ledger), wanted, options.told, meter)
    found = Sat(loaded, judged, meter, ledger.asked, certified(loaded, run.path.parent))
    decisions = store(run, found, ledger)
    score_run(run)
    return JudgeReport(
        panel=loaded.panel.name,
        rubric=loaded.rubric.name,
        decisions=tuple(decisions),
        votes=tuple(vote for one in judged for vote in one.votes),
        unheard=tuple(one for one in judged if one.decision is None),
        sent=meter.calls,
        tokens=meter.tokens,
        cost_usd=None if meter.unpriced else meter.cost_usd,
        certified=found.certified,
    )


@contextmanager
def opened_bench(
    loaded: LoadedPanel, meter: Meter, cache: Path, *, send_keys: bool = True
) -> Iterator[Bench]:
    """Open every judge of a panel; all are closed at the end.

    Raises:
        UsageError: a ceiling of cost cannot hold, or a model cannot be opened.
    """
    require_prices(loaded.panel)
    seats: list[Seat] = []
    try:
        seats += (_opened(judge, meter, cache, send_keys) for judge in loaded.panel.judges)
        yield Bench(loaded.panel, loaded.rubric, loaded.prompt, tuple(seats))
    finally:
        for seat in seats:
            seat.close()


def _opened(judge: Judge, meter: Meter, cache: Path, send_keys: bool) -> Seat:
    known = judge.base_url is None or judge.base_url == os.environ.get(URL_ENV)
    options = ModelOptions(
        price=price_of(judge),
        send_key=send_keys or known,
        before_retry=meter.repeat,
    )
    model = open_model(
        judge.model, base_url=judge.base_url, api_key_env=judge.api_key_env, options=options
    )
    if judge.per_minute is not None:
        model = ThrottledModel(model, judge.per_minute)
    metered = MeteredModel(model, meter, price_of(judge))
    return Seat(judge, metered, judge.family or model.family, cache, address=_address(judge))


def _address(judge: Judge) -> str:
    """Return where a judge is asked; empty where its name alone says so."""
    if judge.base_url is not None or not judge.model.startswith(_REMOTE):
        return judge.base_url or ""
    return os.environ.get(URL_ENV, "")


def _kept(bench: Bench, run: RunDir, loaded: LoadedPanel, ledger: VoteLedger) -> Bench:
    """Return the bench with its seats at the ledger, and with the notes that lie in the run."""
    books: dict[str, Notebook] = {}
    prompt = text_sha256(loaded.commit_prompt)
    known = [one for one in read_commitments(run) if one.prompt_sha256 == prompt]
    for seat in bench.seats:
        seat.ledger = ledger
        if loaded.commit_prompt:
            own = [one for one in known if (one.judge, one.address) == seat.place]
            make = partial(seat.commit, template=loaded.commit_prompt)
            books.setdefault(seat.family, Notebook(make, keyed(own)))
    return replace(bench, notebooks=books)


def _all(
    bench: Bench, wanted: list[Item], told: Callable[[int, int], None], meter: Meter
) -> list[Judged]:
    found: list[Judged] = []
    with ThreadPoolExecutor(bench.panel.concurrency) as pool:
        try:
            for one in pool.map(bench.judge, wanted):
                found.append(one)
                told(len(found), len(wanted))
        except BaseException:
            # Trials that are being judged end after the call that is on its way.
            meter.stopped = True
            pool.shutdown(cancel_futures=True)
            raise
    return found
