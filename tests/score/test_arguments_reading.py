"""The arguments of a call, read strictly and as a careful reader takes them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.argument_repair import canonical
from trajaudit.score.arguments_reading import (
    ArgumentsReading,
    identities_of_texts,
    identity_of,
    identity_of_text,
)

PAY = ToolSpec.model_validate(
    {
        "name": "pay",
        "parameters": {"properties": {"amount": {"type": "number"}, "note": {"type": "string"}}},
    }
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(max_size=2), VALUES, max_size=3)


def read(
    text: str, given_: JsonValue = None, off: frozenset[str] = frozenset()
) -> ArgumentsReading:
    return ArgumentsReading(text, given_, PAY, off)


@given(OBJECTS, OBJECTS)
def test_identities_are_equal_exactly_if_the_arguments_are(
    one: dict[str, JsonValue], other: dict[str, JsonValue]
) -> None:
    assert (identity_of(one) == identity_of(other)) == (canonical(one) == canonical(other))


@pytest.mark.parametrize("pair", [(1, 1.0), (1, True), ("1", 1), (float("nan"), None)])
def test_values_that_only_look_equal_have_other_identities(pair: tuple[JsonValue, ...]) -> None:
    one, other = ({"a": value} for value in pair)

    assert identity_of(one) != identity_of(other)


def test_several_texts_have_the_identities_of_each() -> None:
    for texts in (['{"a": 1}', '{ "a" :1}'], ['{"a": {"b": 1.5}}', "{}"]):
        assert identities_of_texts(texts) == [identity_of_text(text) for text in texts]
    assert identities_of_texts(["{}", "[]"]) is None


def test_the_parsed_arguments_count_only_where_there_is_no_text() -> None:
    assert read("", {"amount": 1}).strict == {"amount": 1}
    assert read('{"amount": 2}', {"amount": 1}).strict == {"amount": 2}
    assert read("", [1]).strict is None


def test_a_whole_call_in_place_of_its_arguments_is_opened_by_name() -> None:
    form = read(json.dumps({"name": "pay", "arguments": {"amount": 1}})).form
    other = read(json.dumps({"name": "buy", "arguments": {"amount": 1}})).form

    assert (form.raw if form else None) == {"amount": 1}
    assert sorted(other.raw if other else {}) == ["arguments", "name"]


def test_a_repair_that_is_off_leaves_the_text_unreadable() -> None:
    assert read('{"amount": 1,}').form is not None
    assert read('{"amount": 1,}', off=frozenset({"trailing_comma"})).form is None
    assert read('{"amount": ').form is None


def test_names_and_types_are_put_right_and_what_was_written_is_kept() -> None:
    form = read('{"Amount": "2"}').form
    assert form is not None

    assert (form.raw, form.repaired) == ({"amount": "2"}, {"amount": 2})
    assert form.rungs == {"amount": ("param_case", "numeric_string")}
