"""What is the true rate, where a judge with known errors saw a pool of trials?"""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from trajaudit.stats.interval import Interval

_ROUNDING = 1e-9
LEAST_INFORMATION = 1.05
"""Specificity plus sensitivity; at 1 the judge tells nothing, and just above next to nothing."""


Share = tuple[float, float]
"""Hits and trials; fractions where trials count by weights."""


class Corrected(NamedTuple):
    """The rate behind what a judge said, with both of the judge's error rates."""

    value: float
    interval: Interval
    specificity: float
    sensitivity: float


def rogan_gladen(
    pool: Share,
    on_failures: Share,
    on_passes: Share,
    *,
    confidence: float = 0.95,
    of_pool: bool = False,
) -> Corrected:
    """θ = (p + q0 - 1)/(q0 + q1 - 1), kept within 0 and 1 (Rogan and Gladen 1978).

    Holds only while the judge errs on the pool as it did on the labelled trials.

    Args:
        pool: trials that the judge passed, of all it decided.
        on_failures: labelled failures that it failed (q0), of all labelled failures.
        on_passes: labelled passes that it passed (q1), of all labelled passes.
        confidence: share of intervals that hold the true rate.
        of_pool: the rate of these very trials is asked for, not of others that the pool stands for.

    Raises:
        ValueError: a group is empty or impossible, or the judge is near to guessing
            (q0 + q1 ≤ `LEAST_INFORMATION`).
    """
    _check(pool, on_failures, on_passes, confidence)
    p, q0, q1 = (hits / n for hits, n in (pool, on_failures, on_passes))
    informed = min(q0 + q1, _with_two_more(on_failures) + _with_two_more(on_passes))
    if informed <= LEAST_INFORMATION:
        raise ValueError(
            "a judge near to guessing corrects nothing; got specificity + sensitivity = "
            f"{informed:.3f}; more than {LEAST_INFORMATION} is needed"
        )
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    interval = _interval(pool, on_failures, on_passes, z, of_pool=of_pool)
    return Corrected(_clipped((p + q0 - 1) / (q0 + q1 - 1)), interval, q0, q1)


def _interval(
    pool: Share, on_failures: Share, on_passes: Share, z: float, *, of_pool: bool
) -> Interval:
    """Interval of Lee et al. (2025, arXiv:2511.21140), with ñ = n + z² and m̃ = m + 2.

    p by p̃ = (np + z²/2)/ñ, each q by q̃ = (mq + 1)/m̃, the centre moved by
    2z²(θ·q̃1(1 - q̃1)/m̃1 - (1 - θ)·q̃0(1 - q̃0)/m̃0), and as its half-width
    z·sqrt(v + (1 - θ)²q̃0(1 - q̃0)/m̃0 + θ²q̃1(1 - q̃1)/m̃1)/(q̃0 + q̃1 - 1), v = p̃(1 - p̃)/ñ.
    For the pool itself, whose passes are given and only the judge's errors come by chance,
    v = (θ q̃1(1 - q̃1) + (1 - θ)q̃0(1 - q̃0))/ñ.
    """
    square = z * z
    n = pool[1] + square
    p = (pool[0] + square / 2) / n
    q0, q1 = _with_two_more(on_failures), _with_two_more(on_passes)
    gain = q0 + q1 - 1
    theta = _clipped((p + q0 - 1) / gain)
    spread = p * (1 - p)
    if of_pool:
        spread = theta * q1 * (1 - q1) + (1 - theta) * q0 * (1 - q0)
    of_q0 = q0 * (1 - q0) / (on_failures[1] + 2)
    of_q1 = q1 * (1 - q1) / (on_passes[1] + 2)
    centre = theta + 2 * square * (theta * of_q1 - (1 - theta) * of_q0)
    half = z * sqrt(spread / n + (1 - theta) ** 2 * of_q0 + theta**2 * of_q1) / gain
    return Interval(_clipped(centre - half), _clipped(centre + half))


def _with_two_more(group: Share) -> float:
    """The rate with one hit and one miss added."""
    return (group[0] + 1) / (group[1] + 2)


def _check(pool: Share, on_failures: Share, on_passes: Share, confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    groups = {"pool": pool, "labelled failures": on_failures, "labelled passes": on_passes}
    for name, (hits, n) in groups.items():
        if n < 1 or not 0 <= hits <= n + _ROUNDING:
            raise ValueError(
                f"the {name} need 0 ≤ hits ≤ trials and a trial at least; got {hits!r} of {n!r}"
            )


def _clipped(rate: float) -> float:
    return min(1.0, max(0.0, rate))
