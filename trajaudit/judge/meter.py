"""What judges were asked and what it cost, with ceilings that no further call passes."""

import threading
from dataclasses import dataclass, field
from typing import Any

from trajaudit.datamodel.judging import Budget
from trajaudit.errors import TrajauditError
from trajaudit.judge.ceiling import Most, most_of
from trajaudit.llm.base import ChatModel, ModelRequest, ModelResponse
from trajaudit.llm.price import Price, cost_usd

_NOTHING = Most(0, 0.0)


class BudgetSpentError(TrajauditError):
    """A ceiling is reached: nothing more is sent."""


@dataclass
class Meter:
    """Counts what was really sent, over all judges. Thread-safe."""

    budget: Budget
    calls: int = 0
    """Attempts, each for itself: what a provider failed to answer, it may have charged for."""
    retries: int = 0
    """Of `calls`: attempts that repeated one that had failed."""
    tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    """Calls whose price is unknown."""
    stopped: bool = False
    """Somebody stopped: nothing more is sent."""
    _held: list[Most] = field(default_factory=list, repr=False)
    """Of calls that are under way."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def enter(self, most: Most = _NOTHING) -> None:
        """Count a call that is about to be sent, and hold back what it may take.

        Raises:
            BudgetSpentError: a ceiling is reached, or the call might pass it.
        """
        with self._lock:
            if self.stopped:
                raise BudgetSpentError("was stopped")
            held_tokens = sum(one.tokens for one in self._held)
            held_cost = sum(one.cost_usd for one in self._held)
            for name, spent, more in (
                ("calls", self.calls, 1),
                ("tokens", self.tokens + held_tokens, most.tokens),
                ("cost_usd", self.cost_usd + held_cost, most.cost_usd),
            ):
                limit = getattr(self.budget, name)
                if limit is not None and (spent >= limit or spent + more > limit):
                    raise BudgetSpentError(_spent(name, spent, more, limit))
            self.calls += 1
            self._held.append(most)

    def repeat(self) -> None:
        """Count another attempt of a call that is under way.

        Raises:
            BudgetSpentError: somebody stopped, or the ceiling of calls is reached.
        """
        with self._lock:
            if self.stopped:
                raise BudgetSpentError("was stopped")
            limit = self.budget.calls
            if limit is not None and self.calls >= limit:
                raise BudgetSpentError(_spent("calls", self.calls, 1, limit))
            self.calls += 1
            self.retries += 1

    def leave(self, most: Most = _NOTHING) -> None:
        """Let go of what was held back for a call that is over."""
        with self._lock:
            self._held.remove(most)

    def add(self, usage: dict[str, Any], cost: float | None, most: Most = _NOTHING) -> None:
        """Add what a call took; what the provider does not count, or counts below nothing, as the
        most it may be.
        """
        counted = tokens_of(usage, "prompt_tokens") + tokens_of(usage, "completion_tokens")
        with self._lock:
            self.tokens += counted or most.tokens
            if cost is None:
                self.unpriced += 1
                self.cost_usd += most.cost_usd
            else:
                self.cost_usd += cost


def _spent(name: str, spent: float, more: float, limit: float) -> str:
    if spent >= limit:
        return f"the budget is spent; {name} {spent:g} of {limit:g}"
    return f"the budget leaves no room; {name} {spent:g} of {limit:g}, a call may take {more:g}"


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
        most = most_of(dict(request.body), self._price)
        self._meter.enter(most)
        try:
            response = self._inner.send(request)
            told = response.body.get("usage")
            usage = told if isinstance(told, dict) else {}
            if response.cost_usd is None:
                response.cost_usd = cost_usd(usage, self._price)
            self._meter.add(usage, response.cost_usd, most)
        finally:
            self._meter.leave(most)
        return response

    def close(self) -> None:
        """Close the model behind it."""
        self._inner.close()


def tokens_of(usage: dict[str, Any], name: str) -> int:
    """Return a count of tokens; 0 where the provider gives none."""
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0
