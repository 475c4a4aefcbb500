"""One trial of a run with everything that was decided about it."""

from dataclasses import dataclass

from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.errors import UsageError
from trajaudit.record.fault import nearest
from trajaudit.record.rundir import RunDir


@dataclass(frozen=True, kw_only=True)
class ShownTrial:
    """A trial, its verdicts and its findings."""

    trajectory: Trajectory
    verdicts: list[Verdict]
    findings: list[Finding]


def trial_of(run: RunDir, task_id: str, trial: int) -> ShownTrial:
    """Return one trial.

    Raises:
        UsageError: the run has no such task or trial.
    """
    known = run.config.task_ids
    if task_id not in known:
        raise UsageError(f"unknown task; got {task_id!r}; {nearest(task_id, known)}")
    if run.read_trial(task_id, trial) is None:
        raise UsageError(
            f"trial {task_id}/{trial} is not whole; got none; the run has {run.config.trials}"
        )
    where = (task_id, trial)
    return ShownTrial(
        trajectory=trajectory_of(run, task_id, trial),
        verdicts=[one for one in run.read_verdicts() if (one.task_id, one.trial) == where],
        findings=[one for one in run.read_findings() if (one.task_id, one.trial) == where],
    )
