"""The ladder: what is tolerated, with its name, and what is not."""

from typing import Any

import pytest

from trajaudit.datamodel.accept import ExpectedCall
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import ToolCall
from trajaudit.score.argument_match import CallFit, expectation
from trajaudit.score.argument_repair import canonical
from trajaudit.score.call_reading import read_call
from trajaudit.score.ladder import TOLERANCES, highest_step

BOOK = ToolSpec.model_validate(
    {
        "name": "book_table",
        "aliases": {"arguments": {"guests": ["people"]}},
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "required": ["place"],
            "x-zip": [["dishes", "amounts"]],
            "properties": {
                "place": {"type": "string"},
                "guests": {"type": "integer", "default": 2},
                "price": {"type": "number"},
                "table_id": {"type": "string"},
                "big_id": {"type": "integer"},
                "day": {"type": "string", "format": "date"},
                "at": {"type": "string", "format": "date-time"},
                "room": {"enum": ["inside", "outside"]},
                "quiet": {"type": "boolean"},
                "note": {"type": ["string", "null"]},
                "tags": {"type": "array", "items": {"type": "string"}, "x-order": "any"},
                "stops": {"type": "array", "items": {"type": "string"}},
                "dishes": {"type": "array"},
                "amounts": {"type": "array"},
            },
        },
    }
)


def fit(wanted: dict[str, Any], given: object, name: str = "book_table") -> CallFit:
    text = given if isinstance(given, str) else canonical(given)  # type: ignore[arg-type]
    expected = ExpectedCall.model_validate(
        {"tool": "book_table", "arguments": {"place": "Oslo", **wanted}}
    )
    call = ToolCall(call_id="1", tool=name, arguments_text=text)
    return expectation(expected, [BOOK]).fit(read_call(call, [BOOK, ToolSpec(name="other")]))


