"""The tools of a task: found by name, and remembered with what was asked of them."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.test_plain_schema import SCHEMAS, VALUES
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import ToolCall
from trajaudit.score.call_reading import read_call
from trajaudit.score.tool_registry import registry_of
from trajaudit.score.tool_schema import check_schema

TOOLS = (ToolSpec(name="look", effect="read"), ToolSpec(name="pay"))
NONE = frozenset[str]()


def test_the_same_tools_have_one_registry_and_others_another() -> None:
    assert registry_of(TOOLS) is registry_of(list(TOOLS))
    assert registry_of(TOOLS) is not registry_of(TOOLS[:1])


def test_what_nobody_declared_may_write() -> None:
    registry = registry_of(TOOLS)

    assert [registry.effect(name) for name in ("look", "pay", "other", None)] == [
        "read",
        "write",
        "write",
        "write",
    ]
    assert registry.spec("other") is None


def test_a_tolerance_that_is_off_leaves_a_name_unknown_though_it_was_known_before() -> None:
    registry = registry_of(TOOLS)

    assert registry.resolve("Look", NONE).name == "look"
    refused = registry.resolve("Look", frozenset({"tool_name_style"}))
    assert (refused.name, refused.nearest) == (None, "look")


def test_the_same_text_is_read_once_for_each_tool() -> None:
    registry = registry_of(TOOLS)
    once = registry.arguments("pay", '{"amount": "1"}', None, NONE)

    assert registry.arguments("pay", '{"amount": "1"}', None, NONE) is once
    assert registry.arguments("look", '{"amount": "1"}', None, NONE) is not once


def test_where_there_is_no_text_the_parsed_arguments_count_each_time() -> None:
    registry = registry_of(TOOLS)

    found = [registry.arguments("pay", "", {"amount": n}, NONE).strict for n in (1, 2)]

    assert found == [{"amount": 1}, {"amount": 2}]


def test_a_long_text_is_not_kept() -> None:
    registry = registry_of(TOOLS)
    text = '{"note": "' + "x" * 2000 + '"}'

    first, second = (registry.arguments("pay", text, None, NONE) for _ in range(2))

    assert first is not second
    assert first.identity == second.identity


@settings(deadline=None)
@given(
    schema=SCHEMAS | st.just({"type": "object", "minProperties": 1}),
    value=VALUES,
    end=st.sampled_from(["", " ", "}", ', "p": 1}', '"']),
)
def test_a_call_that_fits_plainly_has_no_fault(
    schema: dict[str, Any], value: dict[str, Any], end: str
) -> None:
    tools = [ToolSpec(name="pay", parameters=schema)]
    text = json.dumps(value)
    for written in (text, text + end, text[:-1] + end, end):
        call = ToolCall(call_id="1", tool="pay", arguments_text=written, arguments={"p": 1})
        reading = read_call(call, tools)
        if reading.fits_plainly:
            assert not check_schema(reading, tools).strict


def test_the_usual_call_fits_plainly_and_what_is_unknown_does_not() -> None:
    registry = registry_of(TOOLS)

    assert registry.fits_plainly("pay", '{"amount": 1.5, "to": ["a"]}')
    assert not registry.fits_plainly("other", "{}")
    assert not registry.fits_plainly(None, "{}")
    assert not registry.fits_plainly("pay", "")


def test_arguments_that_are_no_object_fit_nothing_whatever_a_schema_says() -> None:
    schema = {"anyOf": [{"type": "object"}, {"type": "null"}]}
    registry = registry_of((ToolSpec(name="look", parameters=schema),))

    assert registry.fits_plainly("look", "{}")
    assert not registry.fits_plainly("look", "null")
