"""Path matching against agentevals 0.0.9, side by side in one run, and where it is wrong.

    python bench/path_matching.py [ROUNDS]

Promise: at least 10 times as fast at 9, 50 and 200 calls, right on every counter-example, and 1,000
calls against 50 paths in less than a second, once the paths are laid out. Exit code 4: a promise is
broken; 3: agentevals is neither installed nor to be had (it is put into build/bench, never into
this environment).

Both get what they naturally take: agentevals two lists of messages, trajaudit a task and the
trajectory of a trial; arguments are JSON text, which both parse every time. No two trials are
written alike, so neither knows a text from the trial before. `matching` is the decision alone;
`scoring` is the whole scorer: strict and lenient verdict with reason, evidence and figures. Times
are processor times, so that other programs on the machine do not count.
"""

import importlib
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Message, Step, ToolCall, Trajectory
from trajaudit.score.accepted_paths import accepted_paths, compare_paths

PROMISE = 10.0
MOMENT_S = 1.0
SIZES = (9, 50, 200)
CALLS = 4000
"""Calls in all trials of one measurement."""
PEER = "agentevals==0.0.9"
Call = tuple[str, Any]
"""A tool and its arguments; text is passed as it is."""
Decide = Callable[[Any], bool]


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    peer = _peer()
    if peer is None:
        print(f"{PEER} is neither installed nor to be had; nothing was measured")
        return 3
    kept = [_compare(peer, size, mode, rounds) for size in SIZES for mode in MODES]
    kept.append(_counter_examples(peer))
    kept += [_moment(name, calls, paths) for name, calls, paths in _heavy()]
    print("all promises are kept" if all(kept) else "a promise is broken")
    return 0 if all(kept) else 4


def _peer() -> Any:
    """Import agentevals, from a folder of its own where it is not installed."""
    folder = Path(__file__).resolve().parents[1] / "build" / "bench" / PEER.replace("==", "-")
    sys.path.append(str(folder))
    try:
        return importlib.import_module("agentevals.trajectory.match")
    except ImportError:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), PEER]
        if subprocess.run(command, check=False).returncode:
            return None
    importlib.invalidate_caches()
    return importlib.import_module("agentevals.trajectory.match")


MORE: Call = ("tool0", {"id": -1, "text": "one more"})
MODES: dict[str, tuple[Callable[[list[Call], random.Random], list[Call]], dict[str, Any]]] = {
    "unordered": (lambda calls, rng: rng.sample(calls, len(calls)), {"extra_calls": "none"}),
    "strict": (lambda calls, _rng: calls, {"extra_calls": "none", "order": "listed"}),
    "superset": (
        lambda calls, rng: rng.sample([*calls, MORE], len(calls) + 1),
        {"extra_calls": "any"},
    ),
    "subset": (
        lambda calls, rng: rng.sample(calls, len(calls) - 1),
        {"extra_calls": "none", "optional": True},
    ),
}


