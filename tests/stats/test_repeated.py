from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats import Tally, maj_at_k, pass_at_k, pass_hat_k
from trajaudit.stats.repeated import most_given, over_tasks

DRAWS = st.integers(1, 8).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))
)


def test_by_hand_two_of_four_trials_pass() -> None:
    assert pass_at_k(4, 2, 2) == pytest.approx(1 - 1 / 6)
    assert pass_hat_k(4, 2, 2) == pytest.approx(1 / 6)
    assert maj_at_k(4, 2, 3) == pytest.approx(0.5)


@given(DRAWS)
def test_they_are_what_counting_every_draw_gives(draw: tuple[int, int, int]) -> None:
    n, passes, k = draw
    draws = list(combinations([1] * passes + [0] * (n - passes), k))

    assert pass_at_k(n, passes, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert pass_hat_k(n, passes, k) == pytest.approx(sum(map(all, draws)) / len(draws))
    if k % 2:
        most = [sum(drawn) > k / 2 for drawn in draws]
        assert maj_at_k(n, passes, k) == pytest.approx(sum(most) / len(draws))


def test_with_one_draw_all_three_are_the_rate() -> None:
    rates = pass_at_k(5, 2, 1), pass_hat_k(5, 2, 1), maj_at_k(5, 2, 1)

    assert rates == pytest.approx((0.4, 0.4, 0.4))


@pytest.mark.parametrize("formula", [pass_at_k, pass_hat_k, maj_at_k])
def test_fewer_trials_than_k_are_refused_not_padded(formula: object) -> None:
    assert callable(formula)
    with pytest.raises(ValueError, match="number of graded trials 2; got 3"):
        formula(2, 1, 3)
    with pytest.raises(ValueError, match="passes lie between 0 and 2; got 3"):
        formula(2, 3, 1)


def test_an_even_majority_is_refused() -> None:
    with pytest.raises(ValueError, match="a majority needs an odd k; got 2"):
        maj_at_k(4, 2, 2)


def test_the_mean_is_over_tasks_not_over_pooled_trials() -> None:
    # 1, 5/6 and 0; the pooled counts would give 1 - C(6, 2)/C(12, 2)
    tasks = [Tally(4, 4), Tally(2, 4), Tally(0, 4)]
    assert over_tasks(pass_at_k, tasks, 2) == pytest.approx((11 / 18, 3))


def test_tasks_with_too_few_trials_are_left_out_and_counted_out() -> None:
    assert over_tasks(pass_at_k, [Tally(1, 1), Tally(0, 2)], 2) == (0, 1)
    assert over_tasks(pass_at_k, [Tally(1, 1)], 2) == (None, 0)


@pytest.mark.parametrize(
    ("answers", "most"),
    [
        (["14", "14.0", "15", None, None], "14"),
        (["15", "14.0", "14"], "14.0"),
        (["14", "15"], None),
        (["14", "14", "15", "15", "16"], None),
        ([None, None, "7"], "7"),
        ([None, None], None),
        ([], None),
    ],
)
def test_equal_answers_vote_together_and_a_tie_has_no_majority(
    answers: list[str | None], most: str | None
) -> None:
    assert most_given(answers, lambda a, b: float(a) == float(b)) == most
