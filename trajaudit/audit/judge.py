"""A panel of judges over the trials of a run that the rules left in doubt."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trajaudit.audit.judging import JudgeOptions, items, panel_of, price_of
from trajaudit.audit.score import require_intact, score_run
from trajaudit.datamodel.judging import Judge, PanelDecision, Vote
from trajaudit.judge.audit import with_audit
from trajaudit.judge.decide import by_family
from trajaudit.judge.meter import Meter, MeteredModel
from trajaudit.judge.panel import Bench, Judged
from trajaudit.judge.seat import Item, Seat
from trajaudit.llm import ModelOptions, open_model
from trajaudit.record.judged import write_judged
from trajaudit.record.judges import LoadedPanel
from trajaudit.record.rundir import RunDir

CACHE = ".judge-cache"
"""Folder beside the runs in which judges' answers are kept."""


@dataclass(frozen=True, kw_only=True)
class JudgeReport:
    """What a panel did."""

    panel: str
    rubric: str
    decisions: tuple[PanelDecision, ...]
    votes: tuple[Vote, ...]
    unheard: tuple[Judged, ...]
    sent: int
    tokens: int
    cost_usd: float | None
    """None: a price is unknown."""

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
    """Judge the doubtful trials of a run, and write votes, decisions and outcomes.

    Raises:
        UsageError: no panel, or a run that was not scored.
        ScenarioError: a file of the panel is wrong.
        RunDirError: a journal was edited.
    """
    require_intact(run)
    loaded = panel_of(run, options)
    meter = Meter(budget=loaded.panel.budget)
    with _bench(loaded, meter, run.path.parent / CACHE) as bench:
        judged = _all(bench, list(items(run, loaded, options)))
    heard = [one.decision for one in judged if one.decision is not None]
    decisions = with_audit(heard, loaded.panel.audit, seed=loaded.panel.seed)
    votes = [vote for one in judged for vote in one.votes]
    write_judged(run, votes, decisions)
    score_run(run)
    return JudgeReport(
        panel=loaded.panel.name,
        rubric=loaded.rubric.name,
        decisions=tuple(decisions),
        votes=tuple(votes),
        unheard=tuple(one for one in judged if one.decision is None),
        sent=meter.calls,
        tokens=meter.tokens,
        cost_usd=None if meter.unpriced else meter.cost_usd,
    )


@contextmanager
def _bench(loaded: LoadedPanel, meter: Meter, cache: Path) -> Iterator[Bench]:
    seats: list[Seat] = []
    try:
        seats += (_opened(judge, meter, cache) for judge in loaded.panel.judges)
        yield Bench(loaded.panel, loaded.rubric, loaded.prompt, tuple(seats))
    finally:
        for seat in seats:
            seat.close()


def _opened(judge: Judge, meter: Meter, cache: Path) -> Seat:
    model = open_model(
        judge.model,
        base_url=judge.base_url,
        api_key_env=judge.api_key_env,
        options=ModelOptions(price=price_of(judge)),
    )
    metered = MeteredModel(model, meter, price_of(judge))
    return Seat(judge, metered, judge.family or model.family, cache)


def _all(bench: Bench, wanted: list[Item]) -> list[Judged]:
    with ThreadPoolExecutor(bench.panel.concurrency) as pool:
        return list(pool.map(bench.judge, wanted))
