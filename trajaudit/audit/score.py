"""Verdicts, findings and outcomes of a run, recomputed from its files alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.errors import RunDirError
from trajaudit.record.journal import read_events, verify
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory
from trajaudit.score.driver import TrialScores, score_trial


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A trial whose final outcome is not what it was."""

    task_id: str
    trial: int
    before: bool | None
    after: bool | None
    reason: str


def trajectory_of(run: RunDir, task_id: str, trial: int) -> Trajectory:
    """Return one trial as the scorers see it."""
    return read_trajectory(read_events(run.journal_path(task_id, trial)))


def trajectories(run: RunDir) -> Iterator[tuple[TrialRecord, Trajectory]]:
    """Yield the whole trials of a run, one at a time."""
    for record in run.read_trials():
        yield record, trajectory_of(run, record.task_id, record.trial)


def require_intact(run: RunDir) -> None:
    """Refuse a run whose journals are not as they were written.

    Raises:
        RunDirError: one was edited; every fault as `path:line: what`.
    """
    faults = [
        fault
        for one in run.read_trials()
        for fault in verify(run.journal_path(one.task_id, one.trial), one.head, one.events)
    ]
    if faults:
        raise RunDirError("\n".join(faults))


def score_run(run: RunDir) -> list[Flip]:
    """Score every whole trial, write the results and return which final outcomes flipped."""
    config = run.config
    tasks = {task.id: task for task in config.scenario.tasks}
    before = _outcomes(run)
    scores = [
        score_trial(config.scenario, tasks[record.task_id], trajectory)
        for record, trajectory in trajectories(run)
    ]
    run.write_verdicts(verdict for one in scores for verdict in one.verdicts)
    run.write_findings(finding for one in scores for finding in one.findings)
    run.write_failures(failure for one in scores for failure in one.failures)
    run.write_outcomes(one.outcome for one in scores)
    return [flip for one in scores if (flip := _flip(before, one)) is not None]


def _outcomes(run: RunDir) -> dict[tuple[str, int], Outcome]:
    if not (run.path / "outcomes.jsonl").exists():
        return {}
    return {(one.task_id, one.trial): one for one in run.read_outcomes()}


def _flip(before: dict[tuple[str, int], Outcome], now: TrialScores) -> Flip | None:
    key = (now.outcome.task_id, now.outcome.trial)
    if key not in before or before[key].final == now.outcome.final:
        return None
    deciding = next((finding for finding in now.findings if finding.decided), None)
    return Flip(
        task_id=key[0],
        trial=key[1],
        before=before[key].final,
        after=now.outcome.final,
        reason=deciding.reason if deciding else now.outcome.status_detail,
    )
