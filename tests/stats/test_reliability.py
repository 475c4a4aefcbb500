"""Intervals of agreement leave out a task at a time, and hold as often as they say."""

import random
import time
from math import exp, sqrt
from statistics import mean

import pytest

from trajaudit.stats.agreement import cohen_kappa, quadratic_weight
from trajaudit.stats.interval import Interval
from trajaudit.stats.reliability import LEAST_GROUPS, reliability
from trajaudit.stats.student import student_quantile

Rated = list[list[tuple[str, str]]]


def drawn(rng: random.Random, tasks: int, trials: int, right: float) -> Rated:
    """Two people who see the truth with some errors; tasks differ in how often they pass."""

    def said(truth: bool) -> str:
        return "p" if truth is (rng.random() < right) else "f"

    found = []
    for _ in range(tasks):
        rate = rng.betavariate(1.2, 1)
        truths = [rng.random() < rate for _ in range(trials)]
        found.append([(said(truth), said(truth)) for truth in truths])
    return found


def test_the_interval_is_the_jackknife_on_the_scale_of_disagreement() -> None:
    groups = drawn(random.Random(1), 30, 2, 0.85)

    def kappa(left: Rated) -> float:
        pairs = [pair for group in left for pair in group]
        found = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs]).value
        assert found is not None
        return found

    whole = kappa(groups)
    left = [kappa(groups[:at] + groups[at + 1 :]) for at in range(30)]
    error = sqrt(29 / 30 * sum((one - mean(left)) ** 2 for one in left))
    reach = student_quantile(0.975, degrees=29) * error / (1 - whole)

    found = reliability(groups).figures["kappa"]

    assert found.value == pytest.approx(whole)
    wanted = (1 - (1 - whole) * exp(reach), 1 - (1 - whole) * exp(-reach))
    assert found.interval == pytest.approx(wanted)


def test_the_intervals_hold_the_truth() -> None:
    rng = random.Random(11)
    # Both right in 90 %: they agree on 0.82; κ = α = (0.82 - 1/2)/(1/2) where half passes, and a
    # little less here: 0.536 of the labels pass.
    passes = 1.2 / 2.2 * 0.9 + 1 / 2.2 * 0.1
    chance = passes**2 + (1 - passes) ** 2
    truth = {"percent": 0.82, "kappa": (0.82 - chance) / (1 - chance)}
    held = dict.fromkeys(truth, 0)
    for _ in range(300):
        found = reliability(drawn(rng, 25, 4, 0.9)).figures
        for name in ("percent", "kappa"):
            interval = found[name].interval
            assert interval is not None
            held[name] += interval.low <= truth[name] <= interval.high

    for count in held.values():
        assert 0.915 <= count / 300 <= 0.985


def test_where_nobody_differs_the_lower_limit_is_that_of_what_can_go_unseen() -> None:
    groups: Rated = [[("p", "p")]] * 30 + [[("f", "f")]] * 20

    found = reliability(groups, positive="p").figures

    unseen = 1 - 0.025 ** (1 / 50)
    assert found["percent"].interval == pytest.approx((1 - unseen, 1))
    # Chance is as before but for the labels that would then be spread: 0.6 and 0.4 become less
    # uneven.
    low = found["kappa"].interval
    assert low is not None
    assert 0.8 < low.low < 1 - unseen
    assert found["kappa"].value == 1


def test_one_task_alone_carries_no_interval() -> None:
    rest: Rated = [[("p", "p")]] * 30

    found = reliability([*rest, [("f", "f"), ("p", "f")]]).figures["kappa"]

    assert found.value is not None
    assert (found.interval, found.why) == (None, "it rests on the items of one group")


def test_few_groups_or_alike_ones_have_no_interval_and_say_why() -> None:
    few = reliability([[("p", "f"), ("p", "p")]] * (LEAST_GROUPS - 1)).figures["percent"]
    alike = reliability([[("p", "f"), ("p", "p")]] * 40).figures["percent"]

    assert (few.value, few.interval, few.why) == (0.5, None, "9 groups are too few for an interval")
    assert (alike.value, alike.interval, alike.why) == (0.5, None, "all groups are alike")


def test_no_item_with_two_ratings_has_no_figure() -> None:
    found = reliability([[("p", None)], [(None, "f")]])

    assert found.items == 0
    assert {one.value for one in found.figures.values()} == {None}
    assert found.figures["alpha"].why == "no item has two ratings"


def test_trials_of_one_task_are_no_independent_evidence() -> None:
    rng = random.Random(5)
    tasks = [[rng.choice([("p", "p"), ("f", "f"), ("p", "f")])] * 6 for _ in range(30)]
    apart = [[pair] for group in tasks for pair in group]

    one, other = (reliability(groups).figures["alpha"].interval for groups in (tasks, apart))

    assert isinstance(one, Interval)
    assert isinstance(other, Interval)
    assert one.high - one.low > 2 * (other.high - other.low)


def test_weights_bring_weighted_figures() -> None:
    rng = random.Random(2)
    groups = [[(x, min(5, max(1, x + rng.choice([0, 0, 1]))))] for x in [1, 2, 3, 4, 5] * 8]

    found = reliability(groups, weight=quadratic_weight([1, 2, 3, 4, 5])).figures

    assert set(found) >= {"kappa_weighted", "alpha_weighted", "ac2"}
    for plain, weighted in (("kappa", "kappa_weighted"), ("alpha", "alpha_weighted")):
        less, more = found[plain].value, found[weighted].value  # type: ignore[index]
        assert less is not None
        assert more is not None
        assert less < more


def test_twenty_thousand_tasks_take_about_a_second() -> None:
    groups = drawn(random.Random(3), 20_000, 3, 0.9)
    start = time.process_time()

    reliability(groups, positive="p")

    assert time.process_time() - start < 4


def test_confidence_lies_between_0_and_1() -> None:
    with pytest.raises(ValueError, match="confidence lies between"):
        reliability([], confidence=1.0)
