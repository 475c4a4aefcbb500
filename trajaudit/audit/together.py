"""What only all trials of a task together can show: references that are in doubt."""

from collections.abc import Sequence

from trajaudit.audit.scoring import Scored
from trajaudit.datamodel.finding import Finding
from trajaudit.record.intake import VERSION_OF
from trajaudit.record.journal import read_events
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory
from trajaudit.score.agreement import suspect_references
from trajaudit.score.driver import score_trial
from trajaudit.score.versions import Version, latest_other, turned


def together(run: RunDir, scored: Sequence[Scored]) -> list[Finding]:
    """Return what the trials of each task say of its reference, at most one finding a trial.

    Different versions of a task, as logs of different days hold them, are looked at together.
    """
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(_base(run, one[0].task_id), []).append(one)
    found: dict[tuple[str, int], Finding] = {}
    for base, group in groups.items():
        agreed = suspect_references(base, [reading for _, _, reading in group])
        for finding in [*agreed, *_turned(run, group)]:
            found[finding.task_id, finding.trial] = finding
    return list(found.values())


def _base(run: RunDir, task_id: str) -> str:
    """Return the id that all versions of a task share; only an import has several."""
    if ".v" not in task_id:
        return task_id
    base = run.tasks.task(task_id).metadata.get(VERSION_OF)
    return base if isinstance(base, str) else task_id


def _turned(run: RunDir, group: Sequence[Scored]) -> list[Finding]:
    """Score the trials of a task by the latest other reference that a log holds for it."""
    started: dict[str, str] = {}
    for record, _, _ in group:
        started[record.task_id] = max(started.get(record.task_id, ""), record.started)
    if len(started) == 1:
        return []
    versions = {name: Version(run.tasks.task(name), last) for name, last in started.items()}
    found = []
    for record, scores, _ in group:
        other = latest_other(versions[record.task_id], list(versions.values()))
        if other is None or scores.outcome.final is None:
            continue
        trajectory = read_trajectory(read_events(run.journal_path(record.task_id, record.trial)))
        again = score_trial(run.tasks.scenario(record), other.task, trajectory)
        finding = turned(scores.outcome, again.outcome, other)
        found += [] if finding is None else [finding]
    return found
