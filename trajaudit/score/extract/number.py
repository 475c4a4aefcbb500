"""Which quantities does a piece of text name?

Finds figures, powers, fractions, number words and Chinese numerals with sign, percent sign, scale
word and unit, as exact fractions. Tokens only: digits inside a word, an identifier, a clock time
or a version are no quantity.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from trajaudit.score.extract.number_word import ENGLISH, HAN_CHARS, HAN_SCALES, english, han
from trajaudit.score.extract.numeral import Convention, parse_numeral
from trajaudit.score.extract.unit import Unit, find_unit, is_currency, unit_pattern

MAX_DIGITS = 400
"""Longer figures, and powers with more digits, are read as no value: no reply means them."""

_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8),
    "⅝": (5, 8), "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9,
    "billions": 10**9, "trillion": 10**12, "lakh": 10**5, "lakhs": 10**5, "crore": 10**7,
    "crores": 10**7, "dozen": 12, "mio": 10**6, "mio.": 10**6, "mrd": 10**9, "mrd.": 10**9,
    "millionen": 10**6, "milliarden": 10**9, "milliard": 10**9, "milliards": 10**9,
    "tausend": 10**3, "mille": 10**3, "millones": 10**6, "bn": 10**9, "mn": 10**6,
    "mln": 10**6, "tn": 10**12, "k": 10**3, "M": 10**6, "B": 10**9, "百": 100, "千": 1000,
} | HAN_SCALES  # fmt: skip
_PERCENT = "%|per[ ]?cent(?!age[ ]point|s?\\w)|pct\\b|prozent|pour[ ]cent|por[ ]ciento"
_SYMBOLS = "$€£¥₹₩₽₺₪₫₦₴₿¢"
_CURRENCY = (
    "US\\$|A\\$|C\\$|CA\\$|NZ\\$|HK\\$|S\\$|R\\$|USD|EUR|GBP|CHF"
    "|AUD|CAD|NZD|SEK|NOK|DKK|PLN|BRL|MXN|KRW|SGD|HKD|JPY|CNY|RMB|INR|Rs\\.?"
    f"|[{_SYMBOLS}]"
)
_DIGITS = r"(?:\d{1,3}(?:[ ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'_]\d+)*)"
_POWER_MARK = r"(?:\^|\*\*)[ ]?[({]?"


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


@lru_cache(maxsize=1)
def _scanner() -> re.Pattern[str]:
    scales = "|".join(
        sorted((re.escape(word) for word in _SCALES if len(word) > 1), key=len, reverse=True)
    )
    superscripts = "[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
    # Words are looked at from their first letter only: the first line keeps all others cheap.
    return re.compile(
        rf"""
        (?:(?=[\d.{_SYMBOLS}{"".join(_VULGAR)}百{HAN_CHARS}])|(?<![A-Za-z])(?=[^\W\d_]))
        (?:(?<![A-Za-z])(?P<currency>{_CURRENCY})[ ]?[-]?)?
        (?:
          (?P<han_percent>百分之)(?P<of100>[{HAN_CHARS}点]+|\d[\d.]*)
        | (?P<han_below>[{HAN_CHARS}]+|\d+)分之(?P<han_above>[{HAN_CHARS}]+|\d+)
        | (?:
            (?P<digits>{_DIGITS}|(?<![\d\w])\.\d+)
            (?:
              [eE](?P<e>[+-]?\d+)(?!\w)
            | [ ]?(?:×|x|\*|·)[ ]?10[ ]?
              (?:{_POWER_MARK}(?P<ten>[-+]?\d+)[)}}]?|(?P<ten_super>{superscripts}))
            | [ ]?{_POWER_MARK}(?P<power>[-+]?\d+)[)}}]?
            | (?P<power_super>{superscripts})
            | [ ]?(?P<vulgar>[{"".join(_VULGAR)}])
            | [ ](?P<above>\d+)[ ]?/[ ]?(?P<below>\d+)(?![\d/])
            | [ ]?/[ ]?(?P<over>\d+)(?![\d/])
            | (?P<rank>st|nd|rd|th|ème|er)(?!\w)
            )?
          | (?P<vulgar_alone>[{"".join(_VULGAR)}])
          | (?P<han>[{HAN_CHARS}](?:[{HAN_CHARS}点]*[{HAN_CHARS}])?)
          | (?<![\w-])(?P<english>{ENGLISH})(?![\w])
          )
        )
        (?:[ ]?(?P<scale>(?:{scales})(?![\w])|(?:千|百)?[万亿萬億]|[千百])
          |(?P<short>(?-i:[kKMB])|bn|mn)(?![\w]))?
        (?P<irrational>[ ]?(?:π|√)|[ ]?[-+][ ]?\d*[.]?\d*i\b|[ ]?\*?[ ]?(?:pi\b|sqrt\(|e\^))?
        (?:[ -]?(?P<percent>{_PERCENT})|[ -]?(?P<unit>(?i:{unit_pattern()}))(?![A-Za-z²³]))?
        """,
        re.VERBOSE | re.IGNORECASE,
    )


def quantities(text: str, convention: Convention) -> list[Quantity]:
    """Every quantity in `text`, in order; `text` in plain characters (see `glyph`, `latex`)."""
    found: list[Quantity] = []
    for match in _scanner().finditer(text):
        if _is_inside_token(text, match):
            continue
        quantity = _quantity(text, match, convention)
        if quantity is None:
            continue
        if quantity.value is None and match["digits"] and "," in match["digits"]:
            found.extend(_listed(match, convention))
        else:
            found.append(quantity)
    return found


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
    start, end = match.start(), match.end()
    if match["english"] or match["han"] or match["han_below"] or match["han_percent"]:
        return match["han"] is not None and text[max(0, start - 1) : start] in ("第", "星", "周")
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before[-1:] in ("√", "(") and _FUNCTION.search(text[max(0, start - 5) : start]):
        return True
    if match["currency"] is None and _JOINED_BEFORE.search(before):
        return True
    if _JOINED_AFTER.match(after) and not match["unit"]:
        return True
    if (
        match["unit"]
        and find_unit(match["unit"]) is None
        and text[match.start("unit") - 1].isdigit()
    ):
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
    start = match.start()
    sign, start, plus_minus = _sign(text, start, match)
    unit = _unit(match)
    percent = match["percent"] is not None or match["han_percent"] is not None
    if value is not None:
        value = None if match["irrational"] else value * sign
    rank = match["rank"] is not None
    return Quantity(value, start, match.end(), percent, unit, word, plus_minus, grouped, rank)


def _scale(word: str) -> int:
    known = _SCALES.get(word) or _SCALES.get(word.lower())
    if known:
        return known
    product = 1
    for char in word:
        product *= _SCALES.get(char, 1)
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
        return Fraction(*_VULGAR[match["vulgar_alone"]]), False, False
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
        return value + Fraction(*_VULGAR[match["vulgar"]])
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


_SIGN_WORD = re.compile(r"(?i)(?:minus|negative|moins|menos|负|負|零下)[ ]?$")
_OPEN = re.compile(r"(?:^|[\s(\[{=:,;<>≤≥≈~*_`|\"'∈∪^→])$")


def _sign(text: str, start: int, match: re.Match[str]) -> tuple[int, int, bool]:
    """Sign, where the quantity begins with its sign, and whether it is a plus-minus."""
    if (
        match["currency"]
        and "-" in text[start : match.start("currency") + len(match["currency"]) + 2]
    ):
        return -1, start, False
    before = text[max(0, start - 12) : start]
    word = _SIGN_WORD.search(before)
    if word:
        return -1, start - len(word[0]), False
    if before.rstrip(" ")[-1:] == "±":
        return 1, start - 1, True
    mark = re.search(r"([-+–])([ ]?)$", before)
    if mark is None:
        return 1, start, False
    at = start - len(mark[0])
    if not _is_sign(text, at, spaced=bool(mark[2])):
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
