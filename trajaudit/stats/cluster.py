"""Means and slopes over observations of several tasks, with intervals for new tasks like these.

Observations of one task resemble each other; the variance is that between sums of whole tasks
(Liang and Zeger 1986), with Student's t of as many degrees of freedom as there are tasks less one.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from trajaudit.stats.student import student_quantile


class Estimate(NamedTuple):
    """A number, its interval, and what it rests on."""

    value: float
    low: float | None
    """Both limits are None where fewer than two tasks tell something."""
    high: float | None
    n: int
    tasks: int


def clustered_mean(
    by_task: Mapping[str, Sequence[float]], *, confidence: float = 0.95
) -> Estimate | None:
    """Return the mean of all observations; None where there is none.

    SE² = T/(T - 1) · n⁻² · Σ_t (Σ_{i in t} (x_i - x̄))²
    """
    groups = [list(values) for values in by_task.values() if values]
    n = sum(map(len, groups))
    if not n:
        return None
    mean = sum(map(sum, groups)) / n
    sums = [sum(value - mean for value in group) for group in groups]
    return _with_interval(mean, sums, n, n, confidence)


def within_slope(
    by_task: Mapping[str, Sequence[tuple[float, float]]], *, confidence: float = 0.95
) -> Estimate | None:
    """Return how much y grows with x among observations of one task, each (x, y).

    Both are taken less their means in the task, so that tasks may differ in either as they like.
    b = Σ x y / Σ x²; SE² = T/(T - 1) · (Σ x²)⁻² · Σ_t (Σ_{i in t} x_i e_i)², e the residuals. Tasks
    whose x are all the same tell nothing and are left out; None where no task is left.
    """
    groups = [_centred(pairs) for pairs in by_task.values()]
    groups = [pairs for pairs in groups if any(x for x, _ in pairs)]
    spread = sum(x * x for pairs in groups for x, _ in pairs)
    if not groups or spread <= 0:
        return None
    slope = sum(x * y for pairs in groups for x, y in pairs) / spread
    sums = [sum(x * (y - slope * x) for x, y in pairs) for pairs in groups]
    return _with_interval(slope, sums, spread, sum(map(len, groups)), confidence)


def _centred(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    if not pairs:
        return []
    x_mean = sum(x for x, _ in pairs) / len(pairs)
    y_mean = sum(y for _, y in pairs) / len(pairs)
    if all(x == pairs[0][0] for x, _ in pairs):
        return [(0.0, y - y_mean) for _, y in pairs]
    return [(x - x_mean, y - y_mean) for x, y in pairs]


def _with_interval(
    value: float, sums: Sequence[float], scale: float, n: int, confidence: float
) -> Estimate:
    tasks = len(sums)
    if tasks < 2:
        return Estimate(value, None, None, n, tasks)
    variance = tasks / (tasks - 1) * sum(one * one for one in sums) / scale**2
    half = student_quantile((1 + confidence) / 2, degrees=tasks - 1) * sqrt(variance)
    return Estimate(value, value - half, value + half, n, tasks)
