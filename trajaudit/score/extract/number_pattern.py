"""The pattern of a quantity: a figure or number words with sign, scale, percent sign and unit."""

import re
from functools import lru_cache

from trajaudit.score.extract.caseless import starting
from trajaudit.score.extract.number_word import ENGLISH, ENGLISH_STARTS, HAN_CHARS, HAN_SCALES
from trajaudit.score.extract.unit import unit_pattern

VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8),
    "⅝": (5, 8), "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9,
    "billions": 10**9, "trillion": 10**12, "lakh": 10**5, "lakhs": 10**5, "crore": 10**7,
    "crores": 10**7, "dozen": 12, "mio": 10**6, "mio.": 10**6, "mrd": 10**9, "mrd.": 10**9,
    "millionen": 10**6, "milliarden": 10**9, "milliard": 10**9, "milliards": 10**9,
    "tausend": 10**3, "mille": 10**3, "millones": 10**6, "bn": 10**9, "mn": 10**6,
    "mln": 10**6, "tn": 10**12, "k": 10**3, "M": 10**6, "B": 10**9, "百": 100, "千": 1000,
} | HAN_SCALES  # fmt: skip
_PERCENT = "%|per[ ]?cent(?!age[ ]point|s?\\w)|pct\\b|prozent|pour[ ]cent|por[ ]ciento"
_SYMBOLS = "$€£¥₹₩₽₺₪₫₦₴₿¢"
_CURRENCIES = (
    "US$", "A$", "C$", "CA$", "NZ$", "HK$", "S$", "R$", "USD", "EUR", "GBP", "CHF", "AUD", "CAD",
    "NZD", "SEK", "NOK", "DKK", "PLN", "BRL", "MXN", "KRW", "SGD", "HKD", "JPY", "CNY", "RMB",
    "INR", "Rs.", "Rs",
)  # fmt: skip
_DIGITS = r"(?:\d{1,3}(?:[ ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'_]\d+)*)"
_POWER_MARK = r"(?:\^|\*\*)[ ]?[({]?"
_ALL = (
    *(f"[{''.join(VULGAR)}]", f"[{HAN_CHARS}]", f"[{HAN_CHARS}点]", "[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+"),
    f"[{_SYMBOLS}]",
)
"""Fractions, Chinese figures, these with a point, superscripts, and signs of currencies."""
_NEVER = "(?!)"
_ASCII = (_NEVER, _NEVER, _NEVER, _NEVER, "[$]")


def quantity_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern for a text. That for ASCII texts finds the same in them; making it takes
    two thirds of the time, and the difference is as long as scoring several trials.
    """
    return _pattern(text.isascii())


@lru_cache(maxsize=2)
def _pattern(ascii_only: bool) -> re.Pattern[str]:
    """How words start is looked at first, which keeps most places cheap."""
    vulgar, han, han_or_point, superscripts, symbols = _ASCII if ascii_only else _ALL
    scales, short = _scales()
    codes = "|".join(map(re.escape, _CURRENCIES))
    words = starting((*_CURRENCIES, *ENGLISH_STARTS))
    return re.compile(
        rf"""
        (?:(?=[\d.]|{symbols}|{vulgar}|{han})|(?<![A-Za-z])(?={words}))
        (?:(?<![A-Za-z])(?P<currency>(?={starting(_CURRENCIES)})(?:{codes})|{symbols})[ ]?[-]?)?
        (?:
          (?P<han_percent>百分之)(?P<of100>{han_or_point}+|\d[\d.]*)
        | (?P<han_below>{han}+|\d+)分之(?P<han_above>{han}+|\d+)
        | (?:
            (?P<digits>{_DIGITS}|(?<![\d\w])\.\d+)
            (?:
              [eE](?P<e>[+-]?\d+)(?!\w)
            | [ ]?(?:×|x|\*|·)[ ]?10[ ]?
              (?:{_POWER_MARK}(?P<ten>[-+]?\d+)[)}}]?|(?P<ten_super>{superscripts}))
            | [ ]?{_POWER_MARK}(?P<power>[-+]?\d+)[)}}]?
            | (?P<power_super>{superscripts})
            | [ ]?(?P<vulgar>{vulgar})
            | [ ](?P<above>\d+)[ ]?/[ ]?(?P<below>\d+)(?![\d/])
            | [ ]?/[ ]?(?P<over>\d+)(?![\d/])
            | (?P<rank>st|nd|rd|th|ème|er)(?!\w)
            )?
          | (?P<vulgar_alone>{vulgar})
          | (?P<han>{han}(?:{han_or_point}*{han})?)
          | (?<![\w-])(?P<english>(?={starting(ENGLISH_STARTS)}){ENGLISH})(?![\w])
          )
        )
        (?:[ ]?(?P<scale>{scales}(?![\w])|(?:千|百)?[万亿萬億]|[千百])
          |(?P<short>{short})(?![\w]))?
        (?P<irrational>[ ]?(?:π|√)|[ ]?[-+][ ]?\d*[.]?\d*i\b|[ ]?\*?[ ]?(?:pi\b|sqrt\(|e\^))?
        (?:[ -]?(?=[%p])(?P<percent>{_PERCENT})
          |[ -]?(?P<unit>(?i:{unit_pattern(ascii_only)}))(?![A-Za-z²³]))?
        """,
        re.VERBOSE | re.IGNORECASE | (re.ASCII if ascii_only else 0),
    )


def _scales() -> tuple[str, str]:
    """Return the patterns of scale words, and of letters that scale."""
    words = sorted((word for word in SCALES if len(word) > 1), key=len, reverse=True)
    letters = rf"(?={starting(('k', 'm', 'b'))})(?:(?-i:[kKMB])|bn|mn)"
    return rf"(?={starting(words)})(?:{'|'.join(map(re.escape, words))})", letters
