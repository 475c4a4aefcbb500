"""Did the calls follow one of the accepted paths, in an order that its constraints allow?

Strict: every expected call is made with exactly the arguments listed, in the demanded order, and
nothing else is done that may not be. Lenient: the same calls as the ladder reads them. Each path is
enough; neither the order of paths, of expected calls, nor of calls of one step plays a part.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import GradeStatus, Mode, Verdict
from trajaudit.score.call_index import CallIndex
from trajaudit.score.call_reading import CallReading, read_calls, tools_of
from trajaudit.score.nearest_path import Nearest, nearest_path
from trajaudit.score.order_search import SearchLimitError
from trajaudit.score.path_table import PathTable

NAME = "accepted_paths"


@dataclass(frozen=True)
class PathDecision:
    """What one mode says of all paths; `fitting` is the table of the path that fits."""

    passed: bool | None
    fitting: PathTable | None = None
    tolerances: tuple[str, ...] = ()
    reason: str = ""


def accept_of(scenario: Scenario, task: Task) -> Accept | None:
    """Return what the task accepts: its own, else the scenario's."""
    return task.accept if task.accept is not None else scenario.accept


def accepted_paths(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Compare the calls of a trajectory with the accepted paths."""
    accept = accept_of(scenario, task)
    if accept is None or not accept.paths:
        return []
    off = frozenset(scenario.tolerances.off)
    readings = read_calls(trajectory, tools_of(scenario, task), off)
    tables = path_tables(scenario, task, readings)
    strict = decide(tables, "strict")
    lenient = _weaker(strict) if strict.passed else decide(tables, "lenient")
    nearest = nearest_path(tables if lenient.fitting is None else [lenient.fitting])
    decisions: dict[Mode, PathDecision] = {"strict": strict, "lenient": lenient}
    return [
        _verdict(trajectory, mode, decision, nearest, readings)
        for mode, decision in decisions.items()
    ]


def path_tables(scenario: Scenario, task: Task, readings: Sequence[CallReading]) -> list[PathTable]:
    """Lay each accepted path beside the calls, in an order that does not depend on the file."""
    accept = accept_of(scenario, task)
    if accept is None:
        return []
    off = frozenset(scenario.tolerances.off)
    index = CallIndex(readings, tools_of(scenario, task), off)
    tables = [PathTable(path, index, accept.extra_calls) for path in accept.paths]
    return sorted(tables, key=lambda table: table.sort_key)


def decide(tables: Sequence[PathTable], mode: Mode) -> PathDecision:
    """Return the decision of one mode: a path fits, none does, or it stays open."""
    open_reason = ""
    for table in tables:
        try:
            assignment = table.assign(mode)
        except SearchLimitError as error:
            open_reason = f"path {table.name!r}: {error}"
            continue
        if assignment is not None:
            tolerances = table.tolerances(assignment, mode)
            return PathDecision(True, table, tolerances, f"follows path {table.name!r}")
    if not open_reason and mode == "lenient":
        open_reason = _perhaps(tables)
    return PathDecision(None if open_reason else False, reason=open_reason)


def _perhaps(tables: Sequence[PathTable]) -> str:
    """Name the path that fits if an ambiguous value is read in its favour."""
    for table in tables:
        try:
            if table.has_ambiguous and table.assign("ambiguous") is not None:
                return f"follows path {table.name!r} only under one of two readings of a value"
        except SearchLimitError:
            continue
    return ""


def _weaker(strict: PathDecision) -> PathDecision:
    return PathDecision(True, strict.fitting, (), strict.reason)


def _verdict(
    trajectory: Trajectory,
    mode: Mode,
    decision: PathDecision,
    nearest: Nearest,
    readings: Sequence[CallReading],
) -> Verdict:
    figures = nearest.figures(mode)
    reason = decision.reason or nearest.reason
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=NAME,
        mode=mode,
        passed=decision.passed,
        status=GradeStatus.AMBIGUOUS if decision.passed is None else GradeStatus.GRADED,
        reason=reason,
        reading=" → ".join(r.call.tool for r in readings[:20]) or "no calls",
        tolerances=decision.tolerances,
        evidence=() if decision.passed else nearest.evidence,
        score=figures["f1"],
        detail={
            "path": (decision.fitting or nearest.table).name,
            **figures,
            "edits": [] if decision.passed else [edit.to_json() for edit in nearest.edits],
        },
    )
