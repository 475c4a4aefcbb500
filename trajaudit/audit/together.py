"""What only all trials of a task together can show: references that are in doubt."""

from collections.abc import Sequence

from trajaudit.audit.scoring import Seen
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import Outcome
from trajaudit.record.intake_trial import VERSION_OF
from trajaudit.record.journal import read_events
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory
from trajaudit.score.agreement import suspect_references
from trajaudit.score.driver import score_trial
from trajaudit.score.versions import Version, latest_other, turned


def together(run: RunDir, scored: Sequence[Seen]) -> list[Finding]:
    """Return what the trials of each task say of its reference, at most one finding a trial.

    Different versions of a task, as logs of different days hold them, are looked at together.
    """
    groups: dict[str, list[Seen]] = {}
    for one in scored:
        groups.setdefault(_base(run, one.task_id), []).append(one)
    found: dict[tuple[str, int], Finding] = {}
    for base, group in groups.items():
        agreed = suspect_references(base, [one.reading for one in group])
        for finding in [*agreed, *_turned(run, group)]:
            found[finding.task_id, finding.trial] = finding
    return list(found.values())


def _base(run: RunDir, task_id: str) -> str:
    """Return the id that all versions of a task share; only an import has several."""
    if ".v" not in task_id:
        return task_id
    base = run.tasks.task(task_id).metadata.get(VERSION_OF)
    return base if isinstance(base, str) else task_id


def _turned(run: RunDir, group: Sequence[Seen]) -> list[Finding]:
    """Score the trials of a task by the latest other reference that a log holds for it."""
    started: dict[str, str] = {}
    for one in group:
        started[one.task_id] = max(started.get(one.task_id, ""), one.started)
    if len(started) == 1:
        return []
    versions = {name: Version(run.tasks.task(name), last) for name, last in started.items()}
    found = []
    for one in group:
        other = latest_other(versions[one.task_id], list(versions.values()))
        record = run.read_trial(one.task_id, one.trial)
        if other is None or one.final is None or record is None:
            continue
        trajectory = read_trajectory(read_events(run.journal_path(one.task_id, one.trial)))
        again = score_trial(run.tasks.scenario(record), other.task, trajectory)
        ours = Outcome(task_id=one.task_id, trial=one.trial, final=one.final)
        finding = turned(ours, again.outcome, other)
        found += [] if finding is None else [finding]
    return found
