"""A loop is the same calls with the same replies; polling and work are none."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.shop import LOOK, REFUND, Call, shop, trial
from trajaudit.datamodel.trajectory import Step, WorldChange
from trajaudit.score.loops import Loop, find_loops, loops

ESCALATE: Call = ("escalate", {"reason": "it never came"})


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        ("aaa", [Loop(0, 1, 3)]),
        ("xaaaay", [Loop(1, 1, 4)]),
        ("ababab", [Loop(0, 2, 3)]),
        ("abcabcabcd", [Loop(0, 3, 3)]),
        ("aaabbb", [Loop(0, 1, 3), Loop(3, 1, 3)]),
        ("aa", []),
        ("abab", []),
        ("abcd", []),
        ("abaca", []),
        ("", []),
    ],
)
def test_circles_are_found_from_the_third_round(turns: str, found: list[Loop]) -> None:
    assert find_loops(turns) == found


def test_calls_that_change_the_world_are_work() -> None:
    scenario, task = shop({"paths": []})
    idle = trial(REFUND, REFUND, REFUND)
    changes = tuple(
        WorldChange(step=step, patch=({"op": "replace", "path": "/n", "value": step},))
        for step in (1, 2, 3)
    )

    assert loops(scenario, task, idle)[1].passed is False
    assert loops(scenario, task, idle.model_copy(update={"world_changes": changes}))[1].passed
    assert loops(scenario, task, trial(LOOK, REFUND))[1].passed


def test_a_circle_fails_both_modes_with_its_place_and_its_calls() -> None:
    scenario, task = shop({"paths": []})
    made = trial(REFUND, LOOK, ESCALATE, LOOK, ESCALATE, LOOK, ESCALATE)

    strict, lenient = loops(scenario, task, made)

    assert (strict.passed, lenient.passed) == (False, False)
    assert lenient.detail["loops"] == [{"start": 2, "length": 2, "rounds": 3}]
    assert [item.step for item in lenient.evidence] == [2, 3, 4, 5, 6, 7]


def test_a_reply_that_changes_is_polling() -> None:
    scenario, task = shop({"paths": []})
    made = trial(LOOK, LOOK, LOOK)
    polled = made.model_copy(
        update={"steps": tuple(_with_reply(step, str(step.number)) for step in made.steps)}
    )

    assert [one.passed for one in loops(scenario, task, made)] == [False, False]
    assert [one.passed for one in loops(scenario, task, polled)] == [True, True]


def _with_reply(step: Step, content: str) -> Step:
    seen = tuple(one.model_copy(update={"content": content}) for one in step.observations)
    return step.model_copy(update={"observations": seen})


def test_other_writing_of_the_same_call_is_the_same_call() -> None:
    scenario, task = shop({"paths": []})
    made = trial(
        ("get_order", '{"order_id":"A-17"}'),
        ("GetOrder", '{ "order_id" : "A-17" }'),
        ("get_order", "{'order_id': 'A-17'}"),
    )

    assert loops(scenario, task, made)[1].passed is False


def test_nothing_is_said_of_a_trial_without_calls() -> None:
    scenario, task = shop({"paths": []})

    assert loops(scenario, task, trial()) == []


@pytest.mark.parametrize("raw", ["\x00", "{" * 3000, '{"a": 1', "null", ""])
def test_arguments_that_nobody_can_read_go_round_in_circles_as_well(raw: str) -> None:
    scenario, task = shop({"paths": []})
    made = trial(*(("get_order", raw) for _ in range(3)))

    assert loops(scenario, task, made)[1].passed is False


@given(st.lists(st.sampled_from("abc"), max_size=40))
@settings(max_examples=300, deadline=None)
def test_every_circle_that_is_found_is_one(turns: list[str]) -> None:
    found = find_loops(turns)

    for loop in found:
        circle = turns[loop.start : loop.start + loop.length]
        assert turns[loop.start : loop.end] == circle * loop.rounds
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_ten_thousand_calls_are_looked_through_without_a_circle() -> None:
    found = find_loops(list(range(10_000)))

    assert found == []
