"""`trajaudit promote`: a trial's calls become an accepted path of its task on somebody's word.

Only lines are added to the scenario's file. Before anything is written, the new text has to load,
to differ from the old one by that path alone, and to accept the trial.
"""

import difflib
import os
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from pydantic import JsonValue

from trajaudit.audit.run import same_scenario
from trajaudit.audit.score import trajectory_of
from trajaudit.audit.show import trial_of
from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.errors import RunDirError, ScenarioError, UsageError
from trajaudit.record.journal import verify
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import LoadedScenario, load_scenario
from trajaudit.record.stored import write_atomic
from trajaudit.record.yaml_insert import NoCleanPlaceError, insert_path, path_text
from trajaudit.record.yaml_source import decode
from trajaudit.score.accepted_paths import accepted_paths
from trajaudit.score.driver import TrialScores, score_trial
from trajaudit.score.promotion import NoPathError, Promotion, promoted_path

_FREE = frozenset({"read_only_moved", "read_only_left_out", "failed_extra_call"})
"""Tolerances about which calls are made: a path may be listed to do without them."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """Who accepts which trial, under which name and why."""

    task_id: str
    trial: int
    name: str
    by: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Promoted:
    """A path that can be added, and what adding it changes in the file."""

    path: Path
    entry: str
    diff: str
    notes: tuple[str, ...] = ()
    before: bytes
    after: bytes

    def write(self) -> None:
        """Put the path into the file.

        Raises:
            RunDirError: the file is no longer what it was a moment ago.
            StorageError: it cannot be written; it is as before.
        """
        target = self.path.resolve()
        if target.read_bytes() != self.before:
            raise RunDirError(f"{self.path}: changed meanwhile; nothing was written; try again")
        mode = target.stat().st_mode
        write_atomic(target, [self.after])
        target.chmod(mode)


class ByHandError(UsageError):
    """The path is fine, and the form of the file leaves it to a person to add it."""

    def __init__(self, text: str, entry: str) -> None:
        super().__init__(text)
        self.entry = entry


def promote(
    run: RunDir, acceptance: Acceptance, today: date, *, after: Promoted | None = None
) -> Promoted:
    """Return what adding the path of a trial changes; nothing is written.

    `after`: another path that is added before this one.

    Raises:
        UsageError: the trial cannot be an accepted path, or is one already.
        ByHandError: its path cannot be added by adding lines.
        RunDirError: the trial was edited, or the scenario changed since the run.
    """
    trajectory = _whole(run, acceptance)
    loaded = same_scenario(run.config, run)
    before = loaded.path.read_bytes() if after is None else after.after
    if after is not None:
        loaded = load_scenario(loaded.path, project=loaded.project, content=before)
    task = next(task for task in loaded.scenario.tasks if task.id == acceptance.task_id)
    accept = _accept(task)
    _require_acceptable(loaded.scenario, task, trajectory)
    if acceptance.name in {path.name for path in accept.paths}:
        raise UsageError(f"a path of task {task.id} is called {acceptance.name!r} already")
    try:
        made = promoted_path(loaded.scenario, task, trajectory, accept)
    except NoPathError as error:
        raise UsageError(f"{_name(acceptance)}: {error}") from error
    entry = path_text(_complete(made, run, acceptance, today))
    found = _checked(loaded, before, trajectory, entry)
    return replace(found, notes=tuple(made.notes))


def _whole(run: RunDir, acceptance: Acceptance) -> Trajectory:
    """Return a trial that came to its end and is as it was written."""
    trial_of(run, acceptance.task_id, acceptance.trial)
    record = run.read_trial(acceptance.task_id, acceptance.trial)
    if record is None or record.end_reason == "infra_error":
        raise UsageError(f"{_name(acceptance)} was stopped by infrastructure; choose another trial")
    journal = run.journal_path(acceptance.task_id, acceptance.trial)
    if faults := verify(journal, record.head, record.events):
        raise RunDirError("\n".join(faults))
    return trajectory_of(run, acceptance.task_id, acceptance.trial)


def _accept(task: Task) -> Accept:
    if task.accept is None or not task.accept.paths:
        raise UsageError(
            f"task {task.id} lists no path; any is accepted, and a first one would shut out others"
        )
    return task.accept


def _require_acceptable(scenario: Scenario, task: Task, trajectory: Trajectory) -> None:
    scores = score_trial(scenario, task, trajectory)
    for scorer in ("forbidden_actions", "allowed_tools", "end_state"):
        verdict = _verdict(scores, scorer)
        if verdict is not None and verdict.passed is False:
            raise UsageError(f"the path cannot be accepted; {scorer}: {verdict.reason}")
    path = _verdict(scores, "accepted_paths")
    if path is not None and path.passed and not set(path.tolerances) & _FREE:
        raise UsageError(f"the path is accepted already; it {path.reason}")


def _verdict(scores: TrialScores, scorer: str) -> Verdict | None:
    found = (v for v in scores.verdicts if v.scorer == scorer and v.mode == "lenient")
    return next(found, None)


def _complete(
    made: Promotion, run: RunDir, acceptance: Acceptance, today: date
) -> dict[str, JsonValue]:
    why = f": {acceptance.reason}" if acceptance.reason else ""
    who = f"accepted by {acceptance.by} on {today.isoformat()}{why}"
    provenance = f"run {run.run_id}, trial {_name(acceptance)}, {who}"
    return {"name": acceptance.name, **made.path, "provenance": provenance}


def _checked(loaded: LoadedScenario, before: bytes, trajectory: Trajectory, entry: str) -> Promoted:
    """Add the entry to the text, and see that this changes nothing else and accepts the trial."""
    text = decode(before, str(loaded.path))
    try:
        changed = insert_path(text, trajectory.task_id, entry)
    except NoCleanPlaceError as error:
        told = f"{loaded.path}: the path cannot be added by itself; {error}; paste it by hand"
        raise ByHandError(told, entry) from error
    after = (_BOM if before.startswith(_BOM) else b"") + changed.encode()
    new = _loaded_as(loaded, after, entry)
    if _with_last_path(loaded.scenario, new, trajectory.task_id) != new:
        told = f"{loaded.path}: adding lines would change more than the paths; paste it by hand"
        raise ByHandError(told, entry)
    task = next(task for task in new.tasks if task.id == trajectory.task_id)
    if not any(v.passed for v in accepted_paths(new, task, trajectory) if v.mode == "lenient"):
        raise UsageError(f"the path of {trajectory.task_id}/{trajectory.trial} would not accept it")
    shown = os.path.relpath(loaded.path)
    lines = difflib.unified_diff(
        text.splitlines(keepends=True), changed.splitlines(keepends=True), shown, shown
    )
    return Promoted(path=loaded.path, entry=entry, diff="".join(lines), before=before, after=after)


def _loaded_as(loaded: LoadedScenario, content: bytes, entry: str) -> Scenario:
    try:
        return load_scenario(loaded.path, project=loaded.project, content=content).scenario
    except ScenarioError as error:
        raise ByHandError(f"the scenario would be wrong with it: {error}", entry) from error


def _with_last_path(old: Scenario, new: Scenario, task_id: str) -> Scenario:
    """Return the old scenario with the path that the new one has more."""
    last = {task.id: task.accept.paths[-1:] for task in new.tasks if task.accept is not None}
    tasks = tuple(
        task.model_copy(
            update={
                "accept": task.accept.model_copy(
                    update={"paths": (*task.accept.paths, *last[task_id])}
                )
            }
        )
        if task.id == task_id and task.accept is not None
        else task
        for task in old.tasks
    )
    return old.model_copy(update={"tasks": tasks})


def _name(acceptance: Acceptance) -> str:
    return f"{acceptance.task_id}/{acceptance.trial}"
