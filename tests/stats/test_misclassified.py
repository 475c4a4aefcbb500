"""A judge's known errors are taken back out of its rate, or the correction is refused."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats import Tally
from trajaudit.stats.misclassified import rogan_gladen


def test_by_hand() -> None:
    found = rogan_gladen(Tally(600, 1000), Tally(40, 50), Tally(45, 50))
    assert found.value == pytest.approx((0.6 + 0.8 - 1) / (0.8 + 0.9 - 1))
    assert (found.specificity, found.sensitivity) == (0.8, 0.9)


@given(st.integers(1, 50).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_judge_without_errors_changes_nothing(pool: tuple[int, int]) -> None:
    found = rogan_gladen(Tally(*pool), Tally(30, 30), Tally(30, 30))
    assert found.value == pytest.approx(pool[0] / pool[1])
    assert 0 <= found.interval.low < found.interval.high <= 1


def test_an_impossible_rate_is_kept_within_0_and_1() -> None:
    assert rogan_gladen(Tally(0, 20), Tally(16, 20), Tally(20, 20)).value == 0
    assert rogan_gladen(Tally(20, 20), Tally(20, 20), Tally(16, 20)).value == 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([(5, 10), (5, 10), (5, 10)], "near to guessing"),
        ([(5, 10), (1, 1), (6, 100)], "near to guessing"),
        ([(5, 10), (0, 0), (5, 10)], "the labelled failures need"),
        ([(0, 0), (9, 10), (9, 10)], "the pool need"),
        ([(5, 10), (9, 10), (11, 10)], "the labelled passes need"),
    ],
)
def test_a_judge_that_tells_nothing_is_refused(groups: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rogan_gladen(*(Tally(*group) for group in groups))


def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    rng = random.Random(7)
    theta, q0, q1, n, m = 0.3, 0.85, 0.9, 300, 60

    def drawn(times: int, chance: float) -> Tally:
        return Tally(sum(rng.random() < chance for _ in range(times)), times)

    held = 0
    for _ in range(1000):
        pool = drawn(n, theta * q1 + (1 - theta) * (1 - q0))
        low, high = rogan_gladen(pool, drawn(m, q0), drawn(m, q1)).interval
        held += low <= theta <= high
    # Three standard deviations of a binomial around 950.
    assert 930 <= held <= 985


def test_of_the_pool_itself_less_is_in_doubt() -> None:
    groups = (Tally(600, 1000), Tally(40, 50), Tally(45, 50))
    others, itself = (rogan_gladen(*groups, of_pool=one) for one in (False, True))

    assert itself.value == others.value
    assert itself.interval.high - itself.interval.low < others.interval.high - others.interval.low
    with_weights = rogan_gladen((600.0, 1000.0), (40.0, 50.0), (45.0, 50.0), of_pool=True)
    assert with_weights == itself
