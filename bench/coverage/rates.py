"""Coverage of the intervals of rates."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from bench.coverage import methods
from bench.coverage.made import TRUE_RATE, Made, World, chances, made
from bench.coverage.row import Hits, Kind, Row
from trajaudit.stats.interval import Interval

LARGE = World("1,500 trials of 300 tasks, 150 labels", tasks=300, labels=150)
SMALL = World("400 trials of 80 tasks, 120 labels", tasks=80, labels=120)
RARE = replace(
    SMALL,
    name="400 of 80, 1.5 % unanimous errors, 120 labels",
    false_pass=0.032,
    false_fail=0.032,
    rare=True,
)
FEWER = replace(
    RARE,
    name="400 of 80, 3 % unanimous errors, 120 labels",
    false_pass=0.06,
    false_fail=0.06,
    rare=False,
)
KINDS = World(
    "600 of 120, failures of 20 kinds, 5 labels each",
    tasks=120,
    labels=100,
    false_pass=0.032,
    false_fail=0.005,
    floor=5,
    kinds=20,
    rare=True,
)
FEW = World("100 trials of 20 tasks, 60 labels", tasks=20, labels=60, floor=10)
SINGLE = replace(RARE, name="400 tasks of one trial, 1.5 % unanimous errors", tasks=400, trials=1)

Pair = Callable[[Made, np.random.Generator], Interval]


def of_these(world: World, reps: int, seed: int) -> Iterator[Row]:
    """Intervals of the share of passes among the very trials."""
    listed: dict[tuple[str, Kind], Pair] = {
        ("these trials", "ours"): lambda one, _: methods.these(one),
        ("these trials, soft scores", "ours"): lambda one, _: methods.these_soft(one),
        ("these trials, guaranteed", "guaranteed"): lambda one, _: methods.guaranteed(one),
        ("watched, looked at once", "guaranteed"): lambda one, _: methods.watched(one),
        ("judges' majority, Wilson", "naive"): lambda one, _: methods.majority_alone(one),
        ("disagreements fixed, Wilson", "naive"): lambda one, _: methods.disagreements_fixed(one),
        ("labels alone, Wilson", "naive"): lambda one, _: methods.labels_alone(one),
        ("stratified, Wald", "naive"): lambda one, _: methods.wald(one),
        ("stratified, posteriors summed", "naive"): methods.posteriors_summed,
    }
    rng = np.random.default_rng(seed)
    hits = {name: Hits() for name in listed}
    for _ in range(reps):
        pool = made(world, rng)
        truth = float(pool.truth.mean())
        for key, method in listed.items():
            hits[key].add(method(pool, rng), truth)
    for (name, kind), counted in hits.items():
        yield counted.row(name, world.name, kind, rare=world.rare)


def of_new_tasks(world: World, reps: int, seed: int) -> Iterator[Row]:
    """Intervals of the rate of new tasks like these."""
    listed: dict[tuple[str, Kind], methods.Method] = {
        ("new tasks", "ours"): methods.new_tasks,
        ("new tasks, soft scores", "ours"): methods.new_tasks_soft,
        ("new tasks: all labelled, Wilson", "naive"): methods.all_labelled,
        ("new tasks: disagreements fixed, Wilson", "naive"): methods.disagreements_fixed,
    }
    rng = np.random.default_rng(seed)
    hits = {name: Hits() for name in listed}
    for _ in range(reps):
        pool = made(world, rng)
        for key, method in listed.items():
            hits[key].add(method(pool), TRUE_RATE)
    for (name, kind), counted in hits.items():
        yield counted.row(name, world.name, kind, rare=world.rare)


def of_differences(world: World, reps: int, seed: int) -> Iterator[Row]:
    """Intervals of how far two runs lie apart, on new tasks; and of a pool by old labels."""
    rng = np.random.default_rng(seed)
    apart, apart_alike, old = Hits(), Hits(), Hits()
    gold_world = replace(world, tasks=40, trials=5)
    for _ in range(reps):
        by_task, ranks = chances(world, rng), rng.random(world.tasks * world.trials)
        one = made(world, rng, by_task, ranks)
        other = made(world, rng, 0.9 * by_task, ranks)
        apart.add(methods.difference(one, other), 0.1 * TRUE_RATE)
        alike = made(world, rng, by_task, ranks)
        apart_alike.add(methods.difference(one, alike), 0.0)
        old.add(methods.old_gold(one, made(gold_world, rng)), float(one.truth.mean()))
    yield apart.row("A against B", world.name, "ours")
    yield apart_alike.row("A against B, no difference", world.name, "ours")
    yield old.row("old gold (200 labels elsewhere)", world.name, "ours")
