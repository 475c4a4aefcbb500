"""A judge is asked at most so many times a minute, however many trials wait for it."""

import threading
import time
from collections.abc import Callable

from trajaudit.llm.base import ChatModel, ModelRequest, ModelResponse

MINUTE_S = 60.0


class ThrottledModel:
    """A model whose requests begin evenly apart. Thread-safe.

    Even spacing keeps within a provider's limit whichever minute it counts; its own 429 is obeyed
    besides.

    Args:
        inner: the model behind it.
        per_minute: requests in a minute, at most.
        sleep: for tests.
    """

    def __init__(
        self, inner: ChatModel, per_minute: float, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.model_id = inner.model_id
        self.family = inner.family
        self.endpoints = inner.endpoints
        self._inner = inner
        self._apart_s = MINUTE_S / per_minute
        self._next = 0.0
        self._sleep = sleep
        self._lock = threading.Lock()

    def send(self, request: ModelRequest) -> ModelResponse:
        """Wait for a turn, and ask; errors as the model's."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._apart_s
        if turn > now:
            self._sleep(turn - now)
        return self._inner.send(request)

    def close(self) -> None:
        """Close the model behind it."""
        self._inner.close()
