"""Path matching against agentevals 0.0.9, side by side in one run, and where it is wrong.

    python -m bench.path_matching [ROUNDS]

Promise: at least 10 times as fast at 9, 50 and 200 calls, right on every counter-example, and 1,000
calls against 50 paths in less than a second, the first trial of a task included. Exit code 4: a
promise is broken; 3: agentevals is neither installed nor to be had (it is put into build/bench,
never into this environment).

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

from bench.path_heavy import heavy, moment
from bench.path_trials import Call, task_of, text_of, trial_of
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.accepted_paths import accepted_paths, compare_paths

PROMISE = 10.0
SIZES = (9, 50, 200)
CALLS = 4000
"""Calls in all trials of one measurement."""
PEER = "agentevals==0.0.9"
Decide = Callable[[Any], bool]


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    peer = _peer()
    if peer is None:
        print(f"{PEER} is neither installed nor to be had; nothing was measured")
        return 3
    kept = [_compare(peer, size, mode, rounds) for size in SIZES for mode in MODES]
    kept.append(_counter_examples(peer))
    kept += [moment(name, calls, paths) for name, calls, paths in heavy()]
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
    task = task_of([wanted], **accept)
    theirs = _theirs(peer, mode, wanted)
    ratios: dict[str, list[float]] = {"matching": [], "scoring": []}
    for _ in range(rounds):
        trials = [_written(made(wanted, rng), rng) for _ in range(CALLS // size)]
        again = [_written(made(wanted, rng), rng) for _ in range(CALLS // size)]
        peer_s = _seconds(theirs, [_messages(calls) for calls in trials])
        ratios["matching"].append(peer_s / _seconds(_matching(task), list(map(trial_of, trials))))
        ratios["scoring"].append(peer_s / _seconds(_scoring(task), list(map(trial_of, again))))
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
    made = [{"function": {"name": name, "arguments": text_of(args)}} for name, args in calls]
    return [{"role": "assistant", "content": "", "tool_calls": made}]


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
    ours = _scoring(task_of([reference], [FIND, LIST], extra_arguments=extra_arguments))(
        trial_of(made)
    )
    print(f"{what} (right: {wanted})")
    for name, found in (("agentevals", said), ("trajaudit", ours)):
        print(f"    {name:10} {found!s:16} {'right' if found is wanted else 'wrong'}")
    return ours is wanted


if __name__ == "__main__":
    sys.exit(main())
