"""Limits that may be looked at after every label."""

import random
from math import log

import pytest

from trajaudit.stats.stratified import Stratum, rate_of_these
from trajaudit.stats.watched import bernoulli_limits, watched_rate


def test_no_error_in_sixty() -> None:
    assert bernoulli_limits(0, 60, log(20)) == pytest.approx((0, 0.0894), abs=1e-3)
    assert bernoulli_limits(60, 60, log(20)) == pytest.approx((1 - 0.0894, 1), abs=1e-3)


def test_a_limit_is_where_the_ratio_reaches_its_bound() -> None:
    from math import exp, lgamma

    low, high = bernoulli_limits(13, 40, log(20))
    for p in (low, high):
        mixture = lgamma(13.5) + lgamma(27.5) - lgamma(41) - 2 * lgamma(0.5)
        assert exp(mixture) / (p**13 * (1 - p) ** 27) == pytest.approx(20)
    assert low < 13 / 40 < high


def test_it_rarely_misses_however_often_one_looks_and_a_fixed_interval_does() -> None:
    rng = random.Random(2)
    p, looks, runs = 0.1, range(20, 301, 4), 150
    missed = {"watched": 0, "fixed": 0}
    bound = log(20)
    for _ in range(runs):
        hits = [rng.random() < p for _ in range(max(looks))]
        out = {"watched": False, "fixed": False}
        for n in looks:
            passes = sum(hits[:n])
            limits = bernoulli_limits(passes, n, bound)
            out["watched"] |= not limits.low <= p <= limits.high
            half = 1.96 * ((passes / n) * (1 - passes / n) / n) ** 0.5
            out["fixed"] |= not passes / n - half <= p <= passes / n + half
        for name, is_out in out.items():
            missed[name] += is_out

    assert missed["watched"] / runs <= 0.05
    assert missed["fixed"] / runs > 0.2


def test_it_is_wider_than_an_interval_for_a_fixed_number() -> None:
    pool = [Stratum(900, 80, 76), Stratum(450, 40, 2)]

    watched, fixed = watched_rate(pool), rate_of_these(pool)

    assert watched.value == fixed.value
    assert watched.interval.low < fixed.interval.low
    assert watched.interval.high > fixed.interval.high


def test_labels_of_all_leave_no_doubt() -> None:
    assert watched_rate([Stratum(10, 10, 4)]).interval == (0.4, 0.4)


@pytest.mark.parametrize(
    ("pool", "message"),
    [
        ([], "expected strata"),
        ([Stratum(4, 5, 1)], "expected strata"),
        ([Stratum(4, 0, 0)], "without any label"),
    ],
)
def test_what_has_no_limits_is_refused(pool: list[Stratum], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        watched_rate(pool)
