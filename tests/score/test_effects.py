"""Where no world is known the effects of calls tell what a trial brought about."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.score.trials import call, step, task_of, trial
from trajaudit.datamodel.accept import AcceptedPath
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import ToolCall, Trajectory
from trajaudit.score.call_reading import read_calls
from trajaudit.score.driver import score_trial
from trajaudit.score.early_correct import early_correct
from trajaudit.score.effects import (
    Effect,
    digest_of_effects,
    effects,
    effects_of,
    effects_of_path,
    net_effects,
)

TOOLS = [
    {"name": "look", "effect": "read", "parameters": {"type": "object"}},
    {"name": "cancel", "parameters": {"type": "object"}},
    {"name": "set_address", "parameters": {"type": "object"}},
    {"name": "pay", "parameters": {"type": "object"}},
]
SPECS = [ToolSpec.model_validate(tool) for tool in TOOLS]


def made(*calls: ToolCall, error: bool = False) -> Trajectory:
    steps = [step(n, "", one, saw=["ok"], error=error) for n, one in enumerate(calls, start=1)]
    return trial(*steps, step(len(calls) + 1, "done"))


def passes(trajectory: Trajectory, *calls: Any, **accept: Any) -> list[bool | None]:
    path = {"name": "gold", "calls": calls}
    scenario, task = task_of(accept={"paths": [path], **accept}, tools=TOOLS)
    return [one.passed for one in effects(scenario, task, trajectory)]


def effect(tool: str, **arguments: JsonValue) -> Effect:
    return Effect(tool, arguments)


def test_only_successful_calls_that_write_have_effects() -> None:
    tried = trial(
        step(1, "", call("look", id="A"), saw=["ok"]),
        step(2, "", call("cancel", id="A"), saw=["no"], error=True),
        step(3, "", call("cancel", id="B"), saw=["ok"]),
    )

    found = effects_of(read_calls(tried, SPECS), SPECS)

    assert [(one.plain, one.step) for one in found] == [('cancel {"id": "B"}', 3)]


def test_the_same_effects_by_another_route_are_those_of_the_path() -> None:
    gold = [{"cancel": {"id": "A"}}, {"pay": {"id": "A", "amount": 2}}]

    route = made(call("pay", id="A", amount=2.0), call("look"), call("cancel", id="A", why=None))

    assert passes(route, *gold) == [True, True]
    assert passes(made(call("pay", id="A", amount=3), call("cancel", id="A")), *gold) == [False] * 2
    assert passes(made(call("cancel", id="A")), *gold) == [False, False]


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        ([effect("set_address", id="A", city="X"), effect("set_address", id="A", city="Y")], 1),
        ([effect("set_address", id="A", city="X"), effect("set_address", id="B", city="Y")], 2),
        ([effect("set_address", id="A", city="X"), effect("set_address", id="A", zip="Y")], 2),
        ([effect("set_price", id="A", price=1), effect("set_price", id="A", price=2)], 2),
        ([effect("cancel", id="A"), effect("cancel", id="A")], 2),
        ([effect("send", id="A", text="X"), effect("send", id="A", text="Y")], 2),
        ([effect("set_all", on=True), effect("set_all", on=False)], 2),
    ],
)
def test_what_sets_the_same_thing_again_takes_its_place(calls: list[Effect], left: int) -> None:
    assert net_effects(calls).total() == left
    assert calls[-1].plain in net_effects(calls)


@pytest.mark.parametrize(
    "accept",
    [
        {"extra_calls": "any"},
        {"extra_calls": "none"},
        {"state": [{"path": "$.x", "equals": 1}]},
    ],
)
def test_effects_do_not_decide_where_more_or_something_else_is_demanded(accept: Any) -> None:
    assert passes(made(call("cancel", id="A")), {"cancel": {"id": "A"}}, **accept) == []


@pytest.mark.parametrize(
    ("calls", "order"),
    [
        ([{"cancel": {"id": {"any": True}}}], {}),
        ([{"cancel": {"id": "A"}, "optional": True}], {}),
        ([{"cancel": {"id": "A"}, "repeat": True}], {}),
        ([{"cancel": {"id": "A"}, "extra_arguments": True}], {}),
        ([{"cancel": {"id": "A"}}, "pay"], {"before": [["cancel", "pay"]]}),
        ([{"cancel": {"id": "A"}}], {"order": "listed"}),
        (["look"], {}),
    ],
)
def test_a_path_that_has_no_one_effect_tells_none(calls: Any, order: Any) -> None:
    path = AcceptedPath.model_validate({"name": "p", "calls": calls, **order})

    assert effects_of_path(path, SPECS) is None


def test_a_world_tells_more_than_effects() -> None:
    scenario, task = task_of(accept={"paths": [{"name": "p", "calls": ["cancel"]}]}, tools=TOOLS)
    known = made(call("cancel")).model_copy(update={"world_end": {}})

    assert effects(scenario, task, known) == []


def test_what_nothing_was_to_be_changed_of_is_lost_at_the_first_change() -> None:
    look = {"look": {}, "optional": True}
    accept = {"paths": [{"name": "gold", "calls": [look]}]}
    scenario, task = task_of(accept=accept, tools=TOOLS)

    [_, lenient] = early_correct(scenario, task, made(call("cancel", id="A")))

    assert lenient.detail["cause"] == "undone_by_call"
    assert (lenient.detail["last_correct_step"], lenient.detail["lost_at_step"]) == (0, 1)


def test_an_overwritten_slip_is_a_valid_path_that_nobody_listed() -> None:
    accept = {"paths": [{"name": "gold", "calls": [{"set_address": {"id": "A", "city": "Y"}}]}]}
    scenario, task = task_of(accept=accept, tools=TOOLS)
    slipped = made(call("set_address", id="A", city="X"), call("set_address", id="A", city="Y"))

    scores = score_trial(scenario, task, slipped)

    assert (scores.outcome.strict, scores.outcome.lenient) == (False, True)
    assert [one.kind.value for one in scores.findings if one.decided] == ["alternate_valid_path"]


EFFECTS = st.builds(
    Effect,
    st.sampled_from(["cancel", "pay", "send"]),
    st.dictionaries(st.sampled_from(["id", "amount"]), st.integers(0, 3) | st.none()),
)


@given(st.lists(EFFECTS, max_size=6), st.randoms())
def test_the_order_of_independent_effects_plays_no_part(found: list[Effect], random: Any) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)

    assert digest_of_effects(shuffled) == digest_of_effects(found)
