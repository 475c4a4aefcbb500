"""Is every call valid under its tool's schema, as written or after a repair with one reading?"""

from collections.abc import Sequence
from dataclasses import dataclass

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, Mode, Verdict
from trajaudit.score.call_reading import CallReading, read_calls, tools_of
from trajaudit.score.ladder import TOLERANCES
from trajaudit.score.matcher import schema_faults
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.schema_view import SchemaView
from trajaudit.score.verdict_pair import plain_pass

NAME = "tool_schema"


@dataclass(frozen=True)
class SchemaCheck:
    """What a call's schema says: faults as written, faults after repair, repairs."""

    reading: CallReading
    strict: tuple[str, ...]
    lenient: tuple[str, ...]
    repairs: tuple[str, ...]


def tool_schema(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Check every call against the schema of the tool that it names."""
    tools = tools_of(scenario, task)
    readings = read_calls(trajectory, tools, frozenset(scenario.tolerances.off))
    known = [reading for reading in readings if reading.named.name is not None]
    if not known:
        return []
    odd = [check_schema(reading, tools) for reading in known if not reading.fits_plainly]
    bad = [check for check in odd if check.strict]
    if not bad:
        reason = f"{len(known)} calls fit their schemas"
        return plain_pass(trajectory, NAME, reason, {"repairs": []}, score=1.0)
    return [
        _verdict(trajectory, bad, len(known), "strict"),
        _verdict(trajectory, bad, len(known), "lenient"),
    ]


def check_schema(reading: CallReading, tools: Sequence[ToolSpec]) -> SchemaCheck:
    """Check one call; its tool is known."""
    tool = next(tool for tool in tools if tool.name == reading.named.name)
    if reading.strict is None:
        written = ["the arguments are no JSON object"]
    else:
        written = schema_faults(tool.parameters, reading.strict)
        if not written:
            # What fits as it is written needs no second reading.
            return SchemaCheck(reading, (), (), ())
    if reading.form is None:
        what = reading.unreadable.reason if reading.unreadable else "the arguments are unreadable"
        return SchemaCheck(reading, tuple(written), (what,), ())
    view = SchemaView.of(tool.parameters)
    repaired = {
        name: value
        for name, value in reading.form.repaired.items()
        if value is not None or name in view.required or "null" in view.property_(name).types
    }
    repairs = dict.fromkeys(
        [
            *reading.rungs,
            *(
                rung
                for rungs in reading.form.rungs.values()
                for rung in rungs
                if TOLERANCES[rung][0] in {"repaired", "renamed", "coerced"} or rung == "enum_case"
            ),
            *(["null_omitted"] if len(repaired) < len(reading.form.repaired) else []),
        ]
    )
    faults = schema_faults(tool.parameters, repaired)
    return SchemaCheck(reading, tuple(written), tuple(faults), tuple(repairs))


def _verdict(
    trajectory: Trajectory, checks: Sequence[SchemaCheck], count: int, mode: Mode
) -> Verdict:
    """Judge `count` calls; `checks` are of those that do not fit as they are written."""
    lenient = mode == "lenient"
    bad = [check for check in checks if not lenient or check.lenient]
    repaired = [check for check in checks if not check.lenient]
    shown = bad or repaired
    reason = "; ".join(_explain(check, lenient=bool(bad) and lenient) for check in shown[:3])
    tolerances = [rung for check in repaired for rung in check.repairs]
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=NAME,
        mode=mode,
        passed=not bad,
        reason=reason,
        tolerances=tuple(dict.fromkeys(tolerances)) if lenient and not bad else (),
        evidence=tuple(evidence_of(check.reading) for check in shown[:20]),
        fault=_fault(shown),
        score=1 - len(bad) / count,
        detail={
            "repairs": [
                {
                    "tool": check.reading.call.tool,
                    "step": check.reading.step,
                    "repairs": list(check.repairs),
                    "faults": list(check.strict),
                }
                for check in repaired[:50]
            ]
        },
    )


def _explain(check: SchemaCheck, *, lenient: bool) -> str:
    faults = check.lenient if lenient else check.strict
    return f"{check.reading.call.tool} at step {check.reading.step}: {faults[0]}"


def _fault(checks: Sequence[SchemaCheck]) -> Fault:
    """The harness's, where it changed every such call or turned it down for its form alone."""
    if all(
        c.reading.call.differs or (c.repairs and c.reading.was_refused_for_form) for c in checks
    ):
        return Fault.HARNESS
    return Fault.AGENT
