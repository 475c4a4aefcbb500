import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.stats import Interval, Tally, clustered, wilson

TALLIES = st.lists(
    st.integers(1, 8).flatmap(
        lambda graded: st.builds(Tally, st.integers(0, graded), st.just(graded))
    ),
    min_size=1,
    max_size=40,
)


@pytest.mark.parametrize(
    ("passes", "n", "low", "high"),
    [
        # centre (p + z²/2n)/(1 + z²/n), half z·sqrt(p(1-p)/n + z²/4n²)/(1 + z²/n), z = 1.959964:
        (5, 10, 0.236593, 0.763407),  # 0.5 ± 1.959964·sqrt(0.025 + 0.0096036)/1.384146
        (0, 10, 0.0, 0.277533),  # z²/(n + z²) = 3.841459/13.841459
        (10, 10, 0.722467, 1.0),
        (81, 263, 0.255289, 0.366210),  # Newcombe 1998: 0.2553 to 0.3662
    ],
)
def test_wilson_agrees_with_the_formula_by_hand(
    passes: int, n: int, low: float, high: float
) -> None:
    assert wilson(passes, n) == pytest.approx((low, high), abs=1e-6)


def test_one_task_with_one_passing_trial_leaves_almost_everything_open() -> None:
    # x = 1; with 0 and 1 added: mean 2/3, variance 1/3; n_eff = min(3, 2/9·3/(1/3)) = 2,
    # t of 2 degrees = 4.302653, low = n/(n + t²) = 2/20.512820
    assert clustered([Tally(1, 1)]) == pytest.approx((0.0975, 1.0), abs=1e-6)


def test_two_tasks_by_hand() -> None:
    # x = 1/2, 1; with 0 and 1 added: mean 5/8, variance 11/48 (0.6875/3)
    # n_eff = min(6, 15/64·4/(11/48)) = 4.090909, p = 3/4, t of 3 degrees = 3.182446
    # t²/n = 2.475725; centre (0.75 + 1.237862)/3.475725 = 0.571927
    # half = 3.182446·sqrt(0.1875/4.090909 + 10.127964/66.942149)/3.475725 = 0.406527
    low, high = clustered([Tally(1, 2), Tally(2, 2)])

    assert (low, high) == pytest.approx((0.165400, 0.978455), abs=1e-6)


def test_trials_of_one_task_that_all_agree_are_worth_one() -> None:
    once = [Tally(1, 1), Tally(0, 1)] * 10
    ten_times = [Tally(10, 10), Tally(0, 10)] * 10

    assert clustered(ten_times) == pytest.approx(clustered(once), abs=0.001)


@given(TALLIES)
def test_the_interval_holds_the_rate_and_is_never_a_point(tasks: list[Tally]) -> None:
    rate = sum(passes / graded for passes, graded in tasks) / len(tasks)
    low, high = clustered(tasks)

    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1
    assert high - low > 0.01


@given(TALLIES)
def test_swapping_pass_and_fail_mirrors_the_interval(tasks: list[Tally]) -> None:
    low, high = clustered([Tally(graded - passes, graded) for passes, graded in tasks])

    assert (1 - high, 1 - low) == pytest.approx(tuple(clustered(tasks)))


@given(TALLIES, st.randoms())
def test_the_order_of_tasks_means_nothing(tasks: list[Tally], rng: random.Random) -> None:
    shuffled = rng.sample(tasks, len(tasks))

    assert clustered(shuffled) == pytest.approx(clustered(tasks))


@given(TALLIES)
def test_more_confidence_is_wider(tasks: list[Tally]) -> None:
    narrow, wide = clustered(tasks, confidence=0.8), clustered(tasks, confidence=0.99)

    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


@pytest.mark.parametrize("a", [0.3, 1.2, 20.0])
@pytest.mark.parametrize(("tasks", "trials"), [(5, 3), (20, 1), (20, 5), (100, 3)])
def test_it_covers_the_truth_where_the_trials_of_a_task_resemble_each_other(
    a: float, tasks: int, trials: int
) -> None:
    rng = random.Random(7)
    truth, rounds = a / (a + 1), 400
    covered = 0
    for _ in range(rounds):
        low, high = clustered([_draw(rng, a, trials) for _ in range(tasks)])
        covered += low <= truth <= high

    # Five standard errors of a coverage of 95 % in 400 rounds are 0.055.
    assert covered / rounds > 0.895


def test_wilson_on_all_trials_would_not_cover() -> None:
    rng = random.Random(7)
    covered = 0
    for _ in range(400):
        drawn = [_draw(rng, 0.3, 8) for _ in range(20)]
        low, high = wilson(sum(task.passes for task in drawn), 160)
        covered += low <= 0.3 / 1.3 <= high

    assert covered / 400 < 0.8


def _draw(rng: random.Random, a: float, trials: int) -> Tally:
    """A task whose chance of passing is Beta(a, 1)."""
    chance = rng.betavariate(a, 1)
    return Tally(sum(rng.random() < chance for _ in range(trials)), trials)


@pytest.mark.parametrize(("passes", "n"), [(0, 0), (-1, 3), (4, 3), (1, float("nan"))])
def test_wilson_refuses_what_is_no_proportion(passes: float, n: float) -> None:
    with pytest.raises(ValueError, match="a proportion needs"):
        wilson(passes, n)


def test_a_rate_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one task; got none"):
        clustered([])
    with pytest.raises(ValueError, match="graded=0"):
        clustered([Tally(0, 0)])
    with pytest.raises(ValueError, match="passes=3"):
        clustered([Tally(3, 2)])


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_a_confidence_is_a_share(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence lies between 0 and 1"):
        wilson(1, 2, confidence=confidence)


def test_an_interval_is_a_pair() -> None:
    assert tuple(Interval(0.25, 0.5)) == (0.25, 0.5)
