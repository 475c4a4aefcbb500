"""What judges were asked and what it cost, with ceilings that no further call passes."""

import threading
from dataclasses import dataclass, field
from typing import Any

from trajaudit.datamodel.judging import Budget
from trajaudit.errors import TrajauditError
from trajaudit.llm.base import ChatModel, ModelRequest, ModelResponse
from trajaudit.llm.price import Price, cost_usd


class BudgetSpentError(TrajauditError):
    """A ceiling is reached: nothing more is sent."""


@dataclass
class Meter:
    """Counts what was really sent, over all judges. Thread-safe."""

    budget: Budget
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    """Calls whose price is unknown."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def enter(self) -> None:
        """Count a call that is about to be sent.

        Raises:
            BudgetSpentError: a ceiling is reached.
        """
        with self._lock:
            for name, spent in (
                ("calls", self.calls),
                ("tokens", self.tokens),
                ("cost_usd", self.cost_usd),
            ):
                limit = getattr(self.budget, name)
                if limit is not None and spent >= limit:
                    raise BudgetSpentError(f"the budget is spent; {name} {spent:g} of {limit:g}")
            self.calls += 1

    def add(self, usage: dict[str, Any], cost: float | None) -> None:
        """Add what a call took."""
        with self._lock:
            self.tokens += tokens_of(usage, "prompt_tokens") + tokens_of(usage, "completion_tokens")
            if cost is None:
                self.unpriced += 1
            else:
                self.cost_usd += cost


class MeteredModel:
    """A model whose calls are counted before they are sent. Thread-safe like the model."""

    def __init__(self, inner: ChatModel, meter: Meter, price: Price | None = None) -> None:
        self.model_id = inner.model_id
        self.family = inner.family
        self.endpoints = inner.endpoints
        self._inner = inner
        self._meter = meter
        self._price = price

    def send(self, request: ModelRequest) -> ModelResponse:
        """Ask the model; errors as the model's.

        Raises:
            BudgetSpentError: a ceiling is reached; nothing was sent.
        """
        self._meter.enter()
        response = self._inner.send(request)
        usage = response.body.get("usage") or {}
        if response.cost_usd is None:
            response.cost_usd = cost_usd(usage, self._price)
        self._meter.add(usage, response.cost_usd)
        return response

    def close(self) -> None:
        """Close the model behind it."""
        self._inner.close()


def tokens_of(usage: dict[str, Any], name: str) -> int:
    """Return a count of tokens; 0 where the provider gives none."""
    value = usage.get(name)
    return value if isinstance(value, int) else 0
