"""What a text says as JSON, to the letter; and the fast ways say what the slow one says."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue

from trajaudit.score.argument_repair import canonical
from trajaudit.score.strict_json import parse_plain_objects, parse_strictly

_PIECES = st.sampled_from(
    [
        *"{}[]:,",
        '"',
        '"a"',
        '"b"',
        "1",
        "1.5",
        "true",
        "\n",
        " ",
        '\\"',
        '{"a": 1}',
        "{}",
        "18446744073709551616",
    ]
)
_TEXTS = st.lists(
    st.one_of(
        st.lists(_PIECES, max_size=9).map("".join),
        st.dictionaries(st.sampled_from("abc:{"), st.sampled_from(["x:y", 1, True, None])).map(
            json.dumps
        ),
    ),
    max_size=5,
)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"a": NaN}',
        '{"a": Infinity}',
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": 1} 2',
        "[",
    ],
)
def test_what_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):
        parse_strictly(text)


def test_no_digit_of_an_integer_is_lost() -> None:
    assert parse_strictly('{"n": 123456789012345678901}') == {"n": 123456789012345678901}


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_strictly('{"a":' * 100_000)


def slowly(text: str) -> JsonValue:
    """Parse a plain object without the fast way: blanks before it are allowed."""
    return parse_strictly(" " + text)


@given(_TEXTS)
@example(['{"a": 1', '"b": 2}', "{},{}"])
@example(["{}", '{"a": "x', 'y"}', "{},{}"])
@example(['{"a": ":"', '"b": 2}', '{"c": 1},{}'])
@example(["{},{}", '{"a": 1', '"b": 2}'])
@example(['{"a": 1, "a": 2}'])
def test_objects_that_are_parsed_in_one_go_are_those_that_each_text_says(texts: list[str]) -> None:
    together = parse_plain_objects(texts)

    if together is not None:
        assert [canonical(value) for value in together] == [
            canonical(slowly(text)) for text in texts
        ]


def test_plain_objects_are_parsed_in_one_go() -> None:
    assert parse_plain_objects(['{"a": 1}', "{}", ' {"b": "x", "c": null} ']) is not None
    assert parse_plain_objects(['{"a": 1}', '{"a": {}}']) is None
