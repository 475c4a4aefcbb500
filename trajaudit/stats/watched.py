"""Limits that hold at every moment, for whoever labels until the rate is known well enough.

An interval for a fixed number of labels misses in a third of all cases when it is looked at after
each label; these do not.
"""

from collections.abc import Callable, Sequence
from math import lgamma, log, pi
from typing import NamedTuple

from trajaudit.stats.interval import Interval
from trajaudit.stats.stratified import Stratum, checked_strata


class Watched(NamedTuple):
    """A rate, with limits that may be looked at as often as one likes."""

    value: float
    interval: Interval


def watched_rate(strata: Sequence[Stratum], *, confidence: float = 0.95) -> Watched:
    """Sum of the limits of each stratum at α/H.

    Of a stratum of N trials, S passes of t labels drawn without replacement, the limits are those
    of {K: B(½ + S, ½ + F)/B(½, ½) / (K)_S (N - K)_F/(N)_t < H/α}, F = t - S and (K)_S a falling
    factorial: the chance of these labels under a beta mixture against that under K passes, which
    by Ville's inequality reaches H/α with a chance of at most α/H (Waudby-Smith and Ramdas 2020,
    arXiv:2006.04347). Labels of all leave one K.

    Raises:
        ValueError: a stratum that holds trials has no label, or a count is impossible.
    """
    held = checked_strata(strata, confidence)
    size = sum(one.size for one in held)
    bound = log(len(held) / (1 - confidence))
    limits = [_limits(one, bound) for one in held]
    value = sum(one.total for one in held) / size
    low, high = (sum(one[side] for one in limits) / size for side in (0, 1))
    return Watched(value, Interval(low, high))


def _limits(one: Stratum, bound: float) -> tuple[int, int]:
    """Return the fewest and the most passes whose ratio stays below exp(`bound`)."""
    passes, fails = one.passes, one.labelled - one.passes
    mixture = lgamma(passes + 0.5) + lgamma(fails + 0.5) - lgamma(one.labelled + 1) - log(pi)

    def outside(total: int) -> bool:
        told = _falling(total, passes) + _falling(one.size - total, fails)
        return mixture - told + _falling(one.size, one.labelled) >= bound

    best = min(max(round(one.total), passes), one.size - fails)
    return _edge(best, passes, outside), _edge(best, one.size - fails, outside)


def _falling(n: int, k: int) -> float:
    """Logarithm of n(n - 1)...(n - k + 1)."""
    return lgamma(n + 1) - lgamma(n - k + 1)


def _edge(inside: int, end: int, outside: Callable[[int], bool]) -> int:
    """Return the count farthest from `inside` towards `end` that is not outside."""
    if not outside(end):
        return end
    while abs(end - inside) > 1:
        middle = (inside + end) // 2
        inside, end = (inside, middle) if outside(middle) else (middle, end)
    return inside
