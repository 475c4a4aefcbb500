"""The rate of a pool of which people labelled a part of each stratum."""

import time
from importlib import import_module
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajaudit.stats.stratified import (
    Stratum,
    guaranteed_rate,
    jeffreys_parts,
    labels_to_halve,
    rate_of_these,
)

POOL = [Stratum(900, 80, 76), Stratum(450, 40, 2), Stratum(150, 30, 14)]

strata = st.lists(
    st.integers(1, 40).flatmap(
        lambda size: st.integers(1, size).flatmap(
            lambda n: st.builds(Stratum, st.just(size), st.just(n), st.integers(0, n))
        )
    ),
    min_size=1,
    max_size=4,
)


def test_by_hand() -> None:
    found = rate_of_these([Stratum(10, 5, 4), Stratum(30, 3, 0)])

    assert found.value == pytest.approx(0.25 * 0.8)
    assert (found.labelled, found.size) == (8, 40)


def test_limits_of_one_stratum_are_those_of_scipy_stretched() -> None:
    stats = import_module("scipy.stats")
    posterior = stats.betabinom(820, 76.5, 4.5)
    fewest, most = posterior.ppf(0.025), posterior.ppf(0.975)
    total, stretch = 900 * 76 / 80, (81 / 79) ** 0.5

    low, high = rate_of_these([Stratum(900, 80, 76)]).interval

    assert low * 900 == pytest.approx(total - stretch * (total - 76 - fewest))
    assert high * 900 == pytest.approx(total + stretch * (76 + most - total))


def test_distances_of_strata_add_up_as_squares() -> None:
    whole = rate_of_these(POOL)
    parts = [rate_of_these([one]) for one in POOL]
    down = sum((one.size * (one.value - one.interval.low)) ** 2 for one in parts) ** 0.5
    up = sum((one.size * (one.interval.high - one.value)) ** 2 for one in parts) ** 0.5

    assert whole.interval.low == pytest.approx(whole.value - down / 1500)
    assert whole.interval.high == pytest.approx(whole.value + up / 1500)


def test_a_large_pool_has_the_interval_of_independent_draws() -> None:
    n, passes = 400, 240

    low, high = rate_of_these([Stratum(10**6, n, passes)]).interval

    half = 1.96 * (0.6 * 0.4 / n) ** 0.5
    assert (low, high) == pytest.approx((0.6 - half, 0.6 + half), abs=0.002)


def test_many_small_strata_that_agree_are_one() -> None:
    kinds = [Stratum(25, 5, 0)] * 12

    (part,) = jeffreys_parts(kinds)
    (alone,) = jeffreys_parts(kinds[:1])

    # As of one stratum with all of the labels, for the sizes are alike.
    assert (part.total, part.low) == (0, 0)
    assert part.high == import_module("scipy.stats").betabinom(240, 0.5, 60.5).ppf(0.975)
    assert alone.high > 25 * 0.3
    # Labels that pass are no part of it, nor is a stratum of which four labels agree.
    others = [Stratum(25, 5, 5), Stratum(25, 4, 0), Stratum(25, 5, 2)]
    assert len(jeffreys_parts([*kinds, *others])) == 4


def test_the_interval_holds_with_many_small_strata_and_summed_posteriors_do_not() -> None:
    numpy = import_module("numpy")
    rng = numpy.random.default_rng(3)
    sizes, shares, labels = [300] + [25] * 12, [0.97] + [0.02] * 12, [40] + [5] * 12
    held = summed = 0
    for _ in range(200):
        totals = [int(rng.binomial(n, p)) for n, p in zip(sizes, shares, strict=True)]
        found = [
            Stratum(size, n, int(rng.hypergeometric(total, size - total, n)))
            for size, total, n in zip(sizes, totals, labels, strict=True)
        ]
        truth = sum(totals) / 600
        low, high = rate_of_these(found).interval
        held += low <= truth <= high
        draws = sum(
            one.passes
            + rng.binomial(
                one.size - one.labelled,
                rng.beta(one.passes + 0.5, one.labelled - one.passes + 0.5, size=400),
            )
            for one in found
        )
        summed += bool(abs(numpy.quantile(draws, 0.5) / 600 - truth) < 1.96 * draws.std() / 600)

    assert held / 200 >= 0.93
    assert summed / 200 < 0.88


