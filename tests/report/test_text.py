import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.report.text import one_line, visible


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("abc\u202egnp.exe", "abc\\u202egnp.exe"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("line\u2028break", "line\\u2028break"),
        ("secret\U000e0041tag", "secret\\U000e0041tag"),
        ("half \ud83d pair", "half \\ud83d pair"),
        ("over\rwrite", "over\\x0dwrite"),
        ("\x00\x08\x7f", "\\x00\\x08\\x7f"),
    ],
)
def test_what_would_act_is_shown_as_an_escape(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown


@pytest.mark.parametrize(
    "harmless",
    [
        "plain",
        "tab\tand\nline",
        "שלום",
        "مرحبا",
        "東京",
        "é",
        "👩\u200d👩\u200d👧",
        "می\u200cخواهم",
    ],
)
def test_letters_of_every_script_stay(harmless: str) -> None:
    assert visible(harmless) == harmless


@given(st.text(st.characters()))
def test_nothing_that_acts_is_left(text: str) -> None:
    shown = visible(text)

    assert not any(ord(char) < 0x20 and char not in "\t\n" for char in shown)
    assert not set(shown) & set("\x7f\x9b\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    shown.encode()


def test_one_line_folds_blanks_and_says_when_it_cut() -> None:
    assert one_line(" a\n\tb  c ") == "a b c"
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("abcd", 4) == "abcd"
