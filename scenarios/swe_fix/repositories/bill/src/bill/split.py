"""Shares of a sum."""

from decimal import Decimal

CENT = Decimal("0.01")


def split(total, people):
    """Return the share of each of so many people, in whole cents."""
    if people < 1:
        raise ValueError(f"somebody has to pay; got {people} people")
    share = (Decimal(total) / people).quantize(CENT)
    return [share] * people
