"""How much a trial has used, and which of its limits that reaches."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.scenario import Limits
from trajaudit.gateway.base import SessionEnd


@dataclass(frozen=True, kw_only=True)
class Used:
    """What the agent used so far; the simulated user's model is not the agent's expense."""

    steps: int = 0
    """Model calls, and messages of a scripted agent."""
    model_calls: int = 0
    tool_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    """None once the price of a call is unknown."""


class Budget:
    """Counts against the limits. Thread-safe."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._steps = 0
        self._model_calls = 0
        self._tool_calls = 0
        self._prompt_tokens = 0
        self._completion_tokens = 0
        self._cost_usd: float | None = 0.0

    @property
    def used(self) -> Used:
        """What was used so far."""
        with self._lock:
            return Used(
                steps=self._steps,
                model_calls=self._model_calls,
                tool_calls=self._tool_calls,
                prompt_tokens=self._prompt_tokens,
                completion_tokens=self._completion_tokens,
                cost_usd=self._cost_usd,
            )

    def take_step(self, *, model: bool) -> SessionEnd | None:
        """Count a step before it is made; the limit that forbids it, or None."""
        limits = self.limits
        with self._lock:
            if limits.steps is not None and self._steps >= limits.steps:
                return SessionEnd(reason="step_limit", detail=f"steps: {limits.steps}")
            tokens = self._prompt_tokens + self._completion_tokens
            if limits.tokens is not None and tokens >= limits.tokens:
                return SessionEnd(reason="token_limit", detail=f"tokens: {limits.tokens}")
            cost = self._cost_usd
            if limits.cost_usd is not None and cost is not None and cost >= limits.cost_usd:
                return SessionEnd(reason="token_limit", detail=f"cost_usd: {limits.cost_usd:g}")
            self._steps += 1
            self._model_calls += model
        return None

    def take_tool_call(self) -> SessionEnd | None:
        """Count a tool call before it is made; the limit that forbids it, or None."""
        with self._lock:
            most = self.limits.tool_calls
            if most is not None and self._tool_calls >= most:
                return SessionEnd(reason="step_limit", detail=f"tool_calls: {most}")
            self._tool_calls += 1
        return None

    def spend(self, usage: Usage | None, cost_usd: float | None) -> None:
        """Count what a model call used."""
        with self._lock:
            if usage is not None:
                self._prompt_tokens += usage.prompt_tokens
                self._completion_tokens += usage.completion_tokens
            unknown = cost_usd is None or self._cost_usd is None
            self._cost_usd = None if unknown else (self._cost_usd or 0.0) + (cost_usd or 0.0)


class Waiting:
    """Since when the model has owed answers. Thread-safe.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._since: dict[object, float] = {}
        self._answered = False

    @contextmanager
    def call(self) -> Iterator[None]:
        """Hold this open while the model is asked."""
        key = object()
        with self._lock:
            self._since[key] = self._clock()
        try:
            yield
            self._answered = True
        finally:
            with self._lock:
                del self._since[key]

    def fault(self, limit_s: float) -> str | None:
        """Return what is to be said of a model that let the time pass, or None.

        It owes an answer now, and either never gave one or took most of the trial for this one.
        """
        with self._lock:
            waited = max((self._clock() - since for since in self._since.values()), default=0.0)
            if not self._since or (self._answered and waited <= limit_s / 2):
                return None
        return f"no answer within {waited:.3g} s; time_s: {limit_s:g}"
