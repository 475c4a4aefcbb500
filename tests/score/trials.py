"""Short ways to write trajectories."""

from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory


def call(tool: str, call_id: str = "c", **arguments: JsonValue) -> ToolCall:
    return ToolCall(call_id=call_id, tool=tool, arguments_text=str(arguments), arguments=arguments)


def step(
    number: int,
    said: str = "",
    *calls: ToolCall,
    saw: Sequence[str] = (),
    error: bool = False,
    told: str = "",
    **fields: Any,
) -> Step:
    """One step; `saw` are the replies of its calls, `told` what the user said before it."""
    seen = tuple(
        Observation(call_id=one.call_id, tool=one.tool, content=text, is_error=error)
        for one, text in zip(calls, saw, strict=False)
    )
    before = (Message(role="user", content=told, source="user"),) if told else ()
    return Step(
        number=number,
        before=before,
        message=Message(role="assistant", content=said),
        tool_calls=calls,
        observations=seen,
        **fields,
    )


def trial(*steps: Step, **fields: Any) -> Trajectory:
    """A trial whose final reply is its last message, unless something else is said."""
    if steps and "final_reply" not in fields:
        fields |= {"final_reply": steps[-1].message.content, "final_step": steps[-1].number}
    return Trajectory(task_id="t", steps=steps, **fields)


def task_of(prompt: str = "Do it.", **fields: Any) -> tuple[Scenario, Task]:
    """A task, and a scenario that holds only that."""
    scenario_fields = {
        name: fields.pop(name) for name in ("tools", "world", "answer_format") if name in fields
    }
    task = Task.model_validate({"id": "t", "prompt": prompt, **fields})
    scenario = Scenario.model_validate({"trajaudit": 1, "tasks": [task], **scenario_fields})
    return scenario, task
