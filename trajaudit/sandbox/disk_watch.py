"""Ends containers that write more than they may: an engine on an ordinary disk sets no limit."""

import threading
from typing import Protocol

from trajaudit.errors import SandboxError
from trajaudit.sandbox.docker import Api

EVERY_S = 0.5
MB = 2**20


class Killable(Protocol):
    """What is watched: a container."""

    id: str

    def kill(self, reason: str) -> None:
        """End everything in it at once."""


class DiskWatch:
    """Looks every half second how much each container has written since its start.

    The engine is asked, and counts the files of the container's own layer; so what is written
    between two looks comes on top of the limit.
    """

    def __init__(self, api: Api, most_mb: int, reason: str) -> None:
        self._api = api
        self._most = most_mb * MB
        self._reason = reason
        self._watched: dict[str, Killable] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, container: Killable) -> None:
        """Watch a container until it is gone."""
        with self._lock:
            self._watched[container.id] = container
            if self._thread is None:
                self._thread = threading.Thread(target=self._look_on, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def look(self) -> None:
        """End what has written too much; forget what is gone."""
        with self._lock:
            watched = dict(self._watched)
        sizes = self._api.written(list(watched)) if watched else {}
        for name, container in watched.items():
            if sizes.get(name, 0) > self._most:
                container.kill(self._reason)
            if name not in sizes or sizes[name] > self._most:
                with self._lock:
                    self._watched.pop(name, None)

    def _look_on(self) -> None:
        while not self._closed.wait(EVERY_S):
            try:
                self.look()
            except SandboxError:
                continue  # who uses the engine will hear of it