def _compare(peer: Any, size: int, mode: str, rounds: int) -> bool:
    made, accept = MODES[mode]
    rng = random.Random(size)
    wanted: list[Call] = [(f"tool{n % 7}", {"id": n, "text": f"item {n}"}) for n in range(size)]
    task = _task([wanted], **accept)
    theirs = _theirs(peer, mode, wanted)
    ratios: dict[str, list[float]] = {"matching": [], "scoring": []}
    for _ in range(rounds):
        trials = [_written(made(wanted, rng), rng) for _ in range(CALLS // size)]
        again = [_written(made(wanted, rng), rng) for _ in range(CALLS // size)]
        peer_s = _seconds(theirs, [_messages(calls) for calls in trials])
        ratios["matching"].append(peer_s / _seconds(_matching(task), list(map(_trial, trials))))
        ratios["scoring"].append(peer_s / _seconds(_scoring(task), list(map(_trial, again))))
    middle = {name: statistics.median(found) for name, found in ratios.items()}
    figures = "   ".join(f"{name} {ratio:5.1f} times" for name, ratio in middle.items())
    print(f"{size:4} calls  {mode:9}  {figures}   as fast as agentevals (promise {PROMISE:.0f})")
    return middle["matching"] >= PROMISE


def _seconds(decide: Decide, trials: list[Any]) -> float:
    """Decide each trial once; all of them fit. The first one warms up what is kept of a task."""
    first, *rest = trials
    right = [decide(first)]
    begin = time.thread_time()
    right += [decide(trial) for trial in rest]
    spent = time.thread_time() - begin
    if not all(right):
        raise AssertionError("a trial that fits was not accepted")
    return spent


def _theirs(peer: Any, mode: str, wanted: Sequence[Call], arguments: str = "exact") -> Decide:
    evaluate = peer.create_trajectory_match_evaluator(
        trajectory_match_mode=mode, tool_args_match_mode=arguments
    )
    reference = _messages(wanted)
    return lambda outputs: bool(evaluate(outputs=outputs, reference_outputs=reference)["score"])


def _matching(found: tuple[Scenario, Task]) -> Decide:
    scenario, task = found

    def decide(trajectory: Trajectory) -> bool:
        compared = compare_paths(scenario, task, trajectory)
        return compared is not None and compared.strict.passed is True

    return decide


def _scoring(found: tuple[Scenario, Task]) -> Decide:
    scenario, task = found
    return lambda trajectory: accepted_paths(scenario, task, trajectory)[1].passed is True


def _written(calls: Sequence[Call], rng: random.Random) -> list[Call]:
    """Write the arguments as JSON with blanks of their own, so that no text is met twice."""
    return [
        (name, json.dumps({**arguments})[:-1] + " " * rng.randrange(9) + f"{_blanks(rng)}}}")
        for name, arguments in calls
    ]


def _blanks(rng: random.Random) -> str:
    return "".join(rng.choices(" \t\n", k=12))


def _messages(calls: Sequence[Call]) -> list[dict[str, Any]]:
    made = [{"function": {"name": name, "arguments": _text(args)}} for name, args in calls]
    return [{"role": "assistant", "content": "", "tool_calls": made}]


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _task(
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


def _trial(calls: Sequence[Call]) -> Trajectory:
    steps = tuple(
        Step(
            number=number,
            message=Message(role="assistant", content=""),
            tool_calls=(ToolCall(call_id="c", tool=name, arguments_text=_text(arguments)),),
        )
        for number, (name, arguments) in enumerate(calls, start=1)
    )
    return Trajectory(task_id="t", steps=steps)


FIND = {
    "name": "find",
    "parameters": {
        "type": "object",
        "required": ["n"],
        "properties": {"n": {"type": "integer"}, "limit": {"type": "integer", "default": 10}},
    },
}
LIST = {"name": "list", "parameters": {"type": "object", "properties": {}}}


def _counter_examples(peer: Any) -> bool:
    pair: list[Call] = [("find", {"n": 1}), ("find", {"n": 1, "limit": 2})]
    one: list[Call] = [("find", {"n": 1})]
    kept = [
        _example(peer, "a comma after the last argument", one, [("find", '{"n": 1,}')]),
        _example(
            peer, "no text at all where no argument is needed", [("list", {})], [("list", "")]
        ),
        _example(peer, "more arguments than asked for", pair, pair[::-1], extra_arguments=True),
        _example(
            peer,
            "the same, the reference written backwards",
            pair[::-1],
            pair,
            extra_arguments=True,
        ),
        _example(peer, 'a number as text: "1"', one, [("find", {"n": "1"})]),
        _example(
            peer, "the default of an argument filled in", one, [("find", {"n": 1, "limit": 10})]
        ),
        _example(peer, "true where 1 is meant", one, [("find", {"n": True})], wanted=False),
        _example(peer, "another value than the default", one, [pair[1]], wanted=False),
    ]
    return all(kept)


def _example(
    peer: Any,
    what: str,
    reference: list[Call],
    made: list[Call],
    *,
    wanted: bool = True,
    extra_arguments: bool = False,
) -> bool:
    arguments = "superset" if extra_arguments else "exact"
    try:
        said: object = _theirs(peer, "unordered", reference, arguments)(_messages(made))
    except ValueError as error:
        said = type(error).__name__
    ours = _scoring(_task([reference], [FIND, LIST], extra_arguments=extra_arguments))(_trial(made))
    print(f"{what} (right: {wanted})")
    for name, found in (("agentevals", said), ("trajaudit", ours)):
        print(f"    {name:10} {found!s:16} {'right' if found is wanted else 'wrong'}")
    return ours is wanted


def _heavy() -> list[tuple[str, list[Call], tuple[Scenario, Task]]]:
    rng = random.Random(1)
    many: list[Call] = [(f"tool{n % 7}", {"id": n % 211, "text": f"item {n}"}) for n in range(1000)]
    near = [
        [("tool0", {"id": n, "text": f"Item {n}"}) for n in range(p, p + 20)] for p in range(50)
    ]
    some = [rng.sample(many, 30) for _ in range(50)]
    wide = [
        [("tool0", {"id": {"any": True}, "text": f"item {p + n}"}) for n in range(30)]
        for p in range(50)
    ]
    whole = [[*many[p:], *many[:p]] for p in range(49)]
    one: list[Call] = [("tool0", {"id": n, "text": f"item {n}"}) for n in range(1000)]
    other: list[Call] = [("tool0", {"id": n, "text": f"thing {n}"}) for n in range(1000)]
    return [
        ("1,000 calls, 50 paths of 30 of them", many, _task(some, extra_calls="any")),
        ("1,000 calls, 50 paths of 20 others", many, _task(near)),
        ("1,000 calls, 50 paths of all of them but one", many[1:], _task([*whole, many[::-1]])),
        ("1,000 calls of one tool, 50 paths of 30 wide calls", one, _task(wide)),
        ("1,000 calls of one tool, all with other arguments", one, _task([other])),
        ("1,000 equal calls, 50 paths", [one[0]] * 1000, _task([[one[0]] * 200, *near[1:]])),
    ]


def _moment(name: str, calls: list[Call], found: tuple[Scenario, Task]) -> bool:
    scenario, task = found
    spent = []
    for _ in range(4):
        trajectory = _trial(calls)
        begin = time.thread_time()
        accepted_paths(scenario, task, trajectory)
        spent.append(time.thread_time() - begin)
    first, further = spent[0], min(spent[1:])
    print(
        f"{name}: {further:.2f} s (promise {MOMENT_S:.0f}); the first trial of a task {first:.2f} s"
    )
    return further < MOMENT_S


if __name__ == "__main__":
    sys.exit(main())
