"""Did the calls follow one of the accepted paths, in an order that its constraints allow?

Strict: every expected call is made with exactly the arguments listed, in the demanded order, and
nothing else is done that may not be. Lenient: the same calls as the ladder reads them. Each path is
enough; neither the order of paths, of expected calls, nor of calls of one step plays a part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import GradeStatus, Mode, Verdict
from trajaudit.score.call_index import CallIndex
from trajaudit.score.call_reading import tools_of
from trajaudit.score.nearest_path import PERFECT, Nearest, nearest_path
from trajaudit.score.order_search import SearchLimitError
from trajaudit.score.path_plan import plan_paths
from trajaudit.score.path_table import PathTable
from trajaudit.score.recent import Recent

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
    compared = compare_paths(scenario, task, trajectory)
    if compared is None:
        return []
    strict = _verdict(trajectory, "strict", compared)
    if strict.passed:
        return [strict, strict.model_copy(update={"mode": "lenient"})]
    return [strict, _verdict(trajectory, "lenient", compared)]


@dataclass(frozen=True, eq=False)
class Comparison:
    """The calls of a trajectory beside all accepted paths, and what both modes say."""

    tables: Sequence[PathTable]
    strict: PathDecision
    lenient: PathDecision

    @property
    def index(self) -> CallIndex:
        return self.tables[0].index

    @cached_property
    def nearest(self) -> Nearest:
        """The path that fits, else the one that the fewest edits lead to."""
        fitting = self.lenient.fitting
        if fitting is not None and self.is_followed:
            return Nearest(fitting, fitting.best("strict"))
        return nearest_path(self.tables if fitting is None else [fitting])

    @property
    def is_followed(self) -> bool:
        """Whether the calls are those of the path that fits, to the letter."""
        return self.strict.fitting is not None and self.strict.fitting.is_followed

    def decision(self, mode: Mode) -> PathDecision:
        return self.strict if mode == "strict" else self.lenient


@Recent
def compare_paths(scenario: Scenario, task: Task, trajectory: Trajectory) -> Comparison | None:
    """Compare the calls with the paths; None where the task lists no path."""
    accept = accept_of(scenario, task)
    if accept is None or not accept.paths:
        return None
    tables = path_tables(scenario, task, trajectory)
    strict = decide(tables, "strict")
    lenient = _weaker(strict) if strict.passed else decide(tables, "lenient")
    return Comparison(tables, strict, lenient)


def path_tables(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[PathTable]:
    """Lay each accepted path beside the calls, in an order that does not depend on the file."""
    accept = accept_of(scenario, task)
    if accept is None:
        return []
    plan = plan_paths(accept, tools_of(scenario, task), scenario.tolerances.off)
    index = CallIndex(trajectory, plan.registry, plan.off)
    return [PathTable(path, index, accept.extra_calls) for path in plan.paths]


def decide(tables: Sequence[PathTable], mode: Mode) -> PathDecision:
    """Return the decision of one mode: a path fits, none does, or it stays open."""
    open_reason = ""
    for table in tables:
        if mode == "strict" and table.fits_to_the_letter:
            return PathDecision(True, table, (), f"follows path {table.name!r}")
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


def _verdict(trajectory: Trajectory, mode: Mode, compared: Comparison) -> Verdict:
    decision, strict = compared.decision(mode), compared.strict
    # What fits strictly serves every call and leaves none over, in both modes.
    figures = PERFECT if strict.passed else compared.nearest.figures(mode)
    fitting = strict.fitting or compared.nearest.table
    passed = decision.passed
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=NAME,
        mode=mode,
        passed=passed,
        status=GradeStatus.AMBIGUOUS if passed is None else GradeStatus.GRADED,
        reason=decision.reason or compared.nearest.reason,
        reading=" → ".join(c.tool for c in compared.index.written.calls[:20]) or "no calls",
        tolerances=decision.tolerances,
        evidence=() if passed else compared.nearest.evidence,
        score=figures["f1"],
        detail={
            "path": fitting.name,
            **figures,
            "edits": [] if passed else [edit.to_json() for edit in compared.nearest.edits],
        },
    )
