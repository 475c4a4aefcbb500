"""Guesses of every trial, corrected by labels that were drawn by known chances."""

import random
from statistics import mean

import pytest

from trajaudit.stats.cluster import clustered_mean
from trajaudit.stats.weighted import (
    Guessed,
    rate_of_new_tasks,
    score_slope,
    stratum_means,
)


def test_by_hand() -> None:
    trials = [
        Guessed("a", 0.9, 1.0, 0.5),
        Guessed("a", 0.9),
        Guessed("b", 0.1, 1.0, 0.25),
        Guessed("b", 0.1),
    ]

    found = rate_of_new_tasks(trials)

    assert found.value == pytest.approx(0.5 + (0.1 / 0.5 + 0.9 / 0.25) / 4)
    assert (found.n, found.tasks) == (4, 2)


def test_labels_of_all_are_the_clustered_mean() -> None:
    rng = random.Random(3)
    by_task = {f"t{n}": [float(rng.random() < 0.6) for _ in range(4)] for n in range(12)}
    trials = [Guessed(task, rng.random(), one) for task, all_ in by_task.items() for one in all_]

    found, plain = rate_of_new_tasks(trials), clustered_mean(by_task)

    assert plain is not None
    assert (found.value, found.low, found.high) == pytest.approx(plain[:3])


def test_guesses_may_be_wrong_and_the_mean_stays_right() -> None:
    rng = random.Random(5)
    found = []
    for _ in range(400):
        trials = []
        for task in range(20):
            truth = float(rng.random() < 0.7)
            drawn = rng.random() < 0.3
            trials.append(Guessed(f"t{task}", 0.2, truth if drawn else None, 0.3))
        if any(one.label is not None for one in trials):
            found.append(rate_of_new_tasks(trials).value)

    assert mean(found) == pytest.approx(0.7, abs=0.03)


def test_the_interval_holds_for_new_tasks() -> None:
    """A judge that errs, labels in strata of its verdicts, tasks that differ."""
    rng = random.Random(8)
    true, held, runs = 0.55, 0, 300
    for _ in range(runs):
        trials: list[tuple[str, bool, bool]] = []
        for task in range(30):
            p = rng.betavariate(1.1, 0.9)
            for _ in range(4):
                y = rng.random() < p
                trials.append((f"t{task}", y, y if rng.random() < 0.85 else not y))
        drawn = [rng.random() < 0.3 for _ in trials]
        labels = {
            str(said): [
                float(y) for (_, y, s), d in zip(trials, drawn, strict=True) if d and s is said
            ]
            for said in (True, False)
        }
        means = stratum_means(labels)
        guessed = [
            Guessed(task, means[str(said)], float(y) if d else None, 0.3)
            for (task, y, said), d in zip(trials, drawn, strict=True)
        ]
        found = rate_of_new_tasks(guessed)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= true <= found.high

    assert 0.90 <= held / runs <= 0.99


def test_a_difference_of_two_may_be_negative() -> None:
    trials = [Guessed(f"t{n % 5}", 0.0, -1.0 if n % 3 else 0.0) for n in range(29)]

    found = rate_of_new_tasks(trials, limits=(-1, 1))

    assert found.value < -0.5
    assert found.low is not None
    assert -1 <= found.low < found.value


@pytest.mark.parametrize(
    ("trials", "message"),
    [
        ([], "none of 0 trials is labelled"),
        ([Guessed("a", 0.5), Guessed("b", 0.5)], "none of 2 trials is labelled"),
        ([Guessed("a", 0.5, 1.0)], "at least two tasks"),
        ([Guessed("a", 0.5, 1.0, 0.0), Guessed("b", 0.5)], "chance to be labelled"),
    ],
)
def test_what_cannot_be_estimated_is_refused(trials: list[Guessed], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate_of_new_tasks(trials)


def test_a_stratum_without_a_label_has_no_guess() -> None:
    assert stratum_means({"pass": [1, 0]}) == {"pass": 0.5}
    with pytest.raises(ValueError, match="'fail'"):
        stratum_means({"pass": [1], "fail": []})


def test_a_soft_score_that_tells_something_is_followed() -> None:
    rng = random.Random(4)
    scores = [rng.random() for _ in range(200)]
    labels = [float(rng.random() < 0.1 + 0.8 * score) for score in scores]

    assert score_slope(labels, scores) == pytest.approx(0.8, abs=0.2)
    assert score_slope(labels[:29], scores[:29]) == 0
    assert score_slope(labels, [0.5] * 200) == 0
    assert score_slope(rng.sample(labels, 200), scores) == 0
    assert score_slope([1 - one for one in labels], scores) == 0
    with pytest.raises(ValueError, match="as many labels as scores"):
        score_slope([1.0], [])
