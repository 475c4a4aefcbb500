"""What Ctrl-C, `kill` and a closed terminal do: stop the run cleanly."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

EXIT_INTERRUPTED = 130
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ONCE_MORE = (
    b"trajaudit: still removing containers; once more ends at once and leaves them to "
    b"the next run or to `trajaudit sandbox prune`\n"
)


@contextlib.contextmanager
def stopping_cleanly() -> Iterator[None]:
    """Raise KeyboardInterrupt in the block at the first signal; the third ends at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # Who starts us with a signal ignored (nohup, a shell's background jobs) wants it ignored.
    taken = [one for one in STOPPING if signal.getsignal(one) != signal.SIG_IGN]
    handler = _Handler()
    before = [signal.signal(one, handler) for one in taken]
    try:
        yield
    finally:
        for one, old in zip(taken, before, strict=True):
            signal.signal(one, old)


class _Handler:
    """Counts the signals."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        self._count += 1
        if number == signal.SIGHUP:
            _let_go_of_the_terminal()
        if self._count == 1:
            raise KeyboardInterrupt
        if self._count > 2:
            os._exit(EXIT_INTERRUPTED)
        with contextlib.suppress(OSError):
            os.write(sys.stderr.fileno(), ONCE_MORE)


def _let_go_of_the_terminal() -> None:
    """Write to nowhere from now on: a terminal that is gone fails every write."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for fd in (1, 2):
        if os.isatty(fd):
            os.dup2(nowhere, fd)
    os.close(nowhere)
