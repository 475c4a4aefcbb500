"""How far may a rate lie from what was seen?

Two intervals: `wilson` for independent trials of one thing, `clustered` for trials of several
tasks. Trials of one task resemble each other, so the number of trials is not the sample size.
"""

from collections.abc import Sequence
from math import inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

from trajaudit.stats.student import student_quantile


class Interval(NamedTuple):
    """Both limits of a rate, 0 ≤ low ≤ high ≤ 1."""

    low: float
    high: float


class Tally(NamedTuple):
    """Trials of one task: how many passed, of how many graded."""

    passes: int
    graded: int


def wilson(passes: float, n: float, *, confidence: float = 0.95) -> Interval:
    """Score interval of a proportion (Wilson 1927); never of zero width.

    `n` may be fractional: an effective sample size.

    Raises:
        ValueError: `n` is not positive, or `passes` is not between 0 and `n`.
    """
    _check_confidence(confidence)
    if not 0 < n < inf or not 0 <= passes <= n:
        raise ValueError(
            f"a proportion needs 0 ≤ passes ≤ n and n > 0; got passes={passes!r}, n={n!r}"
        )
    return _score_interval(passes / n, n, NormalDist().inv_cdf((1 + confidence) / 2))


def clustered(tasks: Sequence[Tally], *, confidence: float = 0.95) -> Interval:
    """Interval of the mean over tasks of each task's pass rate, for new tasks like these.

    Wilson's interval on an effective sample size (Korn and Graubard 1998; recommended for
    clustered surveys by Dean and Pagano 2015), with one passing and one failing task added
    where the variance between tasks is estimated (after Agresti and Coull 1998):

        x_t = passes_t / graded_t for t = 1…T;  p = mean of x_t
        q, v = mean and variance (divisor T + 1) of the T + 2 values x_1, …, x_T, 0, 1
        n_eff = min(N, q(1 - q) / (v / (T + 2)));  N = number of graded trials + 2
        half-widths by Wilson's formula at p with n = n_eff and Student's t of T + 1 degrees

    The two added tasks keep the width above zero where all tasks agree, and let a handful of
    tasks give a wide interval instead of none. Raises like `wilson`; an empty sequence is refused.
    """
    _check_confidence(confidence)
    rates = task_rates(tasks)
    widened = [*rates, 0.0, 1.0]
    count = len(widened)
    centre = sum(widened) / count
    variance = sum((rate - centre) ** 2 for rate in widened) / (count - 1)
    trials = sum(task.graded for task in tasks) + 2
    effective = min(trials, centre * (1 - centre) * count / variance)
    t = student_quantile((1 + confidence) / 2, degrees=count - 1)
    return _score_interval(sum(rates) / len(rates), effective, t)


def task_rates(tasks: Sequence[Tally]) -> list[float]:
    """Pass rate of each task.

    Raises:
        ValueError: there is no task, or one has no graded trial.
    """
    if not tasks:
        raise ValueError("a rate needs at least one task; got none")
    for passes, graded in tasks:
        if graded < 1 or not 0 <= passes <= graded:
            raise ValueError(
                "a task needs 0 ≤ passes ≤ graded and graded ≥ 1; "
                f"got passes={passes!r}, graded={graded!r}"
            )
    return [passes / graded for passes, graded in tasks]


def _score_interval(rate: float, n: float, quantile: float) -> Interval:
    square = quantile * quantile
    centre = (rate + square / (2 * n)) / (1 + square / n)
    half = quantile * sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    # At 0 and 1 the limit is exact; rounding must not leave the rate outside.
    low = 0.0 if rate == 0 else max(0.0, centre - half)
    high = 1.0 if rate == 1 else min(1.0, centre + half)
    return Interval(low, high)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
