"""The rate of a pool of which people labelled a part of each stratum."""

import random
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trajaudit.stats.stratified import (
    Stratum,
    guaranteed_rate,
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


def test_the_interval_is_that_of_drawing_from_the_posterior() -> None:
    rng = random.Random(1)
    drawn = sorted(
        sum(
            one.passes
            + sum(
                rng.random() < p
                for p in [rng.betavariate(one.passes + 0.5, one.labelled - one.passes + 0.5)]
                for _ in range(one.size - one.labelled)
            )
            for one in POOL
        )
        / 1500
        for _ in range(1500)
    )

    low, high = rate_of_these(POOL).interval

    assert low == pytest.approx(drawn[37], abs=0.008)
    assert high == pytest.approx(drawn[-38], abs=0.008)


def test_a_pool_that_is_too_large_to_count_one_by_one_is_told_as_closely() -> None:
    large = [one._replace(size=one.size * 40) for one in POOL]
    scaled = [one._replace(size=one.size * 4) for one in POOL]

    found, smaller = rate_of_these(large).interval, rate_of_these(scaled).interval

    assert found.low == pytest.approx(smaller.low, abs=0.003)
    assert found.high == pytest.approx(smaller.high, abs=0.003)


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
