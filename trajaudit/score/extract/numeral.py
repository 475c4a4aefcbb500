"""What value do digits with dots, commas, blanks and apostrophes write?"""

import re
from fractions import Fraction
from typing import NamedTuple

_MAX_DIGITS = 400
_COMMA_LANGUAGES = frozenset((
    "de", "fr", "es", "it", "pt", "nl", "da", "sv", "nb", "nn", "no", "fi", "pl", "cs", "sk",
    "ru", "uk", "tr", "id", "ro", "hu", "bg", "el", "hr", "sl", "vi",
))  # fmt: skip
_POINT_REGIONS = frozenset(("de-ch", "fr-ch", "it-ch", "de-li", "es-mx", "es-us"))


_NO_FIGURE = re.compile(r"[^\d.]")


class Convention(NamedTuple):
    """How numbers are written; None: not known, so the figure itself must tell."""

    decimal: str | None = None
    """`.` or `,`."""

    @classmethod
    def of(cls, locale: str | None) -> "Convention":
        """The convention of a BCP 47 tag, for example `de-CH`."""
        if not locale:
            return cls()
        tag = locale.replace("_", "-").lower()
        comma = tag.split("-")[0] in _COMMA_LANGUAGES and tag not in _POINT_REGIONS
        return cls("," if comma else ".")


def parse_numeral(text: str, convention: Convention) -> tuple[Fraction | None, bool]:
    """Value of `text` and whether separators had to be understood; None where it is no number.

    Separators that fit no convention are refused instead of dropped: dropping a comma is how
    3,75 becomes 375.
    """
    if len(text) > _MAX_DIGITS and sum(char.isdigit() for char in text) > _MAX_DIGITS:
        return None, False
    if convention.decimal != ",":
        if text.isdecimal():
            return Fraction(int(text)), False
        if text.count(".") <= 1 and not _NO_FIGURE.search(text):
            return (Fraction(text) if text.strip(".") else None), False
    for decimal in _marks(text, convention):
        value = _with_mark(text, decimal)
        if value is not None:
            return value, True
    return None, True


def _marks(text: str, convention: Convention) -> list[str]:
    """Decimal marks to try, the likeliest first."""
    if convention.decimal == ",":
        return [",", "."]
    if convention.decimal == "." or not re.fullmatch(r"0,\d+", text):
        return [".", ","]
    return [",", "."]


def _with_mark(text: str, decimal: str) -> Fraction | None:
    """The value if `decimal` is the decimal mark, and the rest is sound grouping."""
    whole, mark, part = text.partition(decimal)
    if mark and not part.isdigit():
        return None
    separators = set(re.findall(r"\D", whole))
    if not separators:
        return Fraction(f"{whole or 0}.{part or 0}")
    if len(separators) > 1 or decimal in separators:
        return None
    groups = re.split(r"\D", whole)
    if not _is_grouped(groups, separators.pop()):
        return None
    return Fraction(f"{''.join(groups)}.{part or 0}")


def _is_grouped(groups: list[str], separator: str) -> bool:
    """`1,250,000`, and with commas also the Indian `12,50,000`; never a leading zero."""
    if not 1 <= len(groups[0]) <= 3 or groups[0].startswith("0"):
        return False
    if all(len(group) == 3 for group in groups[1:]):
        return True
    if separator == "_":
        return True
    indian = len(groups) > 2 and len(groups[-1]) == 3 and len(groups[0]) <= 2
    return indian and separator == "," and all(len(group) == 2 for group in groups[1:-1])
