"""The beta distribution: shares below a point, and the point below which a share lies."""

from math import exp, lgamma, log, log1p

_STEPS = 10_000
_TINY = 1e-300
_NEAR = 1e-16
_HALVINGS = 100


def beta_below(x: float, a: float, b: float) -> float:
    """Return I_x(a, b), the share of a beta distribution below x.

    Continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions, evaluated by
    Lentz's method as changed by Thompson and Barnett (1986).

    Raises:
        ValueError: a parameter is not positive, or x lies outside of 0 to 1.
    """
    if not 0 <= x <= 1 or a <= 0 or b <= 0:
        raise ValueError(f"expected 0 ≤ x ≤ 1 and positive parameters; got {x!r}, {a!r}, {b!r}")
    if x in (0, 1):
        return float(x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    # The fraction converges fast on the nearer side of the mean.
    if x < (a + 1) / (a + b + 2):
        return front / (a * _fraction(x, a, b))
    return 1 - front / (b * _fraction(1 - x, b, a))


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = `share`, by bisection.

    Raises:
        ValueError: a parameter is not positive, or the share lies outside of 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share lies between 0 and 1; got {share!r}")
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if beta_below(middle, a, b) < share else (low, middle)
    return (low + high) / 2


def _fraction(x: float, a: float, b: float) -> float:
    """1 + d1/(1 + d2/(1 + ...)) with the coefficients of 8.17.22."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, _STEPS):
        m = step // 2
        if step % 2:
            told = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            told = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / ((1 + told * d) or _TINY)
        c = (1 + told / c) or _TINY
        value *= c * d
        if abs(c * d - 1) < _NEAR:
            break
    return value
