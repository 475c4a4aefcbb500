"""Cleaning up that Ctrl-C does not cut short."""

import signal
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def to_the_end(work: Callable[[], object]) -> None:
    """Do `work` to its end; a Ctrl-C meanwhile is raised afterwards.

    What listens to signals still hears each of them. Not by waiting for a thread that does the
    work: where a signal interrupts that wait, Python 3.11 takes the thread for ended.

    Raises:
        Exception: what `work` raised.
        KeyboardInterrupt: it came while `work` was at it.
    """
    heard: list[int] = []
    before = _put_off(heard)
    try:
        work()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if heard:
        raise KeyboardInterrupt


def _put_off(heard: list[int]) -> dict[int, Callable[[int, FrameType | None], Any]]:
    """Let the handlers of signals interrupt nothing; return what they were."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    before: dict[int, Callable[[int, FrameType | None], Any]] = {}
    for number in _STOPPING:
        handler = signal.getsignal(number)
        # Neither of those that Python leaves to the system.
        if callable(handler):
            before[number] = handler
            signal.signal(number, partial(_heard, heard, handler))
    return before


def _heard(
    heard: list[int],
    handler: Callable[[int, FrameType | None], Any],
    number: int,
    frame: FrameType | None,
) -> None:
    try:
        handler(number, frame)
    except KeyboardInterrupt:
        heard.append(number)
