"""Screening never says no where a pattern would find something."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trajaudit.score.screen import Screen, found_from, lowered, may_hold

_ODD = "\u0131\u0130\u017f\u212a\xa0\u3000\x1c\u00e9\u00bd\ud800"
_PATTERN = re.compile(
    r"(?i)\bask(?:s|ed)?\b[^.\n]{0,9}\b(?:kin|sit)\b|<\s*is\s*/?\s*>|\bi(?:'ve)? skis?\b"
)


@given(st.text(alphabet=f"tasksSKkIi{_ODD} \u7b54"))
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


@given(
    st.tuples(st.text(alphabet=f"k {_ODD}"), st.from_regex(_PATTERN), st.text(alphabet=f"s {_ODD}"))
)
@example(("", "ask 1234567 kin", ""))
@example(("\u0301", "ask sit", ""))
@example(("", "<\x1cis>", ""))
def test_a_screen_lets_pass_all_that_its_pattern_finds(parts: tuple[str, str, str]) -> None:
    text = "".join(parts)
    assert Screen(_PATTERN).may_find(lowered(text)) or _PATTERN.search(text) is None


@given(st.text(alphabet=f"<is/>kn .\n{_ODD}"))
def test_a_screen_keeps_back_only_what_its_pattern_does_not_find(text: str) -> None:
    assert Screen(_PATTERN).may_find(lowered(text)) or _PATTERN.search(text) is None


@pytest.mark.parametrize("text", ["", "They ask. All sit.", "<this>", "\u00fcber alles"])
def test_a_screen_keeps_back_what_is_plainly_nothing(text: str) -> None:
    assert not Screen(_PATTERN).may_find(lowered(text))


@pytest.mark.parametrize("pattern", ["is", "(?i)Is", r"(?i)\w", "(?i)is$", "(?i)^is", "(?i)(?=is)"])
def test_what_the_engines_read_otherwise_is_not_screened(pattern: str) -> None:
    with pytest.raises(ValueError, match="cannot screen"):
        Screen(re.compile(pattern))


def test_a_text_that_is_no_unicode_is_never_screened_away() -> None:
    assert may_hold(lowered("a \ud800 task"), ("benchmark",))


@given(st.text(alphabet=f"aZ\u00c9\u212b\u1e9e{_ODD}"))
def test_only_ascii_letters_are_lowered(text: str) -> None:
    lower = lowered(text)
    if lower is not None:
        assert lower == re.sub("[A-Z]", lambda found: found[0].lower(), text)
