"""Parse first, repair only on failure, and never complete what was cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.score.json_text import Reading, Unreadable, read_json, read_object


@pytest.mark.parametrize(
    ("text", "value", "repairs"),
    [
        ('{"a": "x, ] // \'y\'"}', {"a": "x, ] // 'y'"}, ()),
        ('```json\n{"a": 1}\n```', {"a": 1}, ("code_fence",)),
        ("{'a': True, 'b': None}", {"a": True, "b": None}, ("python_literal",)),
        ('{"a": 1,}', {"a": 1}, ("trailing_comma",)),
        ('{"a": 1 /* one */}', {"a": 1}, ("json_comment",)),
        ('{a: "x"}', {"a": "x"}, ("unquoted_key",)),
        ('{"a": "x\ny"}', {"a": "x\ny"}, ("control_char",)),
        ('Here: {"a": 1}', {"a": 1}, ("surrounding_text",)),
        ('{"a": 1}}', {"a": 1}, ("extra_brace",)),
        ('"{\\"a\\": 1}"', {"a": 1}, ("json_string",)),
        ('{"a": 9007199254740993,}', {"a": 2**53 + 1}, ("trailing_comma",)),
    ],
)
def test_a_slip_of_form_is_repaired_by_name(
    text: str, value: object, repairs: tuple[str, ...]
) -> None:
    assert read_object(text) == Reading(value, repairs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a": "x', "cut"),
        ('{"a": 1', "cut"),
        ('{"a": "x"', "cut"),
        ("", "cut"),
        ('{"a": 1} {"a": 2}', "conflict"),
        ('{"a": 1, "a": 2}', "conflict"),
        ('{"a": "say "x" now"}', "not_json"),
        ('{"a": NaN}', "not_json"),
        ('["a"]', "not_json"),
        ("no json", "not_json"),
        ("[" * 5000, "not_json"),
    ],
)
def test_what_has_no_single_reading_is_not_read(text: str, kind: str) -> None:
    found = read_object(text)

    assert isinstance(found, Unreadable)
    assert found.kind == kind


@given(st.text(max_size=60))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    assert isinstance(read_json(text), (Reading, Unreadable))


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=9) | st.integers() | st.booleans()))
def test_valid_json_is_never_touched(value: dict[str, object]) -> None:
    assert read_object(json.dumps(value)) == Reading(value)  # type: ignore[arg-type]


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=9), min_size=1), st.integers(1, 400))
def test_no_cut_text_is_ever_completed(value: dict[str, str], at: int) -> None:
    text = json.dumps(value)

    assert isinstance(read_object(text[: at % len(text)]), Unreadable)
