"""Did the agent recover from a tool that failed? The same thing was done later, and it worked."""

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.call_reading import CallReading, read_calls, tools_of
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.verdict_pair import both_modes

NAME = "recovery"


def recovery(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Look at every failed call of a tool that exists: did that tool work for the agent later?

    Nothing is said where no call failed. Another way to the goal is not seen here, so this explains
    an outcome and never decides one.
    """
    readings = read_calls(trajectory, tools_of(scenario, task))
    failed = [r for r in readings if r.error is not None and (r.named.name or not scenario.tools)]
    if not failed:
        return []
    lost = [one for one in failed if not _worked_later(one, readings)]
    names = "; ".join(f"{one.call.tool} at step {one.step}: {one.error}"[:160] for one in lost[:3])
    return both_modes(
        trajectory,
        NAME,
        passed=not lost,
        reason=f"never recovered: {names}" if lost else f"recovered from {len(failed)} failures",
        evidence=tuple(evidence_of(one) for one in lost[:20]),
    )


def _worked_later(failed: CallReading, readings: list[CallReading]) -> bool:
    return any(
        later.happened and later.repeats[0] == failed.repeats[0]
        for later in readings
        if later.step > failed.step
    )
