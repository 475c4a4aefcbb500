"""Path matching against agentevals 0.0.9, in one run, and where it is wrong.

Promise: at least 10 times as fast at 9, 50 and 200 calls, and right on the counter-examples.
agentevals is no dependency; give it an environment of its own:

    python -m venv bench-env && bench-env/bin/pip install agentevals==0.0.9 -e .
    bench-env/bin/python bench/path_matching.py [ROUNDS]
"""

import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from trajaudit.datamodel.scenario import Scenario
from trajaudit.datamodel.trajectory import Message, Step, ToolCall, Trajectory
from trajaudit.score.accepted_paths import accepted_paths

PROMISE = 10.0
SIZES = (9, 50, 200)
Call = tuple[str, dict[str, Any]]


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    try:
        match = importlib.import_module("agentevals.trajectory.match")
    except ImportError:
        print("agentevals is not installed here; see the first lines of this file")
        return 3
    kept = [_compare(match, size, rounds) >= PROMISE for size in SIZES]
    _counter_examples(match)
    return 0 if all(kept) else 4


def _compare(match: Any, size: int, rounds: int) -> float:
    wanted = [(f"tool{n % 7}", {"id": n, "text": f"item {n}"}) for n in range(size)]
    made = wanted[::-1]
    theirs = _theirs(match, wanted, made, "unordered", "exact")
    ours = _ours(wanted, made)
    ratios = [_seconds(theirs) / _seconds(ours) for _ in range(rounds)]
    ratio = statistics.median(ratios)
    print(f"{size:4} calls: {ratio:6.1f} times as fast as agentevals (promise {PROMISE:.0f})")
    return ratio


def _theirs(
    match: Any, wanted: Sequence[Call], made: Sequence[Call], mode: str, arguments: str
) -> Callable[[], bool]:
    evaluate = match.create_trajectory_match_evaluator(
        trajectory_match_mode=mode, tool_args_match_mode=arguments
    )
    outputs, reference = _messages(made), _messages(wanted)
    return lambda: bool(evaluate(outputs=outputs, reference_outputs=reference)["score"])


def _messages(calls: Sequence[Call]) -> list[dict[str, Any]]:
    made = [
        {"function": {"name": name, "arguments": json.dumps(arguments)}}
        for name, arguments in calls
    ]
    return [{"role": "assistant", "content": "", "tool_calls": made}]


def _ours(wanted: Sequence[Call], made: Sequence[Call], **flags: bool) -> Callable[[], bool]:
    calls = [{"tool": name, "arguments": arguments, **flags} for name, arguments in wanted]
    accept = {"paths": [{"name": "path", "calls": calls}], "extra_calls": "none"}
    scenario = Scenario.model_validate(
        {"trajaudit": 1, "tasks": [{"id": "t", "prompt": "p", "accept": accept}]}
    )
    steps = tuple(
        Step(
            number=number,
            message=Message(role="assistant", content=""),
            tool_calls=(ToolCall(call_id="c", tool=name, arguments_text=json.dumps(arguments)),),
        )
        for number, (name, arguments) in enumerate(made, start=1)
    )
    trajectory = Trajectory(task_id="t", steps=steps)
    task = scenario.tasks[0]
    return lambda: accepted_paths(scenario, task, trajectory)[1].passed is True


def _seconds(run: Callable[[], bool]) -> float:
    run()
    begin = time.perf_counter()
    count = 0
    while time.perf_counter() - begin < 0.2:
        run()
        count += 1
    return (time.perf_counter() - begin) / count


def _counter_examples(match: Any) -> None:
    reference: list[Call] = [("search", {"q": "a"}), ("search", {"q": "a", "page": 2})]
    swapped = reference[::-1]
    print("the two calls of the reference, made in the other order (right: True)")
    print("  agentevals", _theirs(match, reference, swapped, "unordered", "superset")())
    print("  trajaudit ", _ours(reference, swapped, extra_arguments=True)())
    print("a number written 1.0 for 1 (right: True, by name)")
    print("  agentevals", _theirs(match, [_get(1.0)], [_get(1)], "unordered", "exact")())
    print("  trajaudit ", _ours([_get(1.0)], [_get(1)])())
    print("a trailing comma in the arguments (right: no crash)")
    broken = _messages([_get(1)])
    broken[0]["tool_calls"][0]["function"]["arguments"] = '{"n": 1,}'
    evaluate = match.create_trajectory_match_evaluator(trajectory_match_mode="unordered")
    try:
        said = evaluate(outputs=broken, reference_outputs=_messages([_get(1)]))["score"]
    except ValueError as error:
        said = type(error).__name__
    print("  agentevals", said)


def _get(number: float) -> Call:
    return ("get", {"n": number})


if __name__ == "__main__":
    sys.exit(main())
