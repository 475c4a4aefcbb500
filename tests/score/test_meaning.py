"""What an argument means: nested defaults, lists that belong together, paths, units, weekdays."""

from typing import Any

import pytest

from trajaudit.datamodel.accept import ExpectedCall
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import ToolCall
from trajaudit.score.argument_match import CallFit, expectation
from trajaudit.score.argument_repair import canonical
from trajaudit.score.call_reading import read_call

ITEM = {
    "type": "object",
    "required": ["n"],
    "properties": {
        "n": {"type": "string"},
        "qty": {"type": "integer", "default": 1},
        "note": {"type": "string"},
        "price": {"type": "number"},
    },
}
OPEN = {"type": "object", "properties": {"n": {"type": "string"}}, "additionalProperties": True}
PAIRED = {"ids": [1, 2], "users": ["a", "b"]}
SHIP = {
    "type": "object",
    "required": ["path"],
    "x-zip": [["ids", "users", "weights"]],
    "properties": {
        "path": {"type": "string"},
        "content": {"type": "string"},
        "from_unit": {"type": "string"},
        "day": {"type": "string", "format": "date"},
        "item": ITEM,
        "items": {"type": "array", "items": ITEM, "x-order": "any"},
        "opens": {"type": "array", "items": OPEN},
        "sets": {"type": "array", "items": OPEN, "x-order": "any"},
        "either": {"type": "array", "items": {"anyOf": [ITEM, {"type": "object"}]}},
        "perhaps": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        "filters": {"type": "object", "additionalProperties": True},
        "ids": {"type": "array"},
        "users": {"type": "array", "items": {"type": "string"}},
        "weights": {"type": "array"},
        "zips": {
            "type": "object",
            "x-zip": [["a", "b"]],
            "properties": {"a": {"type": "array"}, "b": {"type": "array"}},
        },
    },
}
TOOL = ToolSpec.model_validate({"name": "ship", "parameters": SHIP})


def fit(
    wanted: dict[str, Any], given: dict[str, Any], off: frozenset[str] = frozenset()
) -> CallFit:
    expected = ExpectedCall.model_validate(
        {"tool": "ship", "arguments": {n: {"exact": v} for n, v in {"path": "a", **wanted}.items()}}
    )
    call = ToolCall(call_id="1", tool="ship", arguments_text=canonical({"path": "a", **given}))
    return expectation(expected, [TOOL], off).fit(read_call(call, [TOOL], off))


@pytest.mark.parametrize(
    ("wanted", "given", "tolerance"),
    [
        ({"item": {"n": "x", "qty": 1}}, {"item": {"n": "x"}}, "default_omitted"),
        ({"item": {"n": "x"}}, {"item": {"n": "x", "qty": 1}}, "default_given"),
        ({"items": [{"n": "x", "qty": 1}]}, {"items": [{"n": "x"}]}, "default_omitted"),
        ({"item": {"n": "x"}}, {"item": {"n": "x", "note": None}}, "null_omitted"),
        ({"items": [{"n": "x"}]}, {"items": {"n": "x"}}, "scalar_to_list"),
        ({"opens": [{"n": "x"}]}, {"opens": [{"n": "x", "p": 2}]}, "extra_param"),
        (
            {"sets": [{"n": "x"}, {"n": "y"}]},
            {"sets": [{"n": "x", "p": 2}, {"n": "y", "p": 1}]},
            "extra_param",
        ),
        (
            {"ids": [1, 2], "users": ["a", "b"]},
            {"ids": [2, 1], "users": ["b", "a"]},
            "zipped_order",
        ),
        (
            {"ids": [1, 1], "users": ["a", "b"]},
            {"ids": [1, 1], "users": ["b", "a"]},
            "zipped_order",
        ),
        (
            {"zips": {"a": [1, 2], "b": [3, 4]}},
            {"zips": {"a": [2, 1], "b": [4, 3]}},
            "zipped_order",
        ),
        ({"day": "2025-07-01"}, {"day": "Tuesday, July 1, 2025"}, "date_format"),
        ({"perhaps": "2025-07-01"}, {"perhaps": "1 July 2025"}, "date_format"),
        ({"path": "src/a"}, {"path": "./src/a"}, "path_form"),
        ({"path": "src/a"}, {"path": "src//a/"}, "path_form"),
        ({"from_unit": "celsius"}, {"from_unit": "Celsius"}, "case"),
    ],
)
def test_the_same_in_another_form_is_tolerated_by_name(
    wanted: dict[str, Any], given: dict[str, Any], tolerance: str
) -> None:
    assert fit(wanted, given) == CallFit("tolerated", (tolerance,))
    assert fit(wanted, given, frozenset({tolerance})).level == "mismatch"


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ({"item": {"n": "x"}}, {"item": {"n": "x", "qty": 2}}),
        ({"item": {"n": "x", "qty": 2}}, {"item": {"n": "x"}}),
        ({"items": [{"n": "x"}, {"n": "y"}]}, {"items": {"n": "x"}}),
        ({"opens": [{"n": "x", "p": 2}]}, {"opens": [{"n": "x"}]}),
        ({"opens": [{"n": "x", "p": 2}]}, {"opens": [{"n": "x", "p": 3}]}),
        ({"item": {"n": "x"}}, {"item": {"n": "x", "p": 2}}),
        ({"filters": {"year": 1}}, {"filters": {"year": 1, "lang": "en"}}),
        ({"ids": [1, 2], "users": ["a", "b"]}, {"ids": [2, 1], "users": ["a", "b"]}),
        ({"ids": [1, 2], "users": ["a", "b"]}, {"ids": [2, 1], "users": ["b", "a"], "weights": 1}),
        ({"content": "hello"}, {"content": "Hello"}),
        ({"content": "hello"}, {"content": " hello"}),
        ({"from_unit": "MB"}, {"from_unit": "Mb"}),
        ({"path": "src/a"}, {"path": "/src/a"}),
        ({"path": "src/a"}, {"path": "src/../src/a"}),
        ({"path": "a.txt"}, {"path": "a.txt/"}),
        ({"path": "a"}, {"path": "A"}),
    ],
)
def test_another_value_is_no_match(wanted: dict[str, Any], given: dict[str, Any]) -> None:
    assert fit(wanted, given).level == "mismatch"


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ({"day": "2025-07-01"}, {"day": "Monday, July 1, 2025"}),
        ({"item": {"n": "x", "price": 1500}}, {"item": {"n": "x", "price": "1,500"}}),
        ({"perhaps": "2025-07-01"}, {"perhaps": "07/01/2025"}),
    ],
)
def test_a_value_with_two_readings_is_neither(
    wanted: dict[str, Any], given: dict[str, Any]
) -> None:
    assert fit(wanted, given).level == "ambiguous"


def test_a_default_of_one_alternative_is_not_read_into_another() -> None:
    both = {
        "anyOf": [
            {"type": "object", "properties": {"size": {"default": 1}}},
            {"type": "object", "properties": {"size": {"default": 2}, "kind": {}}},
        ]
    }
    tool = ToolSpec.model_validate({"name": "ship", "parameters": {"properties": {"one": both}}})
    expected = ExpectedCall.model_validate(
        {"tool": "ship", "arguments": {"one": {"exact": {"kind": "b"}}}}
    )
    call = ToolCall(call_id="1", tool="ship", arguments_text='{"one": {"kind": "b", "size": 1}}')

    assert expectation(expected, [tool]).fit(read_call(call, [tool])).level == "mismatch"
