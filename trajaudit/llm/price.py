"""What a call cost, from prices that the user gave; an unknown price is unknown, not zero."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PER = 1_000_000
"""Prices are in US dollars for so many tokens."""


@dataclass(frozen=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    prompt: float
    completion: float
    cached: float | None = None
    """Prompt tokens that the provider had cached; None: as `prompt`."""


def cost_usd(usage: Mapping[str, Any] | None, price: Price | None) -> float | None:
    """Return the cost of a call; None when the price or the usage is unknown."""
    if usage is None or price is None:
        return None
    prompt = usage.get("prompt_tokens", usage.get("input_tokens"))
    completion = usage.get("completion_tokens", usage.get("output_tokens"))
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details") or {}
    cached = min(details.get("cached_tokens") or 0, prompt)
    cached_price = price.prompt if price.cached is None else price.cached
    total = (prompt - cached) * price.prompt + cached * cached_price + completion * price.completion
    return total / PER
