"""Win rates keep ties and turns apart, and intervals know that trials of a task are alike."""

import random
from typing import Any

import pytest

from tests.judge.paired import vote
from trajaudit.datamodel.pairwise import Choice, PairDecision, PairResult, PairVote
from trajaudit.judge.pairwise_figures import pair_figures
from trajaudit.stats.interval import Tally, clustered


def decision(task: str, trial: int, result: str, **changed: Any) -> PairDecision:
    settled = result in ("a", "b", "tie")
    fields = {
        "task_id": task,
        "trial": trial,
        "run_a": "one",
        "run_b": "two",
        "panel": "p",
        "rubric": "pair",
        "result": PairResult(result),
        "stage": "A" if settled else "C",
        "queue": "none" if settled else "resolve",
    }
    return PairDecision(**{**fields, **changed})


def test_wins_ties_turns_and_the_rest_are_counted_apart() -> None:
    results = ["a", "a", "b", "tie", "inconsistent", "undecided"]
    decisions = [decision("t", number, one) for number, one in enumerate(results, 1)]

    found = pair_figures(decisions, [], ["t"])

    assert (found.pairs, found.resolve) == (7, 2)
    assert found.results == {
        "a": 2,
        "b": 1,
        "tie": 1,
        "inconsistent": 1,
        "undecided": 1,
        "unheard": 1,
    }


def test_the_win_rate_is_the_mean_over_tasks_and_bounded_by_what_is_unsettled() -> None:
    many = [decision("many", number, "a") for number in range(1, 9)]
    other = [decision("other", 1, "b"), decision("other", 2, "inconsistent")]
    ties = [decision("same", 1, "tie"), decision("other", 3, "tie")]

    rate = pair_figures([*many, *other, *ties], []).win_rate

    assert rate is not None
    # Pooled, it would be 8 of 9.
    assert (rate.value, rate.decided, rate.due) == (0.5, 9, 10)
    assert (rate.if_lost, rate.if_won) == (0.5, 0.75)
    assert (rate.low, rate.high) == clustered([Tally(8, 8), Tally(0, 1)])


def test_the_interval_covers_where_pairs_of_a_task_go_together() -> None:
    rng = random.Random(7)
    covered = 0
    for _ in range(200):
        decisions = []
        for task in range(30):
            share = rng.betavariate(1, 1)
            decisions += [
                decision(str(task), n, "a" if rng.random() < share else "b") for n in range(1, 6)
            ]
        rate = pair_figures(decisions, []).win_rate
        assert rate is not None
        assert rate.low is not None
        assert rate.high is not None
        covered += rate.low <= 0.5 <= rate.high
    assert covered >= 180


def test_without_a_winner_there_is_no_rate() -> None:
    assert pair_figures([decision("t", 1, "tie")], []).win_rate is None
    unsettled = pair_figures([decision("t", 1, "inconsistent")], []).win_rate
    assert unsettled is not None
    assert (unsettled.value, unsettled.if_lost, unsettled.if_won) == (None, 0.0, 1.0)


def test_what_people_have_to_look_at_has_no_winner_yet() -> None:
    found = pair_figures([decision("t", 1, "a", stage="C", queue="resolve")], [])

    assert (found.results["a"], found.results["undecided"]) == (0, 1)


def turning(first: str, second: str, task: str = "t", family: str = "s") -> list[PairVote]:
    """Votes for whatever came first or second in order 1 and in order 2, or a tie."""
    places: dict[str, tuple[Choice, Choice]] = {
        "first": ("a", "b"),
        "second": ("b", "a"),
        "tie": ("tie", "tie"),
    }
    return [
        vote(family, 1, places[first][0], task_id=task),
        vote(family, 2, places[second][1], task_id=task),
    ]


def test_the_effect_of_the_place_is_told_by_family_and_direction() -> None:
    votes = [
        *turning("first", "first", "x"),
        *turning("second", "second", "y"),
        *turning("first", "second", "z"),
        *turning("first", "tie", "w"),
        vote("s", 1, "a", task_id="v"),
        *turning("first", "second", "x", family="t"),
    ]

    position = pair_figures([], votes).position

    assert list(position) == ["s", "t"]
    one = position["s"]
    assert (one.turned.holds, one.turned.of, one.turned.value) == (3, 4, 0.75)
    assert (one.to_first, one.to_second) == (1, 1)
    assert (one.first.holds, one.first.of) == (4, 7)
    assert (position["t"].turned.holds, position["t"].first.value) == (0, 0.5)


def test_the_effect_of_length_is_told_over_pairs_with_a_winner() -> None:
    decisions = [
        decision("t", 1, "a", chars=(10, 5)),
        decision("t", 2, "b", chars=(10, 5)),
        decision("u", 1, "b", chars=(3, 5)),
        decision("u", 2, "tie", chars=(3, 5)),
        decision("u", 3, "a", chars=(5, 5)),
    ]

    longer = pair_figures(decisions, []).longer_wins

    assert (longer.holds, longer.of, longer.value) == (2, 3, 0.75)
    assert pair_figures([], []).longer_wins.value is None


@pytest.mark.parametrize("code", ["ORDER_FLIP", "INJECTION"])
def test_triggers_are_counted(code: str) -> None:
    one = decision("t", 1, "inconsistent", triggers=(code,))

    assert pair_figures([one], []).triggers == {code: 1}
