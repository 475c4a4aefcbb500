"""A pattern that is tried only where it may find something finds what `re` finds."""

import importlib
import pkgutil
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.score import extract
from trajaudit.score.extract.caseless import Caseless, loosened, starting
from trajaudit.score.extract.number_word import ENGLISH_STARTS
from trajaudit.score.extract.unit import _table, unit_pattern


def _patterns() -> dict[str, Caseless]:
    modules = [
        importlib.import_module(f"{extract.__name__}.{one.name}")
        for one in pkgutil.iter_modules(extract.__path__)
    ]
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Caseless)
    }


PATTERNS = _patterns()
ODD = ("\u017f", "\u212a", "\u0131", "\u0130", "\u2014", "\u7b54\u6848", "\u4e0d\u5bf9")
MARKS = (*" \n\t\x1c.,;:!?'\"`*_#$()[]{}<>=+-/^~%&|\\", "12", "7", "A", "Is", "X.Y.")


def _words(pattern: Caseless) -> list[str]:
    """Words out of a pattern: a soup of them comes close to what it finds."""
    bare = re.sub(r"\\[a-zA-Z]", " ", pattern.pattern)
    return sorted({*re.findall(r"[a-z']+", bare), *re.findall(r"[a-z' ]{3,}", bare)})


def _soups(name: str) -> st.SearchStrategy[str]:
    words = st.sampled_from(_words(PATTERNS[name]))
    said = st.one_of(words, words.map(str.upper), words.map(str.title))
    return st.lists(st.one_of(said, st.sampled_from((*MARKS, " ", " "))), max_size=14).map("".join)


def _assert_as_re(pattern: Caseless, text: str, start: int = 0) -> None:
    whole = re.compile(pattern.pattern, re.IGNORECASE)
    wanted = [match.span() for match in whole.finditer(text, start)]
    assert [match.span() for match in pattern.finditer(text, start)] == wanted
    first, found = whole.search(text, start), pattern.search(text, start)
    assert (found and found.regs) == (first and first.regs)
    head, read = whole.match(text), pattern.match(text)
    assert (read and read.regs) == (head and head.regs)


@pytest.mark.parametrize("name", PATTERNS)
def test_each_pattern_finds_what_re_finds(name: str) -> None:
    @given(_soups(name), st.integers(0, 3))
    def check(text: str, start: int) -> None:
        _assert_as_re(PATTERNS[name], text, start)

    check()


@given(st.sampled_from(sorted(PATTERNS)), st.lists(st.sampled_from((*ODD, *MARKS, "is", "s", "k"))))
def test_text_that_is_not_ascii_is_read_by_re_alone(name: str, parts: list[str]) -> None:
    _assert_as_re(PATTERNS[name], "".join(parts))


@pytest.mark.parametrize("letter", ["\u017f", "\u212a", "\u00dc"])
def test_a_letter_that_is_no_ascii_fits_as_it_does_for_re(letter: str) -> None:
    for text in (letter, f"a {letter}"):
        _assert_as_re(Caseless("s|k|\u00fc"), text)
        assert Caseless("s|k|\u00fc").search(text) is not None


@pytest.mark.parametrize("name", PATTERNS)
def test_each_pattern_is_written_in_lower_case(name: str) -> None:
    bare = re.sub(r"\\.|A-Za-z", "", PATTERNS[name].pattern)
    assert bare == bare.lower()


@pytest.mark.parametrize(
    ("pattern", "loose"),
    [
        (r"(?<!at )\ba(?!b(?:c|[)]))d$", r"(?-u:\b)ad\n?\z"),
        (r"(?m)^x{0,20}y{1,9}z{2}$", r"(?m)^x*y+z{2}$"),
        (r"[\w[\]]\s\W", r"[0-9a-z_\[\]][\s\x1c-\x1f][^0-9a-z_]"),
    ],
)
def test_the_looser_pattern_has_no_look_around_and_counts_nothing(pattern: str, loose: str) -> None:
    assert loosened(pattern) == loose


def test_what_stands_before_a_last_line_end_is_found() -> None:
    assert Caseless("so$").search("And SO\n") is not None


@pytest.mark.parametrize("word", sorted({*_table(), *ENGLISH_STARTS}))
def test_each_word_begins_as_one_of_the_words(word: str) -> None:
    start = starting((*_table(), *ENGLISH_STARTS))
    for written in (word, word.upper(), word.lower()):
        if re.fullmatch(re.escape(word), written, re.IGNORECASE):
            assert re.match(start, written, re.IGNORECASE)


def test_other_words_begin_otherwise() -> None:
    assert re.match(starting(("cup", "k")), "cap") is None
    assert re.fullmatch(unit_pattern(), "metres", re.IGNORECASE)
    assert re.match(unit_pattern(), "eggs", re.IGNORECASE) is None