def test_a_hundred_thousand_trials_take_less_than_two_seconds() -> None:
    large = [Stratum(60_000, 3000, 2900), Stratum(30_000, 1500, 100)]
    large += [Stratum(500, 20, 10)] * 20
    start = time.process_time()

    rate_of_these(large)
    guaranteed_rate(large)
    labels_to_halve(large)

    assert time.process_time() - start < 2


@settings(deadline=None)
@given(strata)
def test_the_rate_lies_within_what_the_labels_allow(found: list[Stratum]) -> None:
    size = sum(one.size for one in found)
    least = sum(one.passes for one in found) / size
    most = sum(one.size - one.labelled + one.passes for one in found) / size

    for rate in (rate_of_these(found), guaranteed_rate(found)):
        low, high = rate.interval
        assert least - 1e-9 <= low <= high <= most + 1e-9
        assert least - 1e-9 <= rate.value <= most + 1e-9


def test_labels_of_all_leave_no_doubt() -> None:
    whole = [Stratum(20, 20, 13), Stratum(5, 5, 5)]

    assert rate_of_these(whole).interval == (18 / 25, 18 / 25)
    assert guaranteed_rate(whole).interval == (18 / 25, 18 / 25)
    assert labels_to_halve(whole) == 0


def test_exact_limits_are_those_of_counting() -> None:
    """Every number of passes that is not refuted by as rare an outcome, and no other."""
    size, n, tail = 12, 5, 0.025
    for passes in range(n + 1):
        allowed = []
        for total in range(passes, size - (n - passes) + 1):
            ways = [comb(total, j) * comb(size - total, n - j) for j in range(n + 1)]
            everything = comb(size, n)
            below, above = sum(ways[: passes + 1]), sum(ways[passes:])
            if below / everything > tail and above / everything > tail:
                allowed.append(total)
        low, high = guaranteed_rate([Stratum(size, n, passes)]).interval
        assert (round(low * size), round(high * size)) == (min(allowed), max(allowed))


def test_exact_limits_hold_for_every_pool() -> None:
    sizes, labelled = (6, 5), (3, 2)
    for totals in product(range(7), range(6)):
        held = chance = 0.0
        for hits in product(range(4), range(3)):
            ways = 1.0
            for size, n, total, hit in zip(sizes, labelled, totals, hits, strict=True):
                ways *= comb(total, hit) * comb(size - total, n - hit) / comb(size, n)
            if not ways:
                continue
            chance += ways
            found = [Stratum(*one) for one in zip(sizes, labelled, hits, strict=True)]
            low, high = guaranteed_rate(found).interval
            held += ways * (low - 1e-9 <= sum(totals) / 11 <= high + 1e-9)
        assert chance == pytest.approx(1)
        assert held >= 0.95


def test_so_many_further_labels_halve_it() -> None:
    more = labels_to_halve(POOL)
    assert more is not None
    low, high = rate_of_these(POOL).interval
    rest = sum(one.size - one.labelled for one in POOL)
    grown = [
        one._replace(
            labelled=(n := one.labelled + round((one.size - one.labelled) * more / rest)),
            passes=round(one.passes / one.labelled * n),
        )
        for one in POOL
    ]
    narrow = rate_of_these(grown).interval

    assert narrow.high - narrow.low <= (high - low) / 2
    assert 200 < more < 600


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([], "no trial"),
        ([Stratum(0, 0, 0)], "no trial"),
        ([Stratum(5, 2, 1), Stratum(4, 0, 0)], "stratum 2: none of its 4 trials is labelled"),
        ([Stratum(5, 6, 1)], "passes <= labelled <= size"),
        ([Stratum(5, 2, 3)], "passes <= labelled <= size"),
    ],
)
def test_what_cannot_be_estimated_is_refused(found: list[Stratum], message: str) -> None:
    for estimate in (rate_of_these, guaranteed_rate):
        with pytest.raises(ValueError, match=message):
            estimate(found)
    with pytest.raises(ValueError, match="confidence"):
        rate_of_these(POOL, confidence=1)


def test_an_empty_stratum_needs_no_label() -> None:
    assert rate_of_these([*POOL, Stratum(0, 0, 0)]) == rate_of_these(POOL)
