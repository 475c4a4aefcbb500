"""A loop is the same calls with the same replies; polling and work are none."""

import pytest

from tests.score.shop import LOOK, REFUND, shop, trial
from trajaudit.datamodel.trajectory import WorldChange
from trajaudit.score.loops import Loop, find_loops, loops


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
