"""Limits that hold at every moment, for whoever labels until the rate is known well enough.

An interval for a fixed number of labels misses in a third of all cases when it is looked at after
each label; these do not.
"""

from collections.abc import Callable, Sequence
from math import lgamma, log, log1p
from typing import NamedTuple

from trajaudit.stats.interval import Interval
from trajaudit.stats.stratified import Stratum

_STEPS = 60
"""Halvings: more than a float can tell apart."""


class Watched(NamedTuple):
    """A rate, with limits that may be looked at as often as one likes."""

    value: float
    interval: Interval


def watched_rate(strata: Sequence[Stratum], *, confidence: float = 0.95) -> Watched:
    """Sum of the limits of each stratum at α/H.

    Of a stratum: {p: B(½ + S, ½ + t - S)/(B(½, ½) p^S (1 - p)^(t - S)) < H/α}, S passes of t
    labels: the beta mixture that by Ville's inequality reaches H/α with a chance of at most α/H.
    Of labelled trials the label counts, and limits only of the rest.

    Raises:
        ValueError: a stratum that holds trials has no label, or a count is impossible.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    held = [one for one in strata if one.size]
    if not held or any(not 0 <= one.passes <= one.labelled <= one.size for one in held):
        raise ValueError(f"expected strata with passes <= labelled <= size; got {list(strata)}")
    if any(not one.labelled for one in held):
        raise ValueError("a stratum without any label has no limits; label some of each")
    size = sum(one.size for one in held)
    bound = log(len(held) / (1 - confidence))
    limits = [bernoulli_limits(one.passes, one.labelled, bound) for one in held]
    rests = [one.size - one.labelled for one in held]
    known = sum(one.passes for one in held)
    low = known + sum(rest * one.low for rest, one in zip(rests, limits, strict=True))
    high = known + sum(rest * one.high for rest, one in zip(rests, limits, strict=True))
    value = sum(one.size * one.passes / one.labelled for one in held) / size
    return Watched(value, Interval(low / size, high / size))


def bernoulli_limits(passes: int, n: int, bound: float) -> Interval:
    """Return all p whose mixture ratio stays below exp(`bound`), after `n` draws."""
    mixture = lgamma(passes + 0.5) + lgamma(n - passes + 0.5) - lgamma(n + 1) - 2 * lgamma(0.5)
    best = passes / n

    def outside(p: float) -> bool:
        if (p <= 0 and passes) or (p >= 1 and passes < n):
            return True
        told = (passes * log(p) if passes else 0.0) + (
            (n - passes) * log1p(-p) if passes < n else 0
        )
        return mixture - told >= bound

    return Interval(_edge(best, 0.0, outside), _edge(best, 1.0, outside))


def _edge(inside: float, end: float, outside: Callable[[float], bool]) -> float:
    if not outside(end):
        return end
    for _ in range(_STEPS):
        middle = (inside + end) / 2
        inside, end = (inside, middle) if outside(middle) else (middle, end)
    return end
