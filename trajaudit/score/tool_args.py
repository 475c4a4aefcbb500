"""Are the arguments right, call by call, on the path that comes nearest? And whose is the fault?

For each expected call the rung of the ladder on which the call that serves it stands. A difference
is the harness's where the framework changed the arguments or refused a call for its form alone; the
reference's where the call is valid as written and does the same; else the agent's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, GradeStatus, Mode, Verdict
from trajaudit.score.accepted_paths import Comparison, compare_paths
from trajaudit.score.argument_match import EXACT, CallFit
from trajaudit.score.call_reading import CallReading, tools_of
from trajaudit.score.ladder import highest_step
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.tool_schema import check_schema

NAME = "tool_args"


@dataclass(frozen=True)
class ArgumentCheck:
    """A call beside the expected one that it serves, or comes nearest to."""

    reading: CallReading
    fit: CallFit
    fault: Fault


def tool_args(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Compare the arguments of the calls that belong to expected ones on the nearest path."""
    compared = compare_paths(scenario, task, trajectory)
    checks = _checks(scenario, task, compared) if compared is not None else []
    if not checks:
        return []
    return [_verdict(trajectory, checks, "strict"), _verdict(trajectory, checks, "lenient")]


def _checks(scenario: Scenario, task: Task, compared: Comparison) -> list[ArgumentCheck]:
    near, readings = compared.nearest, compared.index.readings
    if compared.is_followed:
        fits = dict.fromkeys(near.assignment.pairs, EXACT)
    else:
        fits = {a: near.table.fits[e][a] for a, e in near.assignment.pairs.items()}
    for edit in near.edits:
        if edit.kind == "argument" and edit.actual is not None and edit.expected is not None:
            wanted = near.table.plan.wanted[edit.expected]
            fits[edit.actual] = near.table.index.fit(wanted, edit.actual)
    return [
        ArgumentCheck(readings[a], fit, _fault(scenario, task, readings[a], fit))
        for a, fit in sorted(fits.items())
    ]


def _fault(scenario: Scenario, task: Task, reading: CallReading, fit: CallFit) -> Fault:
    if "harness_changed" in fit.tolerances or (reading.call.differs and fit.level != "exact"):
        return Fault.HARNESS
    if fit.level != "tolerated":
        return Fault.AGENT
    if reading.was_refused_for_form:
        return Fault.HARNESS
    tools = tools_of(scenario, task)
    known = any(tool.name == reading.named.name for tool in tools)
    as_written = reading.named.rung is None and reading.strict is not None
    if as_written and known and not check_schema(reading, tools).strict:
        return Fault.REFERENCE
    return Fault.AGENT


def _verdict(trajectory: Trajectory, checks: Sequence[ArgumentCheck], mode: Mode) -> Verdict:
    passing = {"exact"} if mode == "strict" else {"exact", "tolerated"}
    bad = [check for check in checks if check.fit.level not in passing]
    is_open = mode == "lenient" and bool(bad) and all(c.fit.level == "ambiguous" for c in bad)
    shown = bad or [check for check in checks if check.fit.level == "tolerated"]
    tolerances = [rung for check in checks for rung in check.fit.tolerances]
    rungs: list[JsonValue] = [
        {
            "tool": check.reading.call.tool,
            "step": check.reading.step,
            "level": check.fit.level,
            "rung": highest_step(check.fit.tolerances),
            "tolerances": list(check.fit.tolerances),
            "differences": list(check.fit.differences),
            "fault": check.fault.value,
        }
        for check in checks[:50]
        if check.fit.level != "exact"
    ]
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=NAME,
        mode=mode,
        passed=None if is_open else not bad,
        status=GradeStatus.AMBIGUOUS if is_open else GradeStatus.GRADED,
        reason="; ".join(_explain(check) for check in shown[:3]) or "all arguments are as expected",
        tolerances=tuple(dict.fromkeys(tolerances)) if mode == "lenient" and not bad else (),
        evidence=tuple(evidence_of(check.reading) for check in shown[:20]),
        fault=shown[0].fault if shown else None,
        score=1 - len(bad) / len(checks),
        detail={"calls": rungs},
    )


def _explain(check: ArgumentCheck) -> str:
    what = ", ".join(check.fit.differences or check.fit.tolerances)
    return f"{check.reading.call.tool} at step {check.reading.step}: {what}"
