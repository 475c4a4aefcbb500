"""Lengths of which some are cut: the estimate, the bounds, and what cannot be known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats import (
    Length,
    bounds,
    finished_curve,
    finished_share,
    limit_for_all,
    limit_for_finished,
)

# Remission times of 21 patients, in weeks (Freireich et al. 1963), a standard example of
# Kaplan-Meier; published survival at 6, 7, 10, 13, 16, 22, 23 weeks.
ENDED = [6, 6, 6, 7, 10, 13, 16, 22, 23]
CUT = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
SURVIVAL = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}


def of(ended: list[int], cut: list[int]) -> list[Length]:
    return [Length(n, cut=False) for n in ended] + [Length(n, cut=True) for n in cut]


LENGTHS = st.lists(st.builds(Length, st.integers(0, 20), st.booleans()), min_size=1, max_size=30)


def test_the_estimate_is_that_of_the_published_example() -> None:
    curve = finished_curve(of(ENDED, CUT))

    assert {point.tokens: round(1 - point.share, 3) for point in curve} == SURVIVAL


def test_nothing_is_known_beyond_the_longest_cut() -> None:
    lengths = of([5, 8], [10, 10])

    assert finished_share(lengths, 4) == 0
    assert finished_share(lengths, 8) == 0.5
    assert finished_share(lengths, 10) == 0.5
    assert finished_share(lengths, 11) is None
    assert limit_for_all(lengths, 0.5) == 8
    assert limit_for_all(lengths, 0.51) is None
    assert bounds(lengths, 10) == (0.5, 0.5)
    assert bounds(lengths, 11) == (0.5, 1.0)


@pytest.mark.parametrize(("share", "limit"), [(0.5, 20), (0.9, 40), (0.75, 30), (1.0, 40)])
def test_a_limit_is_the_smallest_that_sufficed_for_the_share_of_those_that_ended(
    share: float, limit: int
) -> None:
    assert limit_for_finished(of([10, 20, 30, 40], [5, 50]), share) == limit


def test_where_no_reply_ended_no_limit_is_named() -> None:
    lengths = of([], [10])

    assert limit_for_finished(lengths, 0.5) is None
    assert limit_for_all(lengths, 0.5) is None
    assert finished_curve(lengths) == []


@given(LENGTHS)
def test_without_cuts_the_estimate_is_the_plain_share(lengths: list[Length]) -> None:
    whole = [one._replace(cut=False) for one in lengths]

    for point in finished_curve(whole):
        plain = sum(one.tokens <= point.tokens for one in whole) / len(whole)
        assert point.share == pytest.approx(plain)
        assert list(bounds(whole, point.tokens)) == pytest.approx([plain, plain])


@given(LENGTHS, st.integers(0, 25))
def test_the_estimate_lies_between_the_bounds(lengths: list[Length], limit: int) -> None:
    low, high = bounds(lengths, limit)
    share = finished_share(lengths, limit)

    assert 0 <= low <= high <= 1
    if share is not None:
        assert low - 1e-9 <= share <= high + 1e-9


@given(LENGTHS, st.floats(0.01, 1))
def test_the_limit_for_a_share_lets_that_share_end(lengths: list[Length], share: float) -> None:
    limit = limit_for_all(lengths, share)

    if limit is not None:
        found = finished_share(lengths, limit)
        assert found is not None
        assert found >= share - 1e-9


@pytest.mark.parametrize("share", [0, -0.1, 1.1])
def test_a_share_outside_of_its_range_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="a share lies above 0"):
        limit_for_all(of([1], []), share)


def test_no_reply_and_a_negative_length_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one reply"):
        finished_curve([])
    with pytest.raises(ValueError, match="not negative; got -1"):
        bounds(of([-1], []), 3)
