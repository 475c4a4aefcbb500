"""Which quantities fill each other up: `1 hour 30 minutes`, `5 feet 6 inches`?"""

import re
from fractions import Fraction

from trajaudit.score.extract.number import Quantity


def joined(text: str, found: list[Quantity]) -> list[Quantity]:
    """`1 hour 30 minutes`, `5 feet 6 inches`, `46 dollars and 50 cents` are one quantity each."""
    merged: list[Quantity] = []
    for one in found:
        last = merged[-1] if merged else None
        whole = last and _together(last, one, text[last.end : one.start])
        if last is not None and whole:
            merged[-1] = last._replace(value=whole, end=one.end)
        else:
            merged.append(one)
    return merged


def _together(large: Quantity, small: Quantity, between: str) -> Fraction | None:
    """The sum in the larger unit, where the smaller one only fills it up."""
    if large.unit is None or small.unit is None or not large.value or small.value is None:
        return None
    if large.unit.dimension != small.unit.dimension or large.unit.offset or small.unit.offset:
        return None
    ratio = small.unit.factor / large.unit.factor
    fits = ratio < 1 and 0 <= small.value * ratio < 1 and large.value.denominator == 1
    if not fits or not re.fullmatch(r"\s*(?:,?\s*and|,|und|et)?\s*", between):
        return None
    return large.value + small.value * ratio
