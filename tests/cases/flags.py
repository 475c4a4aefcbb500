"""Adapter of the operation `trajectory_flags`."""

from typing import Any

from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Step, ToolCall, Trajectory
from trajaudit.score.integrity import integrity


def trajectory_flags(given: dict[str, Any], expected: dict[str, Any]) -> Outcome:
    """Run each command in a step of its own; the flags have to be exactly those expected."""
    metadata = {
        "base_commit": given.get("base_commit"),
        "protected_paths": given.get("protected_paths") or [],
    }
    task = Task(id="case", prompt=given.get("prompt") or "(none)", metadata=metadata)
    steps = tuple(_step(number, text) for number, text in enumerate(given["commands"], start=1))
    trajectory = Trajectory(task_id="case", steps=steps)
    verdicts = integrity(Scenario(trajaudit=1, tasks=(task,)), task, trajectory)
    flags = verdicts[0].detail["flags"] if verdicts else []
    found = sorted(str(flag) for flag in flags) if isinstance(flags, list) else []
    wanted = sorted(expected["flags"])
    return Outcome(
        ", ".join(found) or "none",
        accepted=found == wanted or found in [sorted(one) for one in expected.get("accept", [])],
        credited=not found,
        credit_allowed=not wanted,
        shown={"reason": verdicts[0].reason if verdicts else ""},
    )


def _step(number: int, command: str) -> Step:
    call = ToolCall(
        call_id=f"c{number}", tool="bash", arguments_text="", arguments={"command": command}
    )
    return Step(number=number, message=Message(role="assistant", content=""), tool_calls=(call,))


ADAPTERS: dict[str, Adapter] = {"trajectory_flags": trajectory_flags}
