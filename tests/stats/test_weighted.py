"""Guesses of every trial, corrected by labels that were drawn by known chances."""

import random
from statistics import mean

import pytest

from trajaudit.stats.cluster import clustered_mean
from trajaudit.stats.stratified import Stratum
from trajaudit.stats.weighted import (
    Guessed,
    difference_on_new_tasks,
    rate_of_new_tasks,
    unseen_variance,
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
        means = {name: mean(said) for name, said in labels.items()}
        guessed = [
            Guessed(task, means[str(said)], float(y) if d else None, 0.3)
            for (task, y, said), d in zip(trials, drawn, strict=True)
        ]
        found = rate_of_new_tasks(guessed)
        held += found.low <= true <= found.high

    assert 0.90 <= held / runs <= 0.99


def test_a_difference_is_that_of_both_rates_and_what_both_share_adds_no_error() -> None:
    rng = random.Random(6)
    hard = {f"t{n}": rng.random() for n in range(40)}
    first = [Guessed(t, p, float(rng.random() < p), 0.5) for t, p in hard.items() for _ in "abc"]
    second = [one._replace(guess=one.guess - 0.1) for one in first]

    found = difference_on_new_tasks(list(zip(first, second, strict=True)))
    one, other = rate_of_new_tasks(first), rate_of_new_tasks(second)

    assert found.value == pytest.approx(one.value - other.value)
    # Labels are alike and guesses lie 0.1 apart everywhere: no task tells anything else.
    assert found.reach == pytest.approx(0, abs=1e-12)
    assert one.reach > 0.05


def test_a_difference_may_be_negative_and_ends_at_minus_one() -> None:
    worse = [Guessed(f"t{n % 5}", 0.0, 0.0) for n in range(29)]
    better = [Guessed(f"t{n % 5}", 1.0, float(n % 3 > 0)) for n in range(29)]

    found = difference_on_new_tasks(list(zip(worse, better, strict=True)))

    assert found.value < -0.5
    assert -1 <= found.low < found.value


def test_labels_that_all_agree_leave_a_variance_that_they_do_not_show() -> None:
    whole, none_wrong = Stratum(50, 50, 50), Stratum(50, 10, 10)

    assert unseen_variance([whole]) == 0
    # Beta(10.5, 0.5): variance 10.5·0.5/(11²·12); the stratum is half of all, a fifth is known.
    wanted = 0.25 * 0.8 * 10.5 * 0.5 / (121 * 12)
    assert unseen_variance([whole, none_wrong]) == pytest.approx(wanted)
    # Labels that differ show more variance than the prior holds possible.
    assert unseen_variance([Stratum(50, 40, 20)]) == 0


def test_the_unseen_variance_is_added() -> None:
    trials = [Guessed(f"t{n % 9}", 0.5, float(n % 2)) for n in range(90)]
    plain, more = (rate_of_new_tasks(trials, unseen=unseen) for unseen in (0.0, 1e-4))

    t = 2.306004  # Student's t, 8 degrees, as tables have it
    assert more.reach**2 == pytest.approx(plain.reach**2 + t * t * 1e-4, rel=1e-5)


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
