"""What a path demands is worked out once, whoever lists it, and in no order of its own."""

from typing import Any

from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.path_plan import PathPlan, plan_paths

TOOLS = [ToolSpec(name="look", effect="read"), ToolSpec(name="pay"), ToolSpec(name="tell")]


def plan(*calls: dict[str, Any], **path: object) -> PathPlan:
    accept = Accept.model_validate({"paths": [{"name": "p", "calls": list(calls), **path}]})
    return plan_paths(accept, TOOLS).paths[0]


def call(tool: str, **more: object) -> dict[str, Any]:
    return {"tool": tool, "arguments": {}, **more}


def paying(amount: object) -> dict[str, Any]:
    return call("pay", arguments={"amount": amount})


def test_equal_demands_are_of_one_kind_and_counted_by_it() -> None:
    found = plan(paying(1), paying(2), paying(1), call("pay", optional=True))

    assert len(found.distinct) == 3
    assert sorted(found.needed("strict")) == [0, 1, 2]


def test_values_that_only_look_equal_are_different_demands() -> None:
    found = plan(paying(1), paying(1.0), paying(True), paying("1"), paying(0.0), paying(-0.0))

    assert len(found.distinct) == 6


def test_a_call_keeps_its_own_name_though_another_path_demands_the_same() -> None:
    first = {"name": "a", "calls": [call("pay", id="one"), call("tell")], "before": []}
    second = {
        "name": "b",
        "calls": [call("pay", id="two"), call("tell", id="last")],
        "before": [["two", "last"]],
    }
    accept = Accept.model_validate({"paths": [first, second]})

    a, b = plan_paths(accept, TOOLS).paths

    assert a.wanted[0] is b.wanted[0]
    assert (a.before("strict"), len(b.before("strict"))) == (frozenset(), 1)


def test_the_order_in_which_calls_are_listed_changes_no_key() -> None:
    one, other = plan(paying(1), call("tell")), plan(call("tell"), paying(1))

    assert one.keys == other.keys
    assert one.places == other.places[::-1]


def test_reading_is_not_needed_where_something_else_is_done() -> None:
    found = plan(call("look"), call("pay"))

    assert [sum(found.required("strict")), sum(found.required("lenient"))] == [2, 1]
    assert plan(call("look")).required("lenient") == [True]


def test_a_task_is_laid_out_once() -> None:
    accept = Accept.model_validate({"paths": [{"name": "p", "calls": [call("pay")]}]})

    assert plan_paths(accept, TOOLS) is plan_paths(accept, TOOLS)
    assert plan_paths(accept, TOOLS) is not plan_paths(accept.model_copy(), TOOLS)
