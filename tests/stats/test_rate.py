import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats import Attempted, Tally, clustered, pass_rate

ATTEMPTS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
    .filter(any)
    .map(lambda seen: Attempted(seen[0], seen[0] + seen[1], sum(seen))),
    min_size=1,
    max_size=12,
)


def test_by_hand_with_one_trial_ungraded() -> None:
    rate = pass_rate([Attempted(2, 2, 2), Attempted(0, 1, 2)])

    assert rate.value == 0.5
    assert (rate.graded, rate.due) == (3, 4)
    assert (rate.if_wrong, rate.if_right) == (0.5, 0.75)
    assert rate.interval == clustered([Tally(2, 2), Tally(0, 1)])


def test_a_task_without_a_graded_trial_counts_in_the_bounds_only() -> None:
    rate = pass_rate([Attempted(1, 1, 1), Attempted(0, 0, 1)])

    assert rate.value == 1.0
    assert (rate.if_wrong, rate.if_right) == (0.5, 1.0)


def test_nothing_graded_is_no_rate_and_not_zero() -> None:
    rate = pass_rate([Attempted(0, 0, 3)])

    assert rate.value is None
    assert rate.interval is None
    assert (rate.if_wrong, rate.if_right) == (0.0, 1.0)


@given(ATTEMPTS)
def test_the_rate_lies_between_its_bounds(tasks: list[Attempted]) -> None:
    rate = pass_rate(tasks)

    assert 0 <= rate.if_wrong <= rate.if_right <= 1
    if rate.value is not None:
        assert rate.if_wrong - 1e-12 <= rate.value <= rate.if_right + 1e-12


@given(ATTEMPTS)
def test_fully_graded_bounds_are_the_rate(tasks: list[Attempted]) -> None:
    whole = [Attempted(task.passes, task.due, task.due) for task in tasks]
    rate = pass_rate(whole)

    assert rate.if_wrong == pytest.approx(rate.value)
    assert rate.if_right == pytest.approx(rate.value)


@pytest.mark.parametrize(
    "task", [Attempted(2, 1, 3), Attempted(1, 4, 3), Attempted(-1, 1, 1), Attempted(0, 0, 0)]
)
def test_impossible_counts_are_refused(task: Attempted) -> None:
    with pytest.raises(ValueError, match="a task needs 0 ≤ passes ≤ graded ≤ due"):
        pass_rate([task])


def test_no_task_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one task; got none"):
        pass_rate([])
