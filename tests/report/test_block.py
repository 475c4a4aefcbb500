import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.report.block import Block, block, indent_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _text(made: Block) -> str:
    return "".join(text for text, _ in made.parts)


def test_json_is_indented_and_its_digits_stay() -> None:
    text = '{"total":1.50,"id":1152921504606846977,"id":[],"n":{"deep":[1,{}]}}'

    assert (indent_json(text) or "").splitlines() == [
        "{",
        '  "total": 1.50,',
        '  "id": 1152921504606846977,',
        '  "id": [],',
        '  "n": {',
        '    "deep": [',
        "      1,",
        "      {}",
        "    ]",
        "  }",
        "}",
    ]


@given(st.lists(JSON) | st.dictionaries(st.text(), JSON))
def test_indenting_changes_no_token(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=3)):
        indented = indent_json(text)

        assert indented is not None
        assert json.loads(indented) == value
        assert re.findall(r"\S", indented) == re.findall(r"\S", text)


@pytest.mark.parametrize(
    "text", ["plain", "{not json}", '"a string"', "42", "", '{"cut": ', "[" * 100_000]
)
def test_what_is_no_json_stays_as_it_is(text: str) -> None:
    assert indent_json(text) is None


def test_short_json_and_verbatim_text_keep_their_line() -> None:
    long = json.dumps({"key": "v" * 100})

    assert _text(block('{"ok": true}')) == '{"ok": true}'
    assert _text(block(long, verbatim=True)) == long
    assert block(long).is_json


def test_long_text_is_folded_and_whole() -> None:
    text = "word " * 1000

    made = block(text)
    assert made.folded
    assert _text(made) == text
    assert made.size == "5,000 characters, 1 line"
    assert len(made.head) <= 140
    assert not block("short").folded


def test_the_first_place_of_a_quote_is_marked() -> None:
    made = block("he paid 42.50 and then 42.50", ["42.50", "not there", " "])

    assert made.parts == (("he paid ", False), ("42.50", True), (" and then 42.50", False))
    assert made.marked


def test_overlapping_quotes_lose_no_text() -> None:
    made = block("abcdef", ["abcd", "cdef", "abcd"])

    assert _text(made) == "abcdef"
    assert made.parts[0] == ("abcd", True)


@given(st.text(), st.lists(st.text(max_size=3)))
def test_marking_never_changes_the_text(text: str, quotes: list[str]) -> None:
    made = block(text, quotes, verbatim=True)

    assert _text(made) == _text(block(text, verbatim=True))


def test_a_quote_with_escapes_is_found_in_the_escaped_text() -> None:
    assert block("a\x1b[31mb", ["\x1b[31m"]).parts[1] == ("\\x1b[31m", True)
