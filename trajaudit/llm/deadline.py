"""A moment after which no read of a connection waits any longer.

An HTTP client's time-out bounds each read, and a provider that sends a byte at a time never meets
it: between the first byte and the end of the headers nobody would look at the clock.
"""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ssl import SSLContext
from typing import Any

import httpcore2
import httpx2

GRACE_S = 0.05
"""So that whoever reads the body can say in its own words that it was not whole."""
_thread = threading.local()


@contextmanager
def until(deadline: float) -> Iterator[None]:
    """Let no read in this thread wait beyond a moment of `time.monotonic()`."""
    _thread.deadline = deadline
    try:
        yield
    finally:
        _thread.deadline = None


def bound(client: httpx2.Client) -> httpx2.Client:
    """Make a client's connections obey `until`, those through a proxy as well; return it."""
    # The library has no public way to hand a backend to the connections that it pools.
    private: Any = client
    for transport in (private._transport, *private._mounts.values()):  # noqa: SLF001
        if transport is not None:
            pool = transport._pool  # noqa: SLF001
            pool._network_backend = _Backend(pool._network_backend)  # noqa: SLF001
    return client


def _left_s(timeout: float | None) -> float | None:
    deadline: float | None = getattr(_thread, "deadline", None)
    if deadline is None:
        return timeout
    left_s = deadline + GRACE_S - time.monotonic()
    if left_s <= 0:
        raise httpcore2.ReadTimeout
    return left_s if timeout is None else min(timeout, left_s)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, inner: httpcore2.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        stream = self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        return _Stream(stream)

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.connect_unix_socket(path, timeout, socket_options))

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left_s(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
