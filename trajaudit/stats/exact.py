"""Which shares can so many hits still come from? Exact, where a guarantee is wanted.

Clopper and Pearson (1934): the lower bound is the share at which that many hits or more would come
with a probability of 1 - confidence. It is never too high, whatever the share is.
"""

from collections.abc import Callable
from math import comb

_HALVINGS = 60


def lower_bound(hits: int, n: int, *, confidence: float = 0.95) -> float:
    """One-sided lower bound of a share: (1 - confidence)^(1/n) where all are hits.

    Raises:
        ValueError: `n` is not positive, `hits` lies outside of 0 to `n`, or confidence outside of
            (0, 1).
    """
    _check(hits, n, confidence)
    if hits == 0:
        return 0.0
    return _root(lambda share: _at_least(hits, n, share), 1 - confidence)


def _at_least(hits: int, n: int, share: float) -> float:
    """P(X ≥ hits) of a binomial variable."""
    return sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(hits, n + 1))


def _root(rising: Callable[[float], float], wanted: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle
    return low


def _check(hits: int, n: int, confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"a share needs 0 ≤ hits ≤ n and n ≥ 1; got hits={hits!r}, n={n!r}")
