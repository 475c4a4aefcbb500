"""A small shop whose refunds the tests grade, and trajectories in it."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory

Call = tuple[str, Any]

ORDER: dict[str, Any] = {"type": "string"}
TOOLS: list[dict[str, Any]] = [
    {
        "name": "get_order",
        "effect": "read",
        "parameters": {
            "type": "object",
            "required": ["order_id"],
            "properties": {"order_id": ORDER},
        },
    },
    {
        "name": "refund_order",
        "parameters": {
            "type": "object",
            "required": ["order_id", "amount"],
            "properties": {
                "order_id": ORDER,
                "amount": {"type": "number"},
                "notify": {"type": "boolean", "default": True},
            },
            "additionalProperties": False,
        },
    },
    {"name": "escalate", "parameters": {"type": "object", "properties": {"reason": ORDER}}},
    {"name": "delete_order"},
]
PATHS: list[dict[str, Any]] = [
    {
        "name": "look up, then refund",
        "calls": [
            {"get_order": {"order_id": "A-17"}},
            {"refund_order": {"order_id": "A-17", "amount": 42.5}},
        ],
        "before": [["get_order", "refund_order"]],
    },
    {"name": "through a person", "calls": [{"escalate": {"reason": {"any": True}}}]},
]
LOST: JsonValue = {"orders": {"A-17": {"status": "lost"}}}
REFUNDED: JsonValue = {"orders": {"A-17": {"status": "refunded", "refund": 42.5}}}
LOOK: Call = ("get_order", {"order_id": "A-17"})
REFUND: Call = ("refund_order", {"order_id": "A-17", "amount": 42.5})


def shop(accept: dict[str, Any], **fields: object) -> tuple[Scenario, Task]:
    """Return a scenario of one task that accepts what is given."""
    scenario = Scenario.model_validate(
        {
            "trajaudit": 1,
            "tools": TOOLS,
            "world": LOST,
            "tasks": [{"id": "t", "prompt": "Refund A-17.", "accept": accept, **fields}],
        }
    )
    return scenario, scenario.tasks[0]


def trial(
    *steps: Call | Sequence[Call],
    end: JsonValue = LOST,
    errors: dict[int, str] | None = None,
) -> Trajectory:
    """Return a trajectory; a list is one step of parallel calls, a text argument is raw text."""
    made = []
    for number, step in enumerate(steps, start=1):
        calls = [step] if isinstance(step, tuple) else list(step)
        error = (errors or {}).get(number)
        made.append(
            Step(
                number=number,
                message=Message(role="assistant", content=""),
                tool_calls=tuple(_call(f"{number}.{n}", call) for n, call in enumerate(calls)),
                observations=tuple(
                    Observation(
                        call_id=f"{number}.{n}",
                        tool=call[0],
                        content=error or "ok",
                        is_error=error is not None,
                    )
                    for n, call in enumerate(calls)
                ),
            )
        )
    return Trajectory(task_id="t", steps=tuple(made), world_start=LOST, world_end=end)


def _call(call_id: str, call: Call) -> ToolCall:
    tool, arguments = call
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(call_id=call_id, tool=tool, arguments_text=text)
