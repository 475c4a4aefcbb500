"""Do two columns of the same trials differ by more than chance, and which of many tests hold?"""

import random
from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from trajaudit.stats.interval import Interval


class Flips(NamedTuple):
    """Pairs in which the two differ, and how likely a split as uneven is where nothing differs."""

    first_only: int
    second_only: int
    p_value: float


class Difference(NamedTuple):
    """Second minus first, as the mean over tasks; -1 ≤ low ≤ high ≤ 1 for pass and fail."""

    value: float
    interval: Interval
    tasks: int


def mcnemar(first: Sequence[bool | None], second: Sequence[bool | None]) -> Flips:
    """Exact two-sided McNemar test of two gradings of the same trials.

    p = min(1, 2·Σ_{j≤min(b, c)} C(b + c, j)/2^(b + c)) over the b + c pairs that differ; 1 where
    none does. Pairs with an ungraded side (None) are left out: not graded is not wrong. For
    independent pairs; several trials of one task are not (`paired_bootstrap` takes those).

    Raises:
        ValueError: the lists differ in length, or no pair is graded on both sides.
    """
    if len(first) != len(second):
        raise ValueError(f"pairs need two equally long lists; got {len(first)} and {len(second)}")
    pairs = [(x, y) for x, y in zip(first, second, strict=True) if None not in (x, y)]
    if not pairs:
        raise ValueError("a comparison needs a pair that is graded on both sides; got none")
    b = sum(bool(x) and not y for x, y in pairs)
    c = sum(bool(y) and not x for x, y in pairs)
    tail = sum(comb(b + c, j) for j in range(min(b, c) + 1)) / 2 ** (b + c)
    return Flips(b, c, min(1.0, 2 * tail))


def paired_bootstrap(
    tasks: Sequence[tuple[float, float]],
    *,
    rng: random.Random,
    confidence: float = 0.95,
    draws: int = 10_000,
) -> Difference:
    """Percentile interval of the mean difference, tasks drawn with replacement (Efron 1979).

    A task is the pair of its rates: the trials of one task are no independent evidence, so whole
    tasks are drawn. With few tasks the interval is too narrow; with one, or where all tasks differ
    alike, there is nothing to draw from.

    Raises:
        ValueError: fewer than two tasks, all differences alike, or confidence outside (0, 1).
    """
    if not 0 < confidence < 1 or draws < 1:
        raise ValueError(
            f"confidence lies between 0 and 1, draws start at 1; got {confidence!r}, {draws!r}"
        )
    differences = [second - first for first, second in tasks]
    if len(set(differences)) < 2:
        raise ValueError(
            f"a bootstrap needs tasks that differ from each other; got {len(tasks)} of one kind"
        )
    n = len(differences)
    means = sorted(sum(rng.choices(differences, k=n)) / n for _ in range(draws))
    tail = int((1 - confidence) / 2 * draws)
    low, high = means[tail], means[draws - 1 - tail]
    return Difference(sum(differences) / n, Interval(low, high), n)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for how many there are, in the order given (Holm 1979).

    The i-th smallest of m becomes max over j ≤ i of min(1, (m - j + 1)·p_j): a test holds at a
    level where its adjusted value is at most the level.

    Raises:
        ValueError: one is outside of 0 to 1.
    """
    if wrong := [p for p in p_values if not 0 <= p <= 1]:
        raise ValueError(f"p-values lie between 0 and 1; got {wrong!r}")
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
