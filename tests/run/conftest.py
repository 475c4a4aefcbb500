"""Signals as a terminal gives them, however the tests were started."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def heard_signals() -> Iterator[None]:
    """Listen to what a background job or nohup ignores; children inherit what is ignored."""
    ignored = [
        number
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is signal.SIG_IGN
    ]
    for number in ignored:
        heard = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, heard)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
