"""Clustered means and slopes: by hand, against the plain formulas, and by how often they hold."""

import random
from statistics import mean, stdev

import pytest

from trajaudit.stats.cluster import clustered_mean, within_slope
from trajaudit.stats.student import student_quantile


def test_one_observation_a_task_gives_students_interval() -> None:
    values = [0.2, 0.9, 0.4, 0.7]
    found = clustered_mean({str(at): [value] for at, value in enumerate(values)})
    half = student_quantile(0.975, degrees=3) * stdev(values) / 2

    assert found is not None
    assert found.value == pytest.approx(mean(values))
    assert (found.n, found.tasks) == (4, 4)
    assert found.low == pytest.approx(found.value - half)
    assert found.high == pytest.approx(found.value + half)


def test_repeating_what_a_task_said_makes_nothing_surer() -> None:
    once = clustered_mean({"a": [0.0], "b": [1.0], "c": [1.0]})
    often = clustered_mean({"a": [0.0] * 9, "b": [1.0] * 9, "c": [1.0] * 9})

    assert once is not None
    assert often is not None
    assert often.low == pytest.approx(once.low)
    assert often.high == pytest.approx(once.high)


def test_a_slope_by_hand() -> None:
    # Less the means of the task: (-1, -1), (1, 1) and (-2, -1), (2, 1).
    found = within_slope({"a": [(0, 5), (2, 7)], "b": [(10, 0), (14, 2)]})

    assert found is not None
    assert found.value == pytest.approx((1 + 1 + 2 + 2) / (1 + 1 + 4 + 4))
    # Residuals: a ±0.4, b ∓0.2; sums of x·e: 0.8 and -0.8; variance 2/1 · 1.28 / 100.
    half = student_quantile(0.975, degrees=1) * 0.0256**0.5
    assert found.low == pytest.approx(0.6 - half)
    assert found.high == pytest.approx(0.6 + half)


def test_tasks_may_differ_in_length_and_difficulty_without_a_slope() -> None:
    found = within_slope({"easy": [(1, 1), (2, 1)], "hard": [(9, 0), (10, 0)]})

    assert found is not None
    assert found.value == 0


@pytest.mark.parametrize("pairs", [{}, {"a": []}, {"a": [(1.0, 2.0)]}, {"a": [(3, 1), (3, 0)]}])
def test_without_a_difference_in_length_there_is_no_slope(
    pairs: dict[str, list[tuple[float, float]]],
) -> None:
    assert within_slope(pairs) is None
    assert clustered_mean({}) is None


def test_one_task_alone_has_no_interval() -> None:
    found = within_slope({"a": [(0, 0), (1, 1)]})

    assert found is not None
    assert (found.value, found.low, found.high, found.tasks) == (1, None, None, 1)


def test_the_interval_holds_the_true_slope_about_as_often_as_it_says() -> None:
    dice = random.Random(7)
    held = 0
    for _ in range(400):
        data = {}
        for task in range(15):
            lift, drift = dice.gauss(0, 3), dice.gauss(0.5, 0.3)
            xs = [dice.uniform(5, 9) for _ in range(4)]
            data[str(task)] = [(x, lift + drift * x + dice.gauss(0, 0.4)) for x in xs]
        found = within_slope(data)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.5 <= found.high

    assert 0.90 <= held / 400 <= 0.98
