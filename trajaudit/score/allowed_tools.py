"""Were only allowed tools used? Those that the task allows, and offers."""

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.accepted_paths import accept_of
from trajaudit.score.call_reading import read_calls
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.unknown_tools import BUILT_IN
from trajaudit.score.verdict_pair import both_modes

NAME = "allowed_tools"


def allowed_tools(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Fail in both modes if a known tool was called that the task does not allow."""
    accept = accept_of(scenario, task)
    allowed = accept.allowed_tools if accept is not None else None
    if allowed is None and task.tools is None:
        return []
    known = {tool.name for tool in scenario.tools}
    permitted = (known if allowed is None else set(allowed)) | BUILT_IN
    if task.tools is not None:
        permitted &= {*task.tools, *(allowed or ()), *BUILT_IN}
    hits = [
        reading
        for reading in read_calls(trajectory, scenario.tools)
        if (name := reading.named.name or reading.call.tool) not in permitted
        and (name in known or reading.happened)
    ]
    names = ", ".join(f"{hit.call.tool} at step {hit.step}" for hit in hits[:5])
    return both_modes(
        trajectory,
        NAME,
        passed=not hits,
        reason=f"not allowed: {names}" if hits else "only allowed tools were used",
        evidence=tuple(evidence_of(hit) for hit in hits[:20]),
    )
