"""Was something done that is forbidden? One attempt is enough, whatever came of it."""

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.accepted_paths import accept_of
from trajaudit.score.argument_match import expectation
from trajaudit.score.call_reading import CallReading, read_calls
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.verdict_pair import both_modes

NAME = "forbidden_actions"


def forbidden_actions(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Fail in both modes if a call fits a forbidden one; arguments it does not name are free."""
    accept = accept_of(scenario, task)
    if accept is None or not accept.forbid:
        return []
    wanted = [expectation(call, scenario.tools) for call in accept.forbid]
    hits: list[CallReading] = [
        reading
        for reading in read_calls(trajectory, scenario.tools)
        if any(one.fit(reading, open_=True).level != "mismatch" for one in wanted)
        or any(
            not one.expected.arguments and one.expected.tool == reading.call.tool for one in wanted
        )
    ]
    names = ", ".join(f"{hit.call.tool} at step {hit.step}" for hit in hits[:5])
    return both_modes(
        trajectory,
        NAME,
        passed=not hits,
        reason=f"forbidden: {names}" if hits else "nothing forbidden was done",
        evidence=tuple(evidence_of(hit) for hit in hits[:20]),
    )
