"""Limits that may be looked at after every label."""

import random
from fractions import Fraction
from math import comb

import pytest

from trajaudit.stats.stratified import Stratum, rate_of_these
from trajaudit.stats.watched import watched_rate


def test_no_error_in_sixty_of_very_many() -> None:
    # As without a limit to the trials: {p: B(1/2, 60.5)/B(1/2, 1/2)/(1 - p)^60 < 20}
    found = watched_rate([Stratum(10**7, 60, 0)]).interval
    other = watched_rate([Stratum(10**7, 60, 60)]).interval

    assert found == pytest.approx((0, 0.0894), abs=1e-4)
    assert other == pytest.approx((1 - 0.0894, 1), abs=1e-4)


def _ratio(size: int, n: int, passes: int, total: int) -> Fraction:
    """Chance of the labels under a beta mixture over that under `total` passes, exactly."""
    mixture = Fraction(1)
    for index in range(n):
        # The next of a Polya urn that begins with half a pass and half a failure.
        of = index if index < passes else index - passes
        mixture *= (Fraction(1, 2) + of) / (index + 1)
    told = Fraction(comb(total, passes) * comb(size - total, n - passes), comb(size, n))
    return mixture / (told / comb(n, passes)) if told else Fraction(10**9)


@pytest.mark.parametrize(
    ("size", "n", "passes"), [(30, 10, 3), (30, 25, 24), (12, 1, 1), (9, 9, 4)]
)
def test_the_limits_are_those_of_counting(size: int, n: int, passes: int) -> None:
    inside = [total for total in range(size + 1) if _ratio(size, n, passes, total) < 20]
    low, high = watched_rate([Stratum(size, n, passes)]).interval

    assert (round(low * size), round(high * size)) == (min(inside), max(inside))


def test_it_rarely_misses_however_often_one_looks_and_a_fixed_interval_does() -> None:
    rng = random.Random(2)
    size, looks, runs = 400, range(20, 301, 4), 150
    missed = {"watched": 0, "fixed": 0}
    for _ in range(runs):
        pool = [rng.random() < 0.1 for _ in range(size)]
        truth = sum(pool) / size
        out = {"watched": False, "fixed": False}
        for n in looks:
            one = Stratum(size, n, sum(pool[:n]))
            for name, found in (("watched", watched_rate([one])), ("fixed", rate_of_these([one]))):
                low, high = found.interval
                out[name] |= not low - 1e-9 <= truth <= high + 1e-9
        for name, is_out in out.items():
            missed[name] += is_out

    assert missed["watched"] / runs <= 0.05
    assert missed["fixed"] / runs > 0.15


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
        ([], "no trial"),
        ([Stratum(4, 5, 1)], "passes <= labelled <= size"),
        ([Stratum(4, 0, 0)], "none of its 4 trials is labelled"),
    ],
)
def test_what_has_no_limits_is_refused(pool: list[Stratum], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        watched_rate(pool)
