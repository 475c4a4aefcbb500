"""Screening never says no where a pattern would find something."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.score.screen import found_from, lowered, may_hold


@given(st.text(alphabet="tasksSKkIi\u0131\u0130\u017f\u212a \u00e9\u7b54"))
def test_what_a_pattern_without_case_finds_is_never_screened_away(text: str) -> None:
    for word in ("task", "is", "k"):
        if re.search(f"(?i){word}", text):
            assert may_hold(lowered(text), (word,))


@pytest.mark.parametrize("text", ["a plain sentence", "\u00fcber alles", "\u7b54\u6848"])
def test_a_text_without_the_words_is_screened_away(text: str) -> None:
    assert not may_hold(lowered(text), ("benchmark", "dataset"))


def test_case_plays_no_part() -> None:
    assert may_hold(lowered("The GOLD Patch"), ("gold",))


@given(st.text(alphabet="tTaAsSkK\u0131\u0130\u017f\u212a \n"))
def test_what_begins_with_a_word_is_found_as_by_the_pattern_alone(text: str) -> None:
    pattern = re.compile(r"(?i)\b(?:task|at)\s*(?:[a-z]\s*){0,2}")
    found = [match.span() for match in found_from(pattern, text, ("task", "at"))]
    assert found == [match.span() for match in pattern.finditer(text)]
