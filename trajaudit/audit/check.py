"""`trajaudit check`: is a scenario sound, is a run what was written?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit.audit.control import control_of
from trajaudit.errors import NoEngineError, RunDirError, ScenarioError, UsageError
from trajaudit.record.journal import verify
from trajaudit.record.project import resolve_scenario, runs_dir
from trajaudit.record.rundir import RunDir
from trajaudit.record.runs import open_run
from trajaudit.record.scenarios import load_scenario


class UnsoundError(ScenarioError):
    """What was checked is not sound; carries every fault."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """The result for one scenario or run."""

    name: str
    faults: list[str]
    checked: str
    """What was looked at, in a few words."""


def check_all(
    names: Sequence[str], *, runs: Path | None, lint_only: bool, say: Callable[[str], None]
) -> list[Check]:
    """Check everything that the names stand for; faults are returned, not raised."""
    return [one for name in names for one in _check(name, runs, lint_only=lint_only, say=say)]


def _check(
    name: str, runs: Path | None, *, lint_only: bool, say: Callable[[str], None]
) -> list[Check]:
    run = _run_of(name, runs)
    if run is not None:
        return [check_run(run)]
    return [check_scenario(path, lint_only=lint_only, say=say) for path in resolve_scenario(name)]


def _run_of(name: str, runs: Path | None) -> RunDir | None:
    if Path(name).suffix in (".yaml", ".yml"):
        return None
    try:
        return open_run(name, runs or runs_dir(Path.cwd()))
    except RunDirError:
        try:
            resolve_scenario(name)
        except UsageError:
            raise UsageError(f"no scenario and no run is called {name!r}") from None
        return None


def check_scenario(path: Path, *, lint_only: bool, say: Callable[[str], None]) -> Check:
    """Lint a scenario, then let golden and null trajectories run through its mocks."""
    try:
        loaded = load_scenario(path)
    except ScenarioError as error:
        return Check(name=str(path), faults=list(error.faults), checked="read")
    tasks = len(loaded.scenario.tasks)
    if lint_only:
        return Check(name=str(path), faults=[], checked=f"{tasks} tasks read")
    from trajaudit.audit.selfcheck import selfcheck

    try:
        faults = selfcheck(loaded, say)
    except NoEngineError as error:
        say(f"{path}: golden and null trajectories were not run: {error}")
        raise
    return Check(
        name=str(path),
        faults=[f"{path}: task {task_id}: {text}" for task_id, text in faults],
        checked=f"{tasks} tasks: golden and null trajectories",
    )


def check_run(run: RunDir) -> Check:
    """Compare every journal of a run, and of its control, with its hashes."""
    faults: list[str] = []
    whole = missing = 0
    for part in (run, control_of(run)):
        if part is None:
            continue
        missing += len(part.missing())
        for record in part.read_trials():
            whole += 1
            path = part.journal_path(record.task_id, record.trial)
            faults += verify(path, record.head, record.events)
    return Check(name=run.run_id, faults=faults, checked=f"{whole} journals of {missing + whole}")
