"""What a call cost; a count that cannot be one leaves it unknown."""

from typing import Any

import pytest

from trajaudit.llm.price import Price, cost_usd

PRICE = Price(prompt=2.0, completion=8.0, cached=0.5)


def test_a_call_costs_what_its_tokens_cost() -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 400},
    }

    assert cost_usd(usage, PRICE) == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 8) / 1e6)


@pytest.mark.parametrize("count", [-1_000_000, "7", None, True, 1.5, float("inf"), [3]])
def test_no_count_makes_a_call_cheaper_than_it_was(count: Any) -> None:
    whole = {"prompt_tokens": 1000, "completion_tokens": 100}
    full = cost_usd(whole, PRICE)

    assert cost_usd({**whole, "prompt_tokens": count}, PRICE) is None
    assert cost_usd({**whole, "completion_tokens": count}, PRICE) is None
    assert cost_usd({**whole, "prompt_tokens_details": {"cached_tokens": count}}, PRICE) == full
    assert cost_usd({**whole, "prompt_tokens_details": count}, PRICE) == full