@pytest.mark.parametrize(
    ("wanted", "given", "tolerance"),
    [
        ({}, {"place": " Oslo "}, "whitespace"),
        ({}, {"place": "OSLO"}, "case"),
        ({}, {"Place": "Oslo"}, "param_case"),
        ({"guests": 3}, {"people": 3}, "param_alias"),
        ({"guests": 3}, {"guests": "3"}, "numeric_string"),
        ({"guests": 3}, {"guests": 3.0}, "int_float"),
        ({"guests": 2}, {}, "default_omitted"),
        ({}, {"guests": 2}, "default_given"),
        ({}, {"note": None}, "null_omitted"),
        ({"price": 0.3}, {"price": 0.1 + 0.2}, "float_noise"),
        ({"table_id": "17"}, {"table_id": 17}, "number_to_string"),
        ({"day": "2025-07-01"}, {"day": "July 1, 2025"}, "date_format"),
        ({"at": "2025-07-01T18:00:00Z"}, {"at": "2025-07-01T20:00:00+02:00"}, "date_format"),
        ({"room": "inside"}, {"room": "INSIDE"}, "enum_case"),
        ({"quiet": False}, {"quiet": "false"}, "boolean_string"),
        ({"tags": ["a", "b"]}, {"tags": ["b", "a"]}, "list_order"),
        ({"tags": ["a"]}, {"tags": "a"}, "scalar_to_list"),
        ({"tags": ["a"]}, {"tags": '["a"]'}, "json_string"),
        (
            {"dishes": ["x", "y"], "amounts": [1, 2]},
            {"dishes": ["y", "x"], "amounts": [2, 1]},
            "zipped_order",
        ),
    ],
)
def test_the_same_call_in_another_form_is_tolerated_by_name(
    wanted: dict[str, Any], given: dict[str, Any], tolerance: str
) -> None:
    place = {} if {"place", "Place"} & given.keys() else {"place": "Oslo"}

    assert fit(wanted, {**place, **given}) == CallFit("tolerated", (tolerance,))
    assert tolerance in TOLERANCES


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ({"guests": 3}, {"guests": 3.5}),
        ({"guests": 1}, {"guests": True}),
        ({"quiet": True}, {"quiet": 1}),
        ({"quiet": True}, {"quiet": "false"}),
        ({"price": 5}, {"price": -5}),
        ({"price": 0.3}, {"price": 0.31}),
        ({"table_id": "A-1a"}, {"table_id": "a-1A"}),
        ({"table_id": "017"}, {"table_id": 17}),
        ({"big_id": 2**53 + 1}, {"big_id": 2**53}),
        ({"big_id": 2**53 + 1}, {"big_id": float(2**53)}),
        ({"day": "2025-07-01"}, {"day": "2025-07-10"}),
        ({"at": "2025-07-01T18:00:00Z"}, {"at": "2025-07-01T18:00:00+02:00"}),
        ({"tags": ["a", "a"]}, {"tags": ["a"]}),
        ({"tags": ["a", "b"]}, {"tags": "a"}),
        ({"stops": ["a", "b"]}, {"stops": ["b", "a"]}),
        ({"dishes": ["x", "y"], "amounts": [1, 2]}, {"dishes": ["y", "x"], "amounts": [1, 2]}),
        ({"note": None}, {"note": "null"}),
        ({"price": 5}, {}),
        ({}, {"guests": 3}),
        ({}, {"unheard_of": 1}),
    ],
)
def test_another_call_is_no_match(wanted: dict[str, Any], given: dict[str, Any]) -> None:
    assert fit(wanted, {"place": "Oslo", **given}).level == "mismatch"


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ({"day": "2025-07-01"}, {"day": "07/01/2025"}),
        ({"at": "2025-07-01T18:00:00Z"}, {"at": "2025-07-01T18:00:00"}),
        ({"price": 1000}, {"price": "1,000"}),
        ({"guests": 2}, {"guests": None}),
    ],
)
def test_a_value_with_two_readings_is_neither(
    wanted: dict[str, Any], given: dict[str, Any]
) -> None:
    assert fit(wanted, {"place": "Oslo", **given}).level == "ambiguous"


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("book_table", "exact"),
        ("BookTable", "tolerated"),
        ("functions.book_table", "tolerated"),
        ("book_tables", "mismatch"),
        ("other", "mismatch"),
    ],
)
def test_a_name_is_restyled_but_never_guessed(name: str, level: str) -> None:
    assert fit({}, {"place": "Oslo"}, name).level == level


def test_cut_arguments_commit_to_nothing() -> None:
    assert fit({}, '{"place": "Oslo"').level == "mismatch"
    assert fit({}, '{"place": "Os').level == "mismatch"


@pytest.mark.parametrize(
    ("matcher", "good", "bad"),
    [
        ({"approx": 5, "within": 0.1}, 5.1, 5.2),
        ({"any_of": [1, 2]}, 2, 3),
        ({"any": True}, 99, None),
        ({"schema": {"minimum": 3}}, 4, 2),
    ],
)
def test_matchers_hold_as_they_stand(matcher: dict[str, Any], good: float, bad: object) -> None:
    assert fit({"price": matcher}, {"place": "Oslo", "price": good}).level == "exact"
    missing = {"place": "Oslo"} if bad is None else {"place": "Oslo", "price": bad}
    assert fit({"price": matcher}, missing).level == "mismatch"


def test_each_tolerance_stands_on_a_step_of_the_ladder() -> None:
    assert highest_step(["code_fence", "numeric_string"]) == "coerced"
    assert highest_step([]) == "exact"


def test_without_a_list_of_tools_a_name_stands_for_itself() -> None:
    expected = ExpectedCall.model_validate({"tool": "get", "arguments": {"n": 1.0}})
    call = ToolCall(call_id="1", tool="get", arguments_text='{"n": 1}')

    assert expectation(expected, []).fit(read_call(call, [])) == CallFit(
        "tolerated", ("int_float",)
    )
