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
    prompt = _count(usage.get("prompt_tokens", usage.get("input_tokens")))
    completion = _count(usage.get("completion_tokens", usage.get("output_tokens")))
    if prompt is None or completion is None:
        return None
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
    told = details.get("cached_tokens") if isinstance(details, Mapping) else None
    cached = min(_count(told) or 0, prompt)
    cached_price = price.prompt if price.cached is None else price.cached
    total = (prompt - cached) * price.prompt + cached * cached_price + completion * price.completion
    return total / PER


def _count(told: Any) -> int | None:
    """Return a count of tokens as a provider gave it; None where it cannot be one."""
    return told if isinstance(told, int) and not isinstance(told, bool) and told >= 0 else None
