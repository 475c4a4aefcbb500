"""Exact bounds are those of the tables, and hold at least as often as they say."""

import math
from importlib import import_module

import pytest

from trajaudit.stats.exact import exact_interval, lower_bound, upper_bound


@pytest.mark.parametrize("n", [1, 14, 59, 400])
def test_all_hits_have_a_closed_form(n: int) -> None:
    assert lower_bound(n, n) == pytest.approx(0.05 ** (1 / n), abs=1e-12)


def test_no_hit_bounds_nothing() -> None:
    assert lower_bound(0, 30) == 0.0


@pytest.mark.parametrize(
    ("hits", "n", "bound"),
    # Lower limits of two-sided 95 % intervals: 81 of 263 as printed by Newcombe (1998), 5 and
    # 10 of 10 from tables of the binomial distribution.
    [(81, 263, 0.2527), (5, 10, 0.1871), (10, 10, 0.6915)],
)
def test_published_limits(hits: int, n: int, bound: float) -> None:
    assert lower_bound(hits, n, confidence=0.975) == pytest.approx(bound, abs=5e-5)


@pytest.mark.parametrize("share", [0.5, 0.8, 0.9])
def test_the_bound_is_too_high_at_most_as_often_as_allowed(share: float) -> None:
    n = 40
    too_high = sum(
        math.comb(n, k) * share**k * (1 - share) ** (n - k)
        for k in range(n + 1)
        if lower_bound(k, n) > share
    )

    assert 0 < too_high <= 0.05


@pytest.mark.parametrize(("hits", "n"), [(1, 0), (-1, 3), (4, 3)])
def test_impossible_counts_are_refused(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="0 ≤ hits ≤ n"):
        lower_bound(hits, n)
    with pytest.raises(ValueError, match="confidence lies between"):
        lower_bound(1, 2, confidence=1.0)


@pytest.mark.parametrize(("hits", "n"), [(0, 7), (3, 7), (7, 7), (81, 263), (4100, 5000)])
def test_both_limits_are_those_of_statsmodels(hits: int, n: int) -> None:
    proportion = import_module("statsmodels.stats.proportion")
    low, high = proportion.proportion_confint(hits, n, method="beta")

    assert exact_interval(hits, n) == pytest.approx((low, high), abs=1e-9)


def test_misses_bound_hits_from_above() -> None:
    assert upper_bound(3, 40) == 1 - lower_bound(37, 40)
    assert upper_bound(40, 40) == 1
    # The rule of three: no error in 59 leaves 5 %.
    assert upper_bound(0, 59) == pytest.approx(0.05, abs=5e-4)


def test_a_hundred_thousand_trials_are_bounded_too() -> None:
    assert lower_bound(50_000, 100_000) == pytest.approx(
        0.5 - 1.6449 * 0.5 / 100_000**0.5, abs=2e-5
    )
