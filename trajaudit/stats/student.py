"""Quantiles of Student's t distribution for whole degrees of freedom."""

from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist

_MANY = 400
"""From here on the expansion in 1/degrees is exact to nine digits."""


def student_quantile(probability: float, *, degrees: int) -> float:
    """The t that a share `probability` of the distribution lies below.

    Exact finite series (Abramowitz and Stegun 26.7.3, 26.7.4) inverted by bisection; with many
    degrees the expansion 26.7.5 around the normal quantile.

    Raises:
        ValueError: `probability` is not in [0.5, 1), or `degrees` is below 1.
    """
    if not 0.5 <= probability < 1:
        raise ValueError(f"probability lies in [0.5, 1); got {probability!r}")
    if degrees < 1:
        raise ValueError(f"degrees of freedom start at 1; got {degrees!r}")
    if degrees >= _MANY:
        return _expansion(NormalDist().inv_cdf(probability), degrees)
    low, high = 0.0, 1.0
    while _below(high, degrees) < probability:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        if _below(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _below(t: float, degrees: int) -> float:
    """P(T ≤ t) for t ≥ 0."""
    angle = atan(t / sqrt(degrees))
    odd = degrees % 2
    square = cos(angle) ** 2
    term = cos(angle) if odd else 1.0
    total = term if degrees > 1 else 0.0
    for index in range(2 + odd, degrees - 1, 2):
        term *= square * (index - 1) / index
        total += term
    inside = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return 0.5 + inside / 2


def _expansion(z: float, degrees: int) -> float:
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
