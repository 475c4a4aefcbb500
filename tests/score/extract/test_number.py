"""What needs no look, or a short one, is read as by the long way."""

import re
from decimal import Decimal
from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajaudit.datamodel.target import NumberTarget
from trajaudit.score.extract import number, number_form
from trajaudit.score.extract.asked import is_before
from trajaudit.score.extract.glyph import _plain, plain
from trajaudit.score.extract.number_form import rewritten
from trajaudit.score.extract.number_pattern import _CURRENCIES, SCALES, quantity_pattern
from trajaudit.score.extract.number_word import ENGLISH_STARTS
from trajaudit.score.extract.numeral import Convention
from trajaudit.score.extract.strict import is_written
from trajaudit.score.extract.unit import _table

PIECES = (
    *("7", "21", "3.5", "1,234", "1,2,3", "12,5", "0.25", ".5", "10^3", "3/4", "2nd", "40%", "$5"),
    *("\u00bd", "3\u00b2", "\u56db\u5341\u4e8c", "\u767e\u5206\u4e94", "\u7b2c", "\u0662"),
    *("one", "A dozen", "forty-two", "k", "km", "USD", "million", "pi", "EUR 3", "half"),
    "K\u212a",
    *(
        " ",
        " ",
        "-",
        "+",
        "\u2013",
        "\u00b1",
        "minus ",
        "Minu\u017f ",
        "sqrt(",
        "\u221a",
        "v",
        "x_",
    ),
    *("(", ")", ".", ",", ":", "/", "\n", "=", "e", "s", "#", "the ", "makes "),
)
NEXT = ("7", "1,2", "3.5", "\u00bd", "km", "$", "%", *" ,.:/_x-+\u00b1\u2013(#\n", "sqrt(", "minus")
CONVENTIONS = (Convention(), Convention("."), Convention(","))


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), st.sampled_from(CONVENTIONS))
def test_plain_digits_are_read_as_every_quantity_is(text: str, convention: Convention) -> None:
    slow: list[number.Quantity] = []
    for match in quantity_pattern(text).finditer(text):
        if number._is_inside_token(text, match):
            continue
        one = number._quantity(text, match, convention)
        if one is None:
            continue
        if one.value is None and match["digits"] and "," in match["digits"]:
            slow.extend(number._listed(match, convention))
        else:
            slow.append(one)
    assert number.quantities(text, convention) == slow


WORDS = (*filter(str.isascii, _table()), *ENGLISH_STARTS, "and", "point", "thirds", "US$", "e5")


def _assert_both_patterns_find_the_same(text: str) -> None:
    short, whole = (quantity_pattern(beside).finditer(text) for beside in ("a", "\u00e9"))
    for one, other in zip_longest(short, whole):
        assert (one.span(), one.lastgroup) == (other.span(), other.lastgroup)
        assert one.groupdict() == other.groupdict()


@given(st.lists(st.sampled_from((*filter(str.isascii, PIECES), *WORDS)), max_size=9).map("".join))
def test_the_pattern_for_ascii_finds_what_the_whole_one_does(text: str) -> None:
    _assert_both_patterns_find_the_same(text)


def test_the_pattern_for_ascii_knows_each_word_that_the_whole_one_knows() -> None:
    for word in (*WORDS, *filter(str.isascii, SCALES), *filter(str.isascii, _CURRENCIES)):
        for text in (f"7 {word}", f"{word} 7", f"12.5{word.upper()}s", f"two-{word} and {word}"):
            _assert_both_patterns_find_the_same(text)


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_nothing_but_digits_is_a_match_whose_last_group_is_the_digits(text: str) -> None:
    for match in quantity_pattern(text).finditer(text):
        if match.lastgroup == "digits" and match.start() == match.start("digits"):
            assert [name for name, said in match.groupdict().items() if said] == ["digits"]
            assert match[0] == match["digits"]


def _is_joined_by_the_patterns(text: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return bool(
        (
            before[-1:] in ("\u221a", "(")
            and number._FUNCTION.search(text[max(0, start - 5) : start])
        )
        or (match["currency"] is None and number._JOINED_BEFORE.search(before))
        or (not match["unit"] and number._JOINED_AFTER.match(after))
        or (number._WORD_AFTER.match(after) and not number._is_cjk_boundary(match))
    )


@given(st.lists(st.sampled_from(NEXT), max_size=9).map("".join))
def test_digits_are_joined_where_the_patterns_say_so(text: str) -> None:
    for match in quantity_pattern(text).finditer(text):
        assert number._is_joined(text, match) == _is_joined_by_the_patterns(text, match)


@given(st.lists(st.sampled_from(NEXT), max_size=9).map("".join))
def test_no_sign_is_overlooked(text: str) -> None:
    for match in quantity_pattern(text).finditer(text):
        if number._sign(text, match) == (1, match.start(), False) and not match["currency"]:
            before = text[max(0, match.start() - 12) : match.start()]
            assert number._SIGN_WORD.search(before) is None
            assert before.rstrip(" ")[-1:] != "\u00b1"
            mark = number._SIGN_MARK.search(before)
            at = match.start() - len(mark[0]) if mark else 0
            assert mark is None or not number._is_sign(text, at, spaced=bool(mark[2]))


@pytest.mark.parametrize("language", ["de", "fr"])
def test_each_number_word_is_found_without_asking_the_language_of_other_text(language: str) -> None:
    table = number_form._TABLES[language]()
    for word, value in list(table.items())[::7] + list(table.items())[:100]:
        assert rewritten(f"c'{word}!", question="", language=lambda: language) == f"c'{value}!"


def test_text_without_number_words_is_not_asked_for_its_language() -> None:
    def asked() -> str:
        raise AssertionError

    assert rewritten("The total is 21.", question="", language=asked) == "The total is 21."


NOUNS = ("apple", "_x_", "it'", "", "gla", "b-c")


@given(
    st.lists(st.sampled_from((*NOUNS, " ", "*", "_", "s", "es", "more", "big", "9", "\n"))),
    st.lists(st.sampled_from(NOUNS), min_size=1, max_size=3),
)
def test_a_noun_comes_next_where_a_pattern_of_the_nouns_says_so(
    parts: list[str], nouns: list[str]
) -> None:
    after = "".join(parts)
    either = "|".join(f"{re.escape(noun)}(?:s|es)?" for noun in nouns)
    pattern = rf"[\s*_]*(?:more |less |fewer |[a-z]+ )?(?:{either})\b"
    assert is_before(after, tuple(nouns)) == bool(re.match(pattern, after))


@given(st.text(alphabet="a\u00e9\t\r\n\u2212\u2019\u3000\uff21\uff11\u0663\u7b54\u4dc0\x85\u200b1"))
def test_plain_characters_are_those_of_each_character(text: str) -> None:
    each = [char if char.isalpha() and char < "\uff00" else _plain(char) for char in text]
    assert plain(text) == "".join(each)


@pytest.mark.parametrize("value", ["21", "1E+3", "0.50", "-7", "1E+500", "2.5E-9"])
def test_a_number_is_written_as_it_is_declared_or_in_plain_digits(value: str) -> None:
    declared = Decimal(value)
    target = NumberTarget(number=declared)
    assert is_written(value, target)
    assert is_written(format(declared, "f"), target) is (abs(declared.adjusted()) < 400)
