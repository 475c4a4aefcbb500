"""Does every called tool exist? A hallucinated name is told apart from another spelling."""

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.call_reading import CallReading, read_calls
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.verdict_pair import plain_pass

NAME = "unknown_tools"
BUILT_IN = frozenset({"ask_user"})
"""Tools that the gateway adds to those of a scenario."""


def unknown_tools(scenario: Scenario, _task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Strict: each name is known; lenient: each name is known in another style or as an alias."""
    if not scenario.tools:
        return []
    readings = [
        reading
        for reading in read_calls(trajectory, scenario.tools, frozenset(scenario.tolerances.off))
        if reading.call.tool not in BUILT_IN
    ]
    restyled = [reading for reading in readings if reading.named.rung is not None]
    unknown = [reading for reading in readings if reading.named.name is None]
    if not restyled and not unknown:
        return plain_pass(trajectory, NAME, "every tool is known")
    return [
        Verdict(
            task_id=trajectory.task_id,
            trial=trajectory.trial,
            scorer=NAME,
            mode=mode,
            passed=not bad,
            reason="; ".join(map(_explain, bad[:5])) or "every tool is known",
            tolerances=rungs,
            evidence=tuple(evidence_of(reading) for reading in bad[:20]),
        )
        for mode, bad, rungs in (
            ("strict", [*unknown, *restyled], ()),
            ("lenient", unknown, () if unknown else _rungs(restyled)),
        )
    ]


def _rungs(restyled: list[CallReading]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(r.named.rung for r in restyled if r.named.rung is not None))


def _explain(reading: CallReading) -> str:
    name = reading.named.name or reading.named.nearest
    said = "means" if reading.named.name else "is unknown; nearest is"
    return f"{reading.call.tool} {said} {name}" if name else f"{reading.call.tool} is unknown"
