"""Which shares can so many hits still come from? Exact, where a guarantee is wanted.

Clopper and Pearson (1934): the lower bound is the share at which that many hits or more would come
with a probability of 1 - confidence. It is never too high, whatever the share is.
"""

from trajaudit.stats.beta import beta_quantile
from trajaudit.stats.interval import Interval


def lower_bound(hits: int, n: int, *, confidence: float = 0.95) -> float:
    """One-sided lower bound of a share: (1 - confidence)^(1/n) where all are hits.

    P(X ≥ k) of a binomial variable is I_p(k, n - k + 1), so the bound is a quantile of a beta
    distribution.

    Raises:
        ValueError: `n` is not positive, `hits` lies outside of 0 to `n`, or confidence outside of
            (0, 1).
    """
    _check(hits, n, confidence)
    if hits == 0:
        return 0.0
    return beta_quantile(1 - confidence, hits, n - hits + 1)


def upper_bound(hits: int, n: int, *, confidence: float = 0.95) -> float:
    """One-sided upper bound of a share. Raises like `lower_bound`."""
    return 1 - lower_bound(n - hits, n, confidence=confidence)


def exact_interval(hits: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Two-sided interval of a share. Raises like `lower_bound`."""
    each = (1 + confidence) / 2
    return Interval(lower_bound(hits, n, confidence=each), upper_bound(hits, n, confidence=each))


def _check(hits: int, n: int, confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"a share needs 0 ≤ hits ≤ n and n ≥ 1; got hits={hits!r}, n={n!r}")
