"""A tool that does not exist is told from another spelling of one that does."""

import pytest

from tests.score.shop import LOOK, shop, trial
from tests.score.trials import task_of
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.score.unknown_tools import unknown_tools


def judged(made: Trajectory) -> list[Verdict]:
    scenario, task = shop({"paths": []})
    return unknown_tools(scenario, task, made)


def test_known_names_pass_both_modes() -> None:
    made = trial(LOOK, ("ask_user", {"question": "Which?"}))

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed, lenient.tolerances) == (True, True, ())


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("getOrder", "tool_name_style"),
        ("Get-Order", "tool_name_style"),
        ("functions.get_order", "tool_name_prefix"),
        ("shop__get_order", "tool_name_prefix"),
    ],
)
def test_another_style_of_a_known_name_passes_leniently(name: str, tolerance: str) -> None:
    made = trial((name, {"order_id": "A-17"}))

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (False, True)
    assert lenient.tolerances == (tolerance,)


def test_a_declared_alias_passes_leniently() -> None:
    tools = [{"name": "get_order", "aliases": {"names": ["lookup"]}}]
    scenario, task = task_of(tools=tools)

    strict, lenient = unknown_tools(scenario, task, trial(("lookup", {})))

    assert (strict.passed, lenient.passed, lenient.tolerances) == (False, True, ("tool_alias",))


@pytest.mark.parametrize("name", ["get_orders", "order", "get order 2", "drop_table", "get_0rder"])
def test_the_nearest_spelling_is_never_taken(name: str) -> None:
    made = trial(LOOK, (name, {}))

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed, lenient.tolerances) == (False, False, ())
    assert [item.step for item in lenient.evidence] == [2]


def test_the_nearest_spelling_is_shown_to_the_reader() -> None:
    _, lenient = judged(trial(("get_orders", {})))

    assert "nearest is get_order" in lenient.reason


def test_nothing_is_said_where_no_tools_are_listed() -> None:
    scenario, task = task_of()

    assert unknown_tools(scenario, task, trial(LOOK)) == []


@pytest.mark.parametrize(
    "name", ["", " ", "\x1b[2J", "../../get_order/..", "get_order\u202e", "_" * 5000, "💣", "."]
)
def test_a_hostile_name_is_unknown_and_no_crash(name: str) -> None:
    made = trial((name, {}))

    strict, lenient = judged(made)

    assert (strict.passed, lenient.passed) == (False, False)
