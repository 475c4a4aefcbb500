"""How often, and how many at once, a provider is asked."""

import random
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from trajaudit.errors import ProviderError


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How a failed attempt is repeated: exponential backoff with jitter, waits in seconds."""

    attempts: int = 6
    """In total, the first one included."""
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    longest_retry_after_s: float = 60.0
    """A provider's own `Retry-After` is obeyed up to here."""

    def wait_s(self, failures: int, retry_after_s: float | None, rng: random.Random) -> float:
        """Return the wait after so many failures (from 1).

        Jitter takes up to half of the backoff off, so that requests that failed together
        do not return together; a `Retry-After` is never undercut unless it exceeds its bound.
        """
        # 2**30 s is beyond any wait: more failures than that must not overflow a float.
        backoff = min(self.first_wait_s * 2.0 ** min(failures - 1, 30), self.longest_wait_s)
        jittered = backoff * (0.5 + 0.5 * rng.random())
        if retry_after_s is None:
            return jittered
        return max(jittered, min(retry_after_s, self.longest_retry_after_s))


def retry_after_s(headers: Mapping[str, str], now_s: float | None = None) -> float | None:
    """Return what `Retry-After` (seconds or an HTTP date) asks for; None: absent or unreadable."""
    milliseconds = headers.get("retry-after-ms")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after")
        if value is None:
            return None
        if value.strip().replace(".", "", 1).isdigit():
            return float(value)
        moment = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now_s is None else now_s))


class Gate:
    """A cap on requests in flight that starts low, grows with success and halves on 429.

    Additive increase, multiplicative decrease, as in TCP: until the first 429 each success
    raises the cap by one; after it, each round of successes does. Thread-safe.
    """

    def __init__(self, start: int = 4, limit: int = 64) -> None:
        if not 1 <= start <= limit:
            raise ValueError(f"start must lie between 1 and the limit; got {start} of {limit}")
        self._cap = float(start)
        self._limit = limit
        self._in_flight = 0
        self._throttled = False
        self._halved_at = float("-inf")
        self._changed = threading.Condition()
        self._closed = False

    @property
    def cap(self) -> int:
        """How many requests may be in flight now."""
        return int(self._cap)

    @contextmanager
    def slot(self) -> Iterator[float]:
        """Wait for a place and hold it; yields the moment it was had, for `throttled`.

        Raises:
            ProviderError: the gate was closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._in_flight < int(self._cap))
            if self._closed:
                raise ProviderError("the model was closed while a request waited")
            self._in_flight += 1
        try:
            yield time.monotonic()
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify()

    def succeeded(self) -> None:
        """Raise the cap."""
        with self._changed:
            step = 1 / self._cap if self._throttled else 1.0
            self._cap = min(self._limit, self._cap + step)
            self._changed.notify()

    def throttled(self, since: float) -> None:
        """Halve the cap, once for all requests that were in flight together."""
        with self._changed:
            self._throttled = True
            if since > self._halved_at:
                self._cap = max(1.0, self._cap / 2)
                self._halved_at = time.monotonic()

    def close(self) -> None:
        """Let nobody in any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
