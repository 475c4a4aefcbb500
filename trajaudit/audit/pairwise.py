"""A panel of judges over the trials that two runs share: which run is better, and how surely?"""

from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from trajaudit.audit.judge import CACHE, opened_bench
from trajaudit.audit.pairwise_match import Comparison
from trajaudit.audit.score import require_intact
from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.pairwise import PairDecision, PairSummary, UnheardPair
from trajaudit.judge.audit import with_audit
from trajaudit.judge.meter import Meter
from trajaudit.judge.notebook import Notebook
from trajaudit.judge.pairwise import JudgedPair, PairBench
from trajaudit.judge.pairwise_figures import pair_figures
from trajaudit.judge.pairwise_seat import Pair
from trajaudit.judge.panel import Bench
from trajaudit.record.pairs import PairFiles, finish_pairs, pairs_dir, read_pair_votes


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What a panel did with two runs, and where it lies."""

    folder: Path
    decisions: tuple[PairDecision, ...]
    summary: PairSummary


def compare_pairs(comparison: Comparison) -> Compared:
    """Judge every pair, and write votes and decisions as they come.

    Raises:
        RunDirError: a journal was edited.
        StorageError: something cannot be written.
    """
    first, second = comparison.runs
    for run in comparison.runs:
        require_intact(run)
    meter = Meter(budget=comparison.loaded.panel.budget)
    found = _Found(folder=pairs_dir(first, second.run_id))
    cache = first.path.parent / CACHE
    with (
        opened_bench(comparison.loaded, meter, cache, send_keys=comparison.send_keys) as opened,
        PairFiles(found.folder) as files,
    ):
        bench = _pair_bench(comparison, opened)
        for judged in _each(bench, comparison.pairs(), meter):
            files.add(judged.votes, judged.decision)
            found.add(judged)
    decisions = _with_audit(found.decisions, bench)
    summary = _summary(comparison, found, decisions, meter)
    finish_pairs(found.folder, decisions, found.notes.values(), summary)
    return Compared(folder=found.folder, decisions=tuple(decisions), summary=summary)


@dataclass(kw_only=True)
class _Found:
    """What came of the pairs so far."""

    folder: Path
    decisions: list[PairDecision] = field(default_factory=list)
    unheard: list[UnheardPair] = field(default_factory=list)
    notes: dict[tuple[str, str], Commitment] = field(default_factory=dict)

    def add(self, judged: JudgedPair) -> None:
        self.notes.update({(one.family, one.task_sha256): one for one in judged.notes})
        if judged.decision is not None:
            self.decisions.append(judged.decision)
            return
        pair = judged.pair
        self.unheard.append(UnheardPair(task_id=pair.task_id, trial=pair.trial, why=judged.why))


def _pair_bench(comparison: Comparison, opened: Bench) -> PairBench:
    loaded = comparison.loaded
    books = {
        seat.family: Notebook(partial(seat.commit, template=loaded.commit_prompt))
        for seat in reversed(opened.seats if loaded.commit_prompt else ())
    }
    return PairBench(
        panel=loaded.panel,
        rubric=comparison.asked.rubric,
        template=comparison.asked.prompt,
        seats=opened.seats,
        runs=(comparison.runs[0].run_id, comparison.runs[1].run_id),
        notebooks=books,
    )


def _with_audit(decisions: list[PairDecision], bench: PairBench) -> list[PairDecision]:
    """Draw the audit sample; trials that look alike leave people nothing to look at."""
    judged = [one for one in decisions if one.stage != "same"]
    drawn = iter(with_audit(judged, bench.panel.audit, seed=bench.panel.seed))
    return [one if one.stage == "same" else next(drawn) for one in decisions]


def _summary(
    comparison: Comparison, found: _Found, decisions: list[PairDecision], meter: Meter
) -> PairSummary:
    replies = Counter(str(vote.status) for vote in read_pair_votes(found.folder))
    tasks = [one.task_id for one in found.unheard]
    return PairSummary(
        run_a=comparison.runs[0].run_id,
        run_b=comparison.runs[1].run_id,
        panel=comparison.loaded.panel.name,
        rubric=comparison.asked.rubric.name,
        sha256={**comparison.loaded.sha256, **comparison.asked.sha256},
        left_out=dict(comparison.matched.left_out),
        figures=pair_figures(decisions, read_pair_votes(found.folder), tasks),
        unheard=tuple(found.unheard),
        replies=dict(sorted(replies.items())),
        calls_sent=meter.calls,
        calls_saved=sum(one.calls_saved for one in decisions),
        tokens=meter.tokens,
        cost_usd=None if meter.unpriced else meter.cost_usd,
    )


def _each(bench: PairBench, wanted: Iterator[Pair], meter: Meter) -> Iterator[JudgedPair]:
    """Judge a few at a time and yield them in order: memory does not grow with the runs."""
    workers = bench.panel.concurrency
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[JudgedPair]] = deque()
        try:
            waiting.extend(pool.submit(bench.judge, one) for one in islice(wanted, 2 * workers))
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(bench.judge, one) for one in islice(wanted, 1))
        except BaseException:
            # Pairs that are being judged end after the call that is on its way.
            meter.stopped = True
            pool.shutdown(cancel_futures=True)
            raise
