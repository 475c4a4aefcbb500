"""Tasks and trials of path matching, made for measurement: no parts of a run are needed."""

import json
from collections.abc import Sequence
from typing import Any

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Step, ToolCall, Trajectory

Call = tuple[str, Any]
"""A tool and its arguments; text is passed as it is."""


def text_of(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def task_of(
    paths: Sequence[Sequence[Call]],
    tools: Sequence[dict[str, Any]] = (),
    order: str = "any",
    extra_calls: str = "none",
    **flags: bool,
) -> tuple[Scenario, Task]:
    listed = [
        {
            "name": f"path {number}",
            "order": order,
            "calls": [{"tool": name, "arguments": args, **flags} for name, args in path],
        }
        for number, path in enumerate(paths)
    ]
    accept = {"paths": listed, "extra_calls": extra_calls}
    scenario = Scenario.model_validate(
        {
            "trajaudit": 1,
            "tools": list(tools),
            "tasks": [{"id": "t", "prompt": "p", "accept": accept}],
        }
    )
    return scenario, scenario.tasks[0]


def trial_of(calls: Sequence[Call]) -> Trajectory:
    steps = tuple(
        Step(
            number=number,
            message=Message(role="assistant", content=""),
            tool_calls=(ToolCall(call_id="c", tool=name, arguments_text=text_of(arguments)),),
        )
        for number, (name, arguments) in enumerate(calls, start=1)
    )
    return Trajectory(task_id="t", steps=steps)
