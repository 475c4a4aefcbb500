"""How fast is scoring, and which scorer takes the time? All of them, one trial after the other.

`python -m bench.scoring [TRIALS]`; the trials are made up, of 10, 50 and 200 steps.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory
from trajaudit.score import SCORERS
from trajaudit.score.base import Scorer
from trajaudit.score.driver import score_trial

SIZES = (10, 50, 200)
TEXT = {"type": "string"}
TOOLS = [
    {
        "name": "get_order",
        "effect": "read",
        "parameters": {
            "type": "object",
            "required": ["order_id"],
            "properties": {"order_id": TEXT, "full": {"type": "boolean", "default": False}},
        },
    },
    {
        "name": "refund_order",
        "parameters": {
            "type": "object",
            "required": ["order_id", "amount"],
            "properties": {"order_id": TEXT, "amount": {"type": "number"}},
        },
    },
]


def main() -> int:
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for size in SIZES:
        scenario, task = _task()
        made = [_trial(size, number) for number in range(trials)]
        volume = sum(len(one.model_dump_json()) for one in made) / 1e6
        spent: dict[str, float] = {}
        scorers = {name: _timed(name, scorer, spent) for name, scorer in SCORERS.items()}
        begin = time.thread_time()
        for trajectory in made:
            score_trial(scenario, task, trajectory, scorers)
        total = time.thread_time() - begin
        print(f"{size:4} steps: {trials / total:8.1f} trajectories/s  {volume / total:6.2f} MB/s")
        for name, seconds in sorted(spent.items(), key=lambda item: -item[1]):
            print(f"      {seconds / total:6.1%}  {seconds / trials * 1e3:8.2f} ms  {name}")
        rest = total - sum(spent.values())
        print(f"      {rest / total:6.1%}  {rest / trials * 1e3:8.2f} ms  findings and outcome")
    return 0


def _timed(name: str, scorer: Scorer, spent: dict[str, float]) -> Callable[..., Any]:
    def timed(scenario: Scenario, task: Task, trajectory: Trajectory, /) -> Any:
        begin = time.thread_time()
        try:
            return scorer(scenario, task, trajectory)
        finally:
            spent[name] = spent.get(name, 0.0) + time.thread_time() - begin

    return timed


def _task() -> tuple[Scenario, Task]:
    refund = {"refund_order": {"order_id": "A-17", "amount": {"approx": 42.5}}}
    path = {"name": "look, then refund", "calls": [{"get_order": {"order_id": "A-17"}}, refund]}
    task = {
        "id": "t",
        "prompt": "Order A-17 never came. How much do I get back?",
        "target": {"number": 42.5},
        "accept": {"paths": [path], "extra_calls": "read_only"},
    }
    scenario = Scenario.model_validate({"trajaudit": 1, "tools": TOOLS, "tasks": [task]})
    return scenario, scenario.tasks[0]


def _trial(size: int, number: int) -> Trajectory:
    """Look at many orders, refund one in the last step but one; every third trial writes a text."""
    amount: object = "42.50" if number % 3 == 0 else 42.5
    steps = []
    for step in range(1, size + 1):
        tool = "get_order"
        arguments: dict[str, object] = {"order_id": f"A-{16 + step}"}
        if step == size:
            tool, arguments = "refund_order", {"order_id": "A-17", "amount": amount}
        said = f"I looked at {step} orders so far; now I {tool.replace('_', ' ')} next. " * 3
        reply = json.dumps({"id": f"A-{16 + step}", "status": "lost", "items": ["lamp"] * 20})
        call = ToolCall(call_id=f"{step}", tool=tool, arguments_text=json.dumps(arguments))
        seen = Observation(call_id=f"{step}", tool=tool, content=reply)
        message = Message(role="assistant", content=said)
        steps.append(Step(number=step, message=message, tool_calls=(call,), observations=(seen,)))
    final = "The refund is done. You get 42.50 back."
    return Trajectory(task_id="t", trial=number + 1, steps=tuple(steps), final_reply=final)


if __name__ == "__main__":
    sys.exit(main())
