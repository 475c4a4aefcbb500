"""What is the rate of these trials, where people labelled a random part of each stratum?

A stratum holds the trials of which a panel said the same. Those that were labelled are known; of
the others only as much as the labelled ones of their stratum tell.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp, fsum, lgamma, sqrt
from typing import NamedTuple

from trajaudit.stats.interval import Interval

_NOTHING = 1e-13
"""Probability at which a tail is cut off."""


LEAST_ALIKE = 5
"""Fewer labels say too easily the same."""


class Stratum(NamedTuple):
    """Trials of one kind: how many there are, how many of them were labelled, how many passed."""

    size: int
    labelled: int
    passes: int

    @property
    def total(self) -> float:
        """Passes of all its trials, were the others like the labelled ones."""
        return self.size * self.passes / self.labelled


class Part(NamedTuple):
    """Passes of one stratum, and their limits."""

    total: float
    low: float
    high: float


class Corrected(NamedTuple):
    """A rate with what it rests on."""

    value: float
    interval: Interval
    labelled: int
    size: int


def rate_of_these(strata: Sequence[Stratum], *, confidence: float = 0.95) -> Corrected:
    """θ = Σ_h W_h ȳ_h, W_h the share of stratum h.

    Of each stratum there are limits l_h and u_h of its passes (`jeffreys_parts`); their distances
    from the estimate add up as independent errors do (Zou and Donner 2008):

        low  = (Σ t_h - sqrt(Σ (t_h - l_h)²))/N,  high alike;  t_h = N_h k_h/n_h

    So the interval stays around the estimate. Adding up the posteriors themselves does not: each
    prior draws towards one half, and with many small strata that comes to more than the width.

    Raises:
        ValueError: a stratum that holds trials has no label, or a count is impossible.
    """
    held = checked_strata(strata, confidence)
    size = sum(one.size for one in held)
    parts = jeffreys_parts(held, confidence=confidence)
    value = sum(one.total for one in parts) / size
    return Corrected(value, combined(parts, size), sum(one.labelled for one in held), size)


def jeffreys_parts(strata: Sequence[Stratum], *, confidence: float = 0.95) -> list[Part]:
    """Return the passes of strata with limits from the posterior of their unlabelled trials.

    With Jeffreys' prior the passes among the m unlabelled of a stratum are beta-binomial (m, k + ½,
    n - k + ½). The distances of its quantiles from the estimate are stretched by the spread of
    Student's t with n + 1 degrees, sqrt((n + 1)/(n - 1)): few labels show less spread than there
    is. They end where labels do.

    Strata of at least `LEAST_ALIKE` labels that all fail are one part, and so are those that all
    pass: k is 0 of (Σ N_h)²/Σ (N_h²/n_h) labels, as many as of one stratum would tell as much
    (Kish 1965). By themselves each would be given errors that most of them cannot have.
    """
    alike: dict[bool, list[Stratum]] = {False: [], True: []}
    parts: list[Part] = []
    for one in strata:
        if LEAST_ALIKE <= one.labelled < one.size and one.passes in (0, one.labelled):
            alike[one.passes > 0].append(one)
        else:
            parts.append(_part(one, confidence))
    for passed, group in alike.items():
        if len(group) > 1:
            parts.append(_of_alike(group, passed, confidence))
        else:
            parts += [_part(one, confidence) for one in group]
    return parts


def _part(one: Stratum, confidence: float) -> Part:
    rest = one.size - one.labelled
    if not rest:
        return Part(one.passes, one.passes, one.passes)
    fewest, most = _beta_binomial(
        rest, one.passes + 0.5, one.labelled - one.passes + 0.5, (1 - confidence) / 2
    )
    total, stretch = one.total, sqrt((one.labelled + 1) / max(one.labelled - 1, 2 / 3))
    low = total - stretch * max(0.0, total - (one.passes + fewest))
    high = total + stretch * max(0.0, one.passes + most - total)
    return Part(total, max(low, one.passes), min(high, one.passes + rest))


def _of_alike(group: Sequence[Stratum], passed: bool, confidence: float) -> Part:
    """Return the passes of strata whose labels all say the same."""
    size = sum(one.size for one in group)
    rest = size - sum(one.labelled for one in group)
    labels = size**2 / sum(one.size**2 / one.labelled for one in group)
    _, most = _beta_binomial(rest, 0.5, labels + 0.5, (1 - confidence) / 2)
    return Part(size, size - most, size) if passed else Part(0, 0, most)


def combined(parts: Iterable[Part], size: int) -> Interval:
    """Return the limits of the share of passes of all strata together, of `size` trials."""
    held = list(parts)
    total = sum(one.total for one in held)
    down = sqrt(sum((one.total - one.low) ** 2 for one in held))
    up = sqrt(sum((one.high - one.total) ** 2 for one in held))
    least, most = sum(one.low for one in held), sum(one.high for one in held)
    return Interval(max(total - down, least, 0.0) / size, min(total + up, most, size) / size)


def guaranteed_rate(strata: Sequence[Stratum], *, confidence: float = 0.95) -> Corrected:
    """As `rate_of_these`, with limits that hold whatever the trials are: wider by about 1.8.

    Each stratum gets exact hypergeometric limits at α/H; their sums are the limits of the whole
    (Bonferroni).
    """
    held = checked_strata(strata, confidence)
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


@lru_cache(maxsize=4096)
def _beta_binomial(m: int, a: float, b: float, tail: float) -> tuple[int, int]:
    """Return the smallest counts of `m` at which `tail`, and all but `tail`, is reached.

    Masses from near the mean outwards, each from its neighbour.
    """
    start = min(m, round(m * a / (a + b)))
    told = lgamma(a + b) - lgamma(a) - lgamma(b) + lgamma(m + 1) - lgamma(m + a + b)
    told += lgamma(start + a) + lgamma(m - start + b)
    middle = exp(told - lgamma(start + 1) - lgamma(m - start + 1))
    down, up = [middle], [middle]
    for u in range(start, 0, -1):
        down.append(down[-1] * u * (m - u + b) / ((m - u + 1) * (u - 1 + a)))
        if down[-1] < _NOTHING:
            break
    for u in range(start, m):
        up.append(up[-1] * (m - u) * (u + a) / ((u + 1) * (m - u - 1 + b)))
        if up[-1] < _NOTHING:
            break
    masses = [*reversed(down[1:]), *up]
    first, wanted = start - len(down) + 1, sum(masses) * tail
    return first + _reached(masses, wanted), first + len(masses) - 1 - _reached(
        masses[::-1], wanted
    )


def _reached(masses: Iterable[float], wanted: float) -> int:
    """Return the place at which so much has come together."""
    return next(place for place, sum_ in enumerate(accumulate(masses)) if sum_ >= wanted)


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
    whole = _log_ways(one.size, one.labelled)
    return fsum(
        exp(_log_ways(total, j) + _log_ways(one.size - total, one.labelled - j) - whole)
        for j in counts
    )


def _log_ways(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the first count that holds; all after it do."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def checked_strata(strata: Sequence[Stratum], confidence: float) -> list[Stratum]:
    """Return the strata that hold trials; errors as for `rate_of_these`."""
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
