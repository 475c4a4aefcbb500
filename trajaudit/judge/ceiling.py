"""What may a call take at most? Held back from a budget while the call is on its way.

Calls that are under way together would each see room that only one of them can use.
"""

import json
from dataclasses import dataclass
from typing import Any

from trajaudit.llm.price import Price, cost_usd

CHARS_PER_TOKEN = 3.5
"""Of English prose and JSON; only for estimates."""


@dataclass(frozen=True)
class Most:
    """The most that one call takes, by a rule of thumb for its prompt."""

    tokens: int
    cost_usd: float
    """0 where the price is unknown."""


def most_of(body: dict[str, Any], price: Price | None) -> Most:
    """Return what a request may take: its prompt, and the longest reply that it allows."""
    messages = body.get("messages")
    text = json.dumps(messages, ensure_ascii=False) if messages else ""
    prompt = round(len(text) / CHARS_PER_TOKEN)
    longest = body.get("max_tokens") or body.get("max_completion_tokens") or 0
    usage = {"prompt_tokens": prompt, "completion_tokens": longest}
    return Most(prompt + longest, cost_usd(usage, price) or 0.0)
