"""Which quantities does a piece of text name?

Finds figures, powers, fractions, number words and Chinese numerals with sign, percent sign, scale
word and unit, as exact fractions. Tokens only: digits inside a word, an identifier, a clock time
or a version are no quantity.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from trajaudit.score.extract.caseless import Caseless
from trajaudit.score.extract.number_pattern import SCALES, VULGAR, quantity_pattern
from trajaudit.score.extract.number_word import english, han
from trajaudit.score.extract.numeral import Convention, parse_numeral
from trajaudit.score.extract.unit import Unit, find_unit, is_currency

MAX_DIGITS = 400
"""Longer figures, and powers with more digits, are read as no value: no reply means them."""

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


class Quantity(NamedTuple):
    """A value as it is written at `start:end`; percent and unit are kept beside the value."""

    value: Fraction | None
    start: int
    end: int
    percent: bool = False
    unit: Unit | None = None
    word: bool = False
    """Written in words, or scaled by a word."""
    plus_minus: bool = False
    grouped: bool = False
    """Digits were grouped, or a decimal comma used."""
    rank: bool = False
    """An ordinal: `42nd`."""


def quantities(text: str, convention: Convention) -> list[Quantity]:
    """Every quantity in `text`, in order; `text` in plain characters (see `glyph`, `latex`)."""
    found: list[Quantity] = []
    for match in quantity_pattern(text).finditer(text):
        bare = match.lastgroup == "digits" and match.start() == match.start("digits")
        if (_is_joined if bare else _is_inside_token)(text, match):
            continue
        quantity = (_figure if bare else _quantity)(text, match, convention)
        if quantity is None:
            continue
        if quantity.value is None and match["digits"] and "," in match["digits"]:
            found.extend(_listed(match, convention))
        else:
            found.append(quantity)
    return found


def _figure(text: str, match: re.Match[str], convention: Convention) -> Quantity:
    """A quantity of nothing but digits, which most are."""
    value, grouped = parse_numeral(match[0], convention)
    sign, start, plus_minus = _sign(text, match)
    if value is not None and sign < 0:
        value = -value
    return Quantity(value, start, match.end(), plus_minus=plus_minus, grouped=grouped)


def _listed(match: re.Match[str], convention: Convention) -> Iterator[Quantity]:
    """`1,2,3` is no number, but three."""
    for part in re.finditer(r"[^,]+", match["digits"]):
        start = match.start("digits") + part.start()
        value, _ = parse_numeral(part[0], convention)
        yield Quantity(value, start, start + len(part[0]))


_FUNCTION = re.compile(r"(?:√|\b(?:sqrt|log|ln|exp|sin|cos|tan|lg)\()$")
_JOINED_BEFORE = re.compile(r"(?:[A-Za-z#@]|[A-Za-z]/|[A-Za-z0-9]_|[A-Za-z]-|\d[:/]|\d\.)$")
_JOINED_AFTER = re.compile(r"[:/]\d|\.\d")
_WORD_AFTER = re.compile(r"[A-Za-z]|_[A-Za-z0-9]")


def _is_inside_token(text: str, match: re.Match[str]) -> bool:
    """Whether the digits are a part of a word, an identifier, a time, a date or a version."""
    start = match.start()
    if match["english"] or match["han"] or match["han_below"] or match["han_percent"]:
        return match["han"] is not None and text[max(0, start - 1) : start] in ("第", "星", "周")
    unit = match["unit"]
    if unit and find_unit(unit) is None and text[match.start("unit") - 1].isdigit():
        return True
    return _is_joined(text, match)


def _is_joined(text: str, match: re.Match[str]) -> bool:
    """Whether the characters before or behind digits make them a part of something else."""
    start, end = match.span()
    if start and text[start - 1] != " ":
        before = text[max(0, start - 2) : start]
        if before[-1] in "√(" and _FUNCTION.search(text[max(0, start - 5) : start]):
            return True
        if _JOINED_BEFORE.search(before) and match["currency"] is None:
            return True
    after = text[end : end + 2]
    if after[:1] in ("", " ", ","):
        return False
    if _JOINED_AFTER.match(after) and not match["unit"]:
        return True
    return bool(_WORD_AFTER.match(after)) and not _is_cjk_boundary(match)


def _is_cjk_boundary(match: re.Match[str]) -> bool:
    return bool(match["unit"] and not match["unit"].isascii())


def _quantity(text: str, match: re.Match[str], convention: Convention) -> Quantity | None:
    value, word, grouped = _value(match, convention)
    if value is None and not match["digits"]:
        return None
    scale = match["scale"] or match["short"]
    if value is not None and scale:
        value, word = value * _scale(scale), True
    sign, start, plus_minus = _sign(text, match)
    unit = _unit(match)
    percent = match["percent"] is not None or match["han_percent"] is not None
    if value is not None:
        value = None if match["irrational"] else value * sign
    rank = match["rank"] is not None
    return Quantity(value, start, match.end(), percent, unit, word, plus_minus, grouped, rank)


def _scale(word: str) -> int:
    known = SCALES.get(word) or SCALES.get(word.lower())
    if known:
        return known
    product = 1
    for char in word:
        product *= SCALES.get(char, 1)
    return product


def _unit(match: re.Match[str]) -> Unit | None:
    after = find_unit(match["unit"]) if match["unit"] else None
    if after is not None and (match["currency"] is None or after.dimension == "currency"):
        return after
    if match["currency"] and is_currency(match["currency"]):
        return find_unit(match["currency"])
    return after


def _value(match: re.Match[str], convention: Convention) -> tuple[Fraction | None, bool, bool]:
    """Value without sign and scale, whether words wrote it, whether digits were grouped."""
    if match["han_percent"]:
        return _han_or_digits(match["of100"]), True, False
    if match["han_below"]:
        above, below = _han_or_digits(match["han_above"]), _han_or_digits(match["han_below"])
        return (above / below if above is not None and below else None), True, False
    if match["english"]:
        return english(match["english"]), True, False
    if match["han"]:
        return han(match["han"]), True, False
    if match["vulgar_alone"]:
        return Fraction(*VULGAR[match["vulgar_alone"]]), False, False
    value, grouped = parse_numeral(match["digits"], convention)
    return _with_tail(match, value), False, grouped


def _han_or_digits(text: str) -> Fraction | None:
    if text[:1].isdigit():
        return parse_numeral(text, Convention())[0]
    return han(text)


def _with_tail(match: re.Match[str], value: Fraction | None) -> Fraction | None:
    """Exponent, power, vulgar fraction or denominator behind the digits."""
    if value is None:
        return None
    exponent = match["e"] or match["ten"] or (match["ten_super"] or "").translate(_SUPERSCRIPT)
    if exponent:
        return _times_power(value, Fraction(10), exponent)
    power = match["power"] or (match["power_super"] or "").translate(_SUPERSCRIPT)
    if power:
        return _times_power(Fraction(1), value, power)
    if match["vulgar"]:
        return value + Fraction(*VULGAR[match["vulgar"]])
    return _over(match, value)


def _over(match: re.Match[str], value: Fraction) -> Fraction | None:
    """`3/4` and `1 3/4`; a denominator of zero is no value."""
    below = match["below"] or match["over"]
    if below is None:
        return value
    if len(below) + len(match["above"] or "") > MAX_DIGITS or int(below) == 0:
        return None
    if match["above"]:
        return value + Fraction(int(match["above"]), int(below))
    return value / int(below)


def _times_power(value: Fraction, base: Fraction, exponent: str) -> Fraction | None:
    if len(exponent) > 5 or abs(int(exponent)) * max(1, len(str(base.numerator))) > MAX_DIGITS:
        return None
    if base == 0 and int(exponent) < 0:
        return None
    return value * base ** int(exponent)


_SIGN_WORD = Caseless(r"(?:minus|negative|moins|menos|负|負|零下)[ ]?$")
_SIGN_MARK = re.compile(r"([-+–])([ ]?)$")
_SIGN_ENDS = "sS\u017feE负負下±-+–"
"""The last characters of whatever is a sign."""
_OPEN = re.compile(r"(?:^|[\s(\[{=:,;<>≤≥≈~*_`|\"'∈∪^→])$")


def _sign(text: str, match: re.Match[str]) -> tuple[int, int, bool]:
    """Sign, where the quantity begins with its sign, and whether it is a plus-minus."""
    start = match.start()
    if (
        match["currency"]
        and "-" in text[start : match.start("currency") + len(match["currency"]) + 2]
    ):
        return -1, start, False
    before = text[max(0, start - 12) : start]
    if before.rstrip(" \n")[-1:] not in _SIGN_ENDS:
        return 1, start, False
    word = _SIGN_WORD.search(before)
    if word:
        return -1, start - len(word[0]), False
    if before.rstrip(" ")[-1:] == "±":
        return 1, start - 1, True
    mark = _SIGN_MARK.search(before)
    at = start - len(mark[0]) if mark else start
    if mark is None or not _is_sign(text, at, spaced=bool(mark[2])):
        return 1, start, False
    return (1 if mark[1] == "+" else -1), at, False


def _is_sign(text: str, at: int, *, spaced: bool) -> bool:
    """A sign stands before the figure and after no other value: `-5`, `= - 5`, not `9 -5`."""
    before = text[max(0, at - 40) : at]
    bare = before.rstrip(" ")
    if bare and (bare[-1].isdigit() or bare[-1] in ")]%°"):
        return False
    if not spaced:
        return bool(_OPEN.search(before)) or not bare or not bare[-1].isalnum()
    return (bool(bare) and bare[-1] in "=(:,[≤≥<>≈") or (not bare and not text[:at].strip())
