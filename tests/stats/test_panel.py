"""Doubt of panels in numbers: hand-made values, and bounds that always hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats.panel import (
    divergence,
    effective_votes,
    entropy,
    majority_confidence,
    order_difference,
)

VOTES = st.integers(min_value=0, max_value=40)


def test_entropy_of_a_coin_is_one_bit_and_of_certainty_none() -> None:
    assert entropy([0.5, 0.5]) == 1
    assert entropy([1.0, 0.0]) == 0


def test_nine_judges_with_the_default_correlation_are_worth_two_votes() -> None:
    assert effective_votes(9, 0.44) == pytest.approx(1.99, abs=0.01)
    assert effective_votes(0, 0.44) == 0


def test_the_beta_integral_agrees_with_counting() -> None:
    # 1 - I_{1/2}(4, 2) = P(at most 3 heads of 5) = 26/32.
    assert majority_confidence(3, 1, 0.0) == pytest.approx(26 / 32, abs=1e-9)


@given(VOTES, VOTES, st.floats(min_value=0, max_value=1))
def test_both_sides_of_a_vote_share_one_certainty(a: int, b: int, correlation: float) -> None:
    both = majority_confidence(a, b, correlation) + majority_confidence(b, a, correlation)

    assert both == pytest.approx(1, abs=1e-6)


@given(st.lists(st.sampled_from([(1.0, 0.0, 0.0), (0.5, 0.5, 0.0), (0.2, 0.3, 0.5)]), min_size=1))
def test_disagreement_lies_between_nothing_and_all(groups: list[tuple[float, ...]]) -> None:
    between, within = divergence(groups)

    assert 0 <= between <= 1
    assert 0 <= within <= 1


def test_an_order_that_is_missing_shows_no_difference() -> None:
    assert order_difference({1: [1.0], 2: []}) == 0
    assert order_difference({1: [1.0, 1.0], 2: [0.0, 1.0]}) == 0.5
