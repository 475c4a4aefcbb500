"""The heaviest cases of path matching: 1,000 calls against 50 paths, in less than a second."""

import gc
import random
import time

from bench.path_trials import Call, task_of, trial_of
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.score.accepted_paths import accepted_paths

MOMENT_S = 1.0


def heavy() -> list[tuple[str, list[Call], tuple[Scenario, Task]]]:
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
        ("1,000 calls, 50 paths of 30 of them", many, task_of(some, extra_calls="any")),
        ("1,000 calls, 50 paths of 20 others", many, task_of(near)),
        ("1,000 calls, 50 paths of all of them but one", many[1:], task_of([*whole, many[::-1]])),
        ("1,000 calls of one tool, 50 paths of 30 wide calls", one, task_of(wide)),
        ("1,000 calls of one tool, all with other arguments", one, task_of([other])),
        ("1,000 equal calls, 50 paths", [one[0]] * 1000, task_of([[one[0]] * 200, *near[1:]])),
    ]


def moment(name: str, calls: list[Call], found: tuple[Scenario, Task]) -> bool:
    scenario, task = found
    spent = []
    for _ in range(4):
        trajectory = trial_of(calls)
        gc.collect()  # what was built so far is not part of a trial
        begin = time.thread_time()
        accepted_paths(scenario, task, trajectory)
        spent.append(time.thread_time() - begin)
    first, further = spent[0], min(spent[1:])
    print(
        f"{name}: {further:.2f} s (promise {MOMENT_S:.0f}); the first trial of a task {first:.2f} s"
    )
    return max(first, further) < MOMENT_S
