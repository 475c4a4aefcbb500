"""Put pairs of trials that judges compared into the desk's index."""

from collections.abc import Iterator, Sequence

from trajaudit.datamodel.pairwise import PairDecision, PairResult
from trajaudit.datamodel.review import ReviewPolicy, Side
from trajaudit.record.pairs import SUMMARY, read_pair_decisions, read_pair_summary
from trajaudit.record.rundir import RunDir
from trajaudit.review.contents import Contents, blind_of
from trajaudit.review.enqueue import (
    Enqueued,
    Sample,
    Told,
    fingerprint,
    is_enqueued,
    journal_head,
    put_up,
    silent,
    turns_of,
)
from trajaudit.review.frame import rank_of
from trajaudit.review.place_rows import Found
from trajaudit.review.rows import PlaceRow
from trajaudit.review.store import Store

_DOUBT = 0.5
"""Share of wrong verdicts that are expected of a pair that judges could not settle."""


def enqueue_pairs(
    store: Store, run: RunDir, policy: ReviewPolicy, contents: Contents, told: Told = silent
) -> list[Enqueued]:
    """Bring the comparisons that lie in a run into the index; errors as for `enqueue`.

    A comparison that is not whole is left out, and so is one whose other run is gone.
    """
    found: list[Enqueued] = []
    for folder in sorted(run.path.glob("pairs/*/")):
        if not (folder / SUMMARY).exists():
            continue
        summary = read_pair_summary(folder)
        other = RunDir(run.path.parent / summary.run_b)
        if not (other.path / "run.json").is_file():
            continue
        source = f"{run.run_id}/{other.run_id}"
        files = [
            str((folder / name).relative_to(run.path)) for name in ("decisions.jsonl", SUMMARY)
        ]
        mark = fingerprint(run, files)
        if is_enqueued(store, source, mark):
            found.append(Enqueued(source, 0, 0, unchanged=True))
            continue
        shown = contents.rubric(summary.rubric, is_pair=True)
        rubric = (shown.name, shown.version)
        wanted = [one for one in read_pair_decisions(folder) if one.queue != "none"]
        sample = Sample(
            source=source,
            run_id=run.run_id,
            pair=source,
            mark=mark,
            rubric=rubric,
            places=list(_places((run, other), source, mark, wanted, policy.seed)),
            read=_Reader((run, other), rubric).read,
        )
        found.append(put_up(store, sample, policy, told))
    return found


class _Reader:
    def __init__(self, runs: tuple[RunDir, RunDir], rubric: tuple[str, int]) -> None:
        self._runs = runs
        self._rubric = rubric

    def read(self, rows: Sequence[PlaceRow]) -> Found:
        first, second = (
            blind_of(run, row.task_id, row.trial) for run, row in zip(self._runs, rows, strict=True)
        )
        return Found(
            rows=rows,
            shown=(first, second),
            rubric=self._rubric[0],
            rubric_version=self._rubric[1],
        )


def _places(
    runs: tuple[RunDir, RunDir],
    source: str,
    mark: str,
    decisions: Sequence[PairDecision],
    seed: int,
) -> Iterator[list[PlaceRow]]:
    ranks = {(one.task_id, one.trial): rank_of(seed, one.task_id, one.trial) for one in decisions}
    turns = turns_of(
        ((one.task_id, one.trial), one.queue, one.stratum, ranks[one.task_id, one.trial])
        for one in decisions
    )
    sides: tuple[Side, Side] = ("a", "b")
    for one in decisions:
        # Both trials decide whether the pair is read again.
        head = " ".join(journal_head(run, one.task_id, one.trial) for run in runs)
        resolve = one.queue == "resolve"
        settled = one.result in {PairResult.A, PairResult.B, PairResult.TIE} and not resolve
        yield [
            PlaceRow(
                run_id=run.run_id,
                task_id=one.task_id,
                trial=one.trial,
                pair=source,
                side=side,
                number=0,
                head=head,
                queue=one.queue,
                lane=f"pair/{one.stratum}" if resolve else "",
                priority=-_DOUBT if resolve else 0.0,
                turn=turns[one.task_id, one.trial],
                panel=one.result.value if settled else "",
                seen=mark,
            )
            for run, side in zip(runs, sides, strict=True)
        ]
