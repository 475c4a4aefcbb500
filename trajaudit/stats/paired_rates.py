"""How far do two rates of the same items lie apart?"""

from collections.abc import Sequence
from math import comb, sqrt
from typing import NamedTuple

from trajaudit.stats.interval import Interval, wilson


class RateDifference(NamedTuple):
    """First rate minus second, -1 ≤ low ≤ high ≤ 1, and how likely as much is by chance alone."""

    value: float
    interval: Interval
    first_only: int
    second_only: int
    n: int
    p_value: float
    """One-sided exact McNemar test: that the first is no higher."""


def newcombe(pairs: Sequence[tuple[bool, bool]], *, confidence: float = 0.95) -> RateDifference:
    """Interval of the difference of two paired rates (Newcombe 1998, method 10).

    Wilson's limits of both rates, squared and added with the correlation φ of the pairs, whose
    numerator is moved towards 0 by n/2 where it is positive:

        low  = d - sqrt((p1 - l1)² - 2φ(p1 - l1)(u2 - p2) + (u2 - p2)²)
        high = d + sqrt((u1 - p1)² - 2φ(u1 - p1)(p2 - l2) + (p2 - l2)²)

    Never of zero width. For independent items.

    Raises:
        ValueError: there is no pair, or confidence lies outside of (0, 1).
    """
    if not pairs:
        raise ValueError("a difference needs a pair; got none")
    n = len(pairs)
    both = sum(a and b for a, b in pairs)
    first = sum(a and not b for a, b in pairs)
    second = sum(b and not a for a, b in pairs)
    one = wilson(both + first, n, confidence=confidence)
    two = wilson(both + second, n, confidence=confidence)
    p1, p2 = (both + first) / n, (both + second) / n
    phi = _moved(both, first, second, n - both - first - second)
    down, up = (p1 - one.low, two.high - p2), (one.high - p1, p2 - two.low)
    value = p1 - p2
    interval = Interval(max(-1.0, value - _joined(*down, phi)), min(1.0, value + _joined(*up, phi)))
    tail = sum(comb(first + second, k) for k in range(first, first + second + 1))
    return RateDifference(value, interval, first, second, n, tail / 2 ** (first + second))


def phi(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """φ of two yes-or-no columns of the same items; None where one of them never varies."""
    both = sum(a and b for a, b in pairs)
    first = sum(a and not b for a, b in pairs)
    second = sum(b and not a for a, b in pairs)
    neither = len(pairs) - both - first - second
    scale = _scale(both, first, second, neither)
    return (both * neither - first * second) / scale if scale else None


def _moved(both: int, first: int, second: int, neither: int) -> float:
    scale = _scale(both, first, second, neither)
    if not scale:
        return 0.0
    top: float = both * neither - first * second
    if top > 0:
        top = max(0.0, top - (both + first + second + neither) / 2)
    return top / scale


def _scale(both: int, first: int, second: int, neither: int) -> float:
    return sqrt((both + first) * (second + neither) * (both + second) * (first + neither))


def _joined(one: float, other: float, phi: float) -> float:
    return sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))
