"""A schema's plain checks: what they let pass, the validator lets pass."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema.validators import validator_for

from trajaudit.score.matcher import schema_faults
from trajaudit.score.plain_schema import plain_check

LEAVES: list[Any] = [
    {"type": "string"},
    {"type": "integer", "description": "a whole number"},
    {"type": "number", "default": 1},
    {"type": "boolean"},
    {"type": ["integer", "null"]},
    {"type": "string", "enum": ["a", "b"]},
    {"type": "array", "items": {"type": "integer"}},
    {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Note"},
    {"type": "integer", "minimum": 0, "maximum": 1.5},
    {"type": "number", "maximum": 2, "format": "int64"},
    {"type": "integer", "minimum": -1, "exclusiveMinimum": 0, "exclusiveMaximum": 2},
    {"type": "string", "minLength": 1},
    {"type": "string", "enum": ["a", "bb"], "maxLength": 1},
    {"type": "array", "minItems": 1, "maxItems": 1},
    {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]},
]
DRAFTS = [
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
]
SCHEMAS = st.builds(
    lambda properties, required, closed, draft: {
        "type": "object",
        "properties": properties,
        "required": required,
        **({} if closed is None else {"additionalProperties": closed}),
        **({} if draft is None else {"$schema": draft}),
    },
    st.dictionaries(st.sampled_from("pqr"), st.sampled_from(LEAVES), max_size=3),
    st.lists(st.sampled_from("pqr"), max_size=2, unique=True),
    st.sampled_from([None, True, False]),
    st.sampled_from([None, *DRAFTS]),
)
VALUES = st.dictionaries(
    st.sampled_from("pqrs"),
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from("abc")
    | st.lists(st.integers() | st.booleans() | st.text(max_size=2), max_size=2),
    max_size=4,
)  # fmt: skip


@settings(deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_what_passes_plainly_is_valid(schema: dict[str, Any], value: dict[str, Any]) -> None:
    check = plain_check(schema)
    valid = validator_for(schema)(schema).is_valid(value)
    assert check is not None
    assert check(value) <= valid
    assert bool(schema_faults(schema, value)) is not valid


@settings(deadline=None)
@given(schema=st.sampled_from(LEAVES), value=VALUES.map(lambda one: one.get("p")))
def test_what_passes_a_leaf_plainly_is_valid(schema: dict[str, Any], value: Any) -> None:
    check = plain_check(schema)
    assert check is not None
    assert check(value) <= validator_for(schema)(schema).is_valid(value)


def test_the_usual_call_passes_plainly() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    check = plain_check(schema)
    assert check is not None
    assert check({"n": 3})
    assert not check({"n": True})
    assert not check({})
    assert not check([])


@pytest.mark.parametrize(
    ("schema", "fitting"),
    [
        ({"type": "integer", "minimum": 1, "exclusiveMaximum": 3}, [1, 2]),
        ({"type": "number", "exclusiveMinimum": 1, "maximum": 2.5}, [2, 2.5]),
        ({"type": "string", "minLength": 1, "maxLength": 2}, ["a", "ab"]),
        ({"type": "array", "minItems": 1, "maxItems": 2}, [[1], [1, 2]]),
    ],
)
def test_bounds_are_kept_plainly(schema: dict[str, Any], fitting: list[Any]) -> None:
    check = plain_check(schema)
    values = [None, 0, 1, 2, 2.5, 3, "", "a", "ab", "abc", [], [1], [1, 2], [1, 2, 3]]

    assert check is not None
    assert [value for value in values if check(value)] == fitting
    assert [value for value in values if validator_for(schema)(schema).is_valid(value)] == fitting


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 3}}},
        {"type": "object", "properties": {"n": {"type": "integer", "minimum": "3"}}},
        {"type": "object", "properties": {"n": {"type": "integer", "minLength": 3}}},
        {"type": ["integer", "null"], "minimum": 3},
        {"type": "boolean", "": 3},
        {"type": "integer", "minimum": 3, "exclusiveMinimum": True},
        {"type": {"a": 1}},
        {"type": "object", "$schema": "http://json-schema.org/draft-03/schema#"},
        {"type": "object", "$schema": ["http://json-schema.org/draft-07/schema#"]},
        {"type": "object", "patternProperties": {".*": {"type": "string"}}},
        {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}},
        {"type": "objekt"},
        {"type": "object", "required": "n"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"anyOf": []},
        {"type": "string", "enum": ["a", 1]},
        {},
        True,
    ],
)
def test_what_says_more_is_left_to_the_validator(schema: object) -> None:
    assert plain_check(schema) is None


def test_a_schema_that_holds_itself_ends() -> None:
    schema: dict[str, Any] = {"type": "array"}
    schema["items"] = schema
    assert plain_check(schema) is None
