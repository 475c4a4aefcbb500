"""Starts containers a few at a time: a burst of starts on a busy machine times out as a whole."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

FIRST = 2


class Ramp:
    """A gate that lets two through at first, one more after each success, half after a failure."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._width = min(FIRST, self._most)
        self._inside = 0
        self._changed = threading.Condition()

    @property
    def width(self) -> int:
        """How many may be inside at once now."""
        return self._width

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Wait for a place; an exception inside counts as a failure."""
        with self._changed:
            while self._inside >= self._width:
                self._changed.wait()
            self._inside += 1
        try:
            yield
        except BaseException:
            self._leave(max(1, self._width // 2))
            raise
        self._leave(min(self._most, self._width + 1))

    def _leave(self, width: int) -> None:
        with self._changed:
            self._inside -= 1
            self._width = width
            self._changed.notify_all()
