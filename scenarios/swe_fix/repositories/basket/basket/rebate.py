"""Coupons."""

PERCENT = {"SPRING": 10, "FRIENDS": 15}


def rebate(full, coupons):
    """Return how many cents the best of some coupons takes off; they do not add up."""
    best = max((PERCENT.get(one, 0) for one in coupons), default=0)
    return full * best // 100
