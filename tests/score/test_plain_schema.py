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
]
SCHEMAS = st.builds(
    lambda properties, required, closed: {
        "type": "object",
        "properties": properties,
        "required": required,
        **({} if closed is None else {"additionalProperties": closed}),
    },
    st.dictionaries(st.sampled_from("pqr"), st.sampled_from(LEAVES), max_size=3),
    st.lists(st.sampled_from("pqr"), max_size=2, unique=True),
    st.sampled_from([None, True, False]),
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
    "schema",
    [
        {"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}},
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
