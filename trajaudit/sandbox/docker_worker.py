"""A program in a container of its own that answers one line with one line."""

import secrets
import threading
import time
from collections.abc import Callable, Sequence

from trajaudit.errors import SandboxError
from trajaudit.sandbox import command
from trajaudit.sandbox.command import Place
from trajaudit.sandbox.output import Tail
from trajaudit.sandbox.wire import STDOUT, Connection

MAX_LINE = 32 * 2**20
ERROR_TAIL = 2000


class DockerWorker:
    """Asks one line at a time; after a time-out the container is replaced at the next ask."""

    def __init__(self, start: Callable[[], Place], argv: Sequence[str]) -> None:
        self._start = start
        self._argv = list(argv)
        self._lock = threading.Lock()
        self._stopped = False
        self._place: Place | None = None
        self._connection: Connection | None = None
        self._buffer = bytearray()
        self._errors = Tail(ERROR_TAIL)
        self._open()

    def ask(self, line: bytes, *, timeout_s: float) -> bytes:
        """Send a line and return the answer's line.

        Raises:
            TimeoutError: no answer in time; the program is ended and starts afresh at the next ask.
            SandboxError: the container failed or the program ended; it starts afresh, too.
        """
        with self._lock:
            connection = self._connection or self._open()
            deadline = time.monotonic() + timeout_s
            try:
                connection.feed(line + b"\n", deadline=deadline)
                return self._answer(connection, deadline)
            except TimeoutError:
                self._close()
                raise TimeoutError(f"the program did not answer in {timeout_s:g} s") from None
            except SandboxError:
                self._close()
                raise

    def stop(self) -> None:
        """Remove it."""
        self._stopped = True
        with self._lock:
            self._close()

    def _open(self) -> Connection:
        if self._stopped:
            raise SandboxError("the worker was stopped")
        self._place = self._start()
        self._buffer = bytearray()
        self._errors = Tail(ERROR_TAIL)
        try:
            token = secrets.token_hex(8)
            _, connection = command.open_exec(self._place, self._argv, token, stdin=True)
        except SandboxError:
            self._close()
            raise
        self._connection = connection
        return connection

    def _answer(self, connection: Connection, deadline: float) -> bytes:
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > MAX_LINE:
                raise SandboxError(f"the program's answer is longer than {MAX_LINE} bytes")
            self._receive(connection, deadline)
        answer = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return answer

    def _receive(self, connection: Connection, deadline: float) -> None:
        for stream, data in connection.frames(deadline=deadline):
            if stream == STDOUT:
                self._buffer += data
                return
            self._errors.add(data)
        said = self._errors.value().decode(errors="replace").strip()
        why = self._place.container.died() if self._place else None
        raise SandboxError(f"the worker's program ended; got: {why or said or 'no output'}")

    def _close(self) -> None:
        if self._connection:
            self._connection.close()
        if self._place:
            self._place.container.remove()
        self._connection = None
        self._place = None
