"""What is the rate of these trials, where people labelled a random part of each stratum?

A stratum holds the trials of which a panel said the same. Those that were labelled are known; of
the others only as much as the labelled ones of their stratum tell.
"""

from collections.abc import Callable, Sequence
from math import comb, exp, lgamma
from typing import NamedTuple

from trajaudit.stats.interval import Interval

CELLS = 2000
"""Steps in which the posterior is told apart; one for each trial where there are fewer."""
_NOTHING = 1e-13
"""Probability at which a tail is cut off."""


class Stratum(NamedTuple):
    """Trials of one kind: how many there are, how many of them were labelled, how many passed."""

    size: int
    labelled: int
    passes: int


class Corrected(NamedTuple):
    """A rate with what it rests on."""

    value: float
    interval: Interval
    labelled: int
    size: int


def rate_of_these(strata: Sequence[Stratum], *, confidence: float = 0.95) -> Corrected:
    """θ = Σ_h W_h ȳ_h, W_h the share of stratum h; interval from the posterior of the rest.

    With Jeffreys' prior the passes among the m_h unlabelled trials of a stratum are beta-binomial
    (m_h, k_h + ½, n_h - k_h + ½), independent between strata; the sum is convolved, not drawn.

    Raises:
        ValueError: a stratum that holds trials has no label, or a count is impossible.
    """
    held = _checked(strata, confidence)
    size = sum(one.size for one in held)
    value = sum(one.size * one.passes / one.labelled for one in held) / size
    step = max(1, -(-size // CELLS))
    start, total = sum(one.passes for one in held), _Masses(0, [1.0])
    for one in held:
        total = total.plus(_rest(one, step))
    low, high = ((start + step * one) / size for one in total.quantiles((1 - confidence) / 2))
    labelled = sum(one.labelled for one in held)
    return Corrected(value, Interval(max(low, 0.0), min(high, 1.0)), labelled, size)


def guaranteed_rate(strata: Sequence[Stratum], *, confidence: float = 0.95) -> Corrected:
    """As `rate_of_these`, with limits that hold whatever the trials are: wider by about 1.8.

    Each stratum gets exact hypergeometric limits at α/H; their sums are the limits of the whole
    (Bonferroni).
    """
    held = _checked(strata, confidence)
    size = sum(one.size for one in held)
    alpha = (1 - confidence) / len(held)
    limits = [_hypergeometric(one, alpha / 2) for one in held]
    low, high = (sum(one[side] for one in limits) / size for side in (0, 1))
    value = sum(one.size * one.passes / one.labelled for one in held) / size
    return Corrected(value, Interval(low, high), sum(one.labelled for one in held), size)


def labels_to_halve(strata: Sequence[Stratum], *, confidence: float = 0.95) -> int | None:
    """Return how many further labels would halve the interval of `rate_of_these`, were the strata
    to go on as they began; 0: it has no width, None: not even labels of all would.

    Labels are added in proportion to the trials that are still without one.
    """
    wanted = _width(strata, confidence) / 2
    if wanted == 0:
        return 0
    rest = sum(one.size - one.labelled for one in strata)

    def enough(more: int) -> bool:
        return _width([_with_more(one, more / rest) for one in strata], confidence) <= wanted

    if not rest or not enough(rest):
        return None
    low, high = 0, rest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _with_more(one: Stratum, share: float) -> Stratum:
    labelled = one.labelled + round((one.size - one.labelled) * share)
    passes = round(one.passes / one.labelled * labelled) if one.labelled else 0
    return Stratum(one.size, labelled, min(passes, labelled))


def _width(strata: Sequence[Stratum], confidence: float) -> float:
    low, high = rate_of_these(strata, confidence=confidence).interval
    return high - low


class _Masses(NamedTuple):
    """Probabilities of `first`, `first + 1`, ... steps."""

    first: int
    masses: list[float]

    def plus(self, other: "_Masses") -> "_Masses":
        """Return the distribution of the sum."""
        found = [0.0] * (len(self.masses) + len(other.masses) - 1)
        for place, mass in enumerate(self.masses):
            for beside, further in enumerate(other.masses, place):
                found[beside] += mass * further
        return _Masses(self.first + other.first, found)

    def quantiles(self, tail: float) -> tuple[int, int]:
        """Return the smallest counts at which `tail`, and all but `tail`, is reached."""
        reached, low = 0.0, None
        for place, mass in enumerate(self.masses, self.first):
            reached += mass
            if low is None and reached >= tail:
                low = place
            if reached >= 1 - tail:
                return (place if low is None else low), place
        last = self.first + len(self.masses) - 1
        return (last if low is None else low), last


def _rest(one: Stratum, step: int) -> _Masses:
    """Passes among the trials without a label, in steps."""
    m, a, b = one.size - one.labelled, one.passes + 0.5, one.labelled - one.passes + 0.5
    whole = lgamma(a + b) - lgamma(a) - lgamma(b) + lgamma(m + 1) - lgamma(m + a + b)
    cells = [0.0] * (m // step + 2)
    for u in range(m + 1):
        told = lgamma(u + a) + lgamma(m - u + b) - lgamma(u + 1) - lgamma(m - u + 1)
        cells[round(u / step)] += exp(whole + told)
    first = next(place for place, mass in enumerate(cells) if mass > _NOTHING)
    last = next(place for place in reversed(range(len(cells))) if cells[place] > _NOTHING)
    return _Masses(first, cells[first : last + 1])


def _hypergeometric(one: Stratum, tail: float) -> tuple[int, int]:
    """Return the fewest and the most passes of a stratum that its labels do not speak against."""
    n, k = one.labelled, one.passes
    least, most = k, one.size - (n - k)

    def at_least(total: int) -> float:
        return _share(one, total, range(k, min(n, total) + 1))

    def at_most(total: int) -> float:
        return _share(one, total, range(max(0, n - (one.size - total)), k + 1))

    low = _first(least, most, lambda total: at_least(total) > tail)
    high = _first(least, most, lambda total: at_most(least + most - total) > tail)
    return low, least + most - high


def _share(one: Stratum, total: int, counts: range) -> float:
    """Probability that so many of the labelled trials pass, if `total` of all do."""
    ways = sum(comb(total, j) * comb(one.size - total, one.labelled - j) for j in counts)
    return ways / comb(one.size, one.labelled)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the first count that holds; all after it do."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _checked(strata: Sequence[Stratum], confidence: float) -> list[Stratum]:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    held = [one for one in strata if one.size]
    if not held:
        raise ValueError("there is no trial to estimate the rate of")
    for number, one in enumerate(strata, start=1):
        if not 0 <= one.passes <= one.labelled <= one.size:
            raise ValueError(f"stratum {number}: expected passes <= labelled <= size; got {one}")
        if one.size and not one.labelled:
            raise ValueError(
                f"stratum {number}: none of its {one.size} trials is labelled, so that nothing is "
                "known of them; label some of each stratum"
            )
    return held
