"""A forked process: it works on units that it is given, and tells what comes of them."""

import gc
import os
import pickle
import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection, Pipe
from typing import Any, NoReturn, Protocol

from trajaudit.errors import InfraError

COLLECTED = 32
"""Units after which a process looks for garbage that refers to itself."""


class Ask(Protocol):
    """Asks the parent, which may be this process."""

    def __call__(self, question: Any, *, last: bool = True) -> Callable[[], Any]:
        """Put a question, and return what waits for the answer; each is taken, in their order.

        `last`: this unit asks nothing more. Answers and units are short: nobody listens when they
        are sent, so that the pipe has to hold them.
        """

    def attend(self) -> None:
        """Let others be seen to; long work calls this now and then, for they may wait for it."""

    def soon(self) -> None:
        """Say that a unit, which asks nothing more, is nearly done: another may be given."""


Work = Callable[[Any, Ask], Iterator[Any]]


class Worker:
    """A process as the one sees it that forked it."""

    def __init__(self, work: Work, others: Iterable["Worker"]) -> None:
        """Start it; it has no business with the others."""
        self.connection, theirs = Pipe()
        self.units: deque[int] = deque()
        """What it has to do: a unit, and the next one towards the end of it."""
        self._pid = os.fork()
        if self._pid == 0:
            for other in (self, *others):
                other.connection.close()
            _serve(theirs, work)
        theirs.close()

    def give(self, index: int, unit: Any) -> None:
        """Have it do a unit, after what it has to do.

        Raises:
            InfraError: the process died.
        """
        self.units.append(index)
        self._send("unit", unit)

    def answer(self, value: Any) -> None:
        """Answer its next question.

        Raises:
            InfraError: the process died.
        """
        self._send("answer", value)

    def _send(self, kind: str, value: Any) -> None:
        try:
            self.connection.send((kind, value))
        except OSError:
            raise self._died() from None

    def told(self) -> tuple[str, Any]:
        """Return what kind of message comes next, and what it says.

        Raises:
            InfraError: the process died.
        """
        try:
            kind, value = self.connection.recv()
        except (EOFError, OSError):
            raise self._died() from None
        return kind, value

    def _died(self) -> InfraError:
        code = self.wait()
        why = "killed, as when memory is short" if code == -signal.SIGKILL else "unexpectedly"
        return InfraError(f"a worker process died; it ended with {code} ({why}); start again")

    def kill(self) -> None:
        """Have it end, whatever it does."""
        self.connection.close()
        if self._pid:
            with suppress(ProcessLookupError):  # Where nobody waits, the system does it.
                os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> int | None:
        """Wait until it is gone; return its exit code, None: it is not known (any more)."""
        pid, self._pid = self._pid, 0
        try:
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if pid else None
        except ChildProcessError:  # Somebody else, or the system, waited for it.
            return None


class _GoneError(Exception):
    """The parent is gone: there is nobody to work for."""


class _Parent:
    """The one that forked this process, as work asks it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._units: deque[Any] = deque()
        self._answers: deque[Any] = deque()

    def unit(self) -> Any:
        """Return what is to be done next."""
        while not self._units:
            self._hear()
        return self._units.popleft()

    def tell(self, kind: str, value: Any = None) -> None:
        """Say something."""
        try:
            self._connection.send((kind, value))
        except OSError:
            raise _GoneError from None

    def __call__(self, question: Any, *, last: bool = True) -> Callable[[], Any]:
        self.tell("ask", (question, last))
        return self._answer

    def _answer(self) -> Any:
        """Take the next answer; units may come before it."""
        while not self._answers:
            self._hear()
        return self._answers.popleft()

    def _hear(self) -> None:
        try:
            kind, value = self._connection.recv()
        except (EOFError, OSError):
            raise _GoneError from None
        (self._units if kind == "unit" else self._answers).append(value)

    def attend(self) -> None:
        """Nobody waits for this process."""

    def soon(self) -> None:
        """Have the parent give the next unit."""
        self.tell("soon")


def _serve(connection: Connection, work: Work) -> NoReturn:
    """Work until the parent is gone; never returns into the program that was forked."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        # Records are freed as they go; what is left is looked at now and then.
        gc.disable()
        parent = _Parent(connection)
        for number in count(1):
            _one(parent.unit(), work, parent)
            if number % COLLECTED == 0:
                gc.collect()
    except _GoneError:
        os._exit(0)
    finally:
        os._exit(1)


def _one(unit: Any, work: Work, parent: _Parent) -> None:
    try:
        for part in work(unit, parent):
            parent.tell("part", part)
    except _GoneError:
        raise
    except Exception as error:  # noqa: BLE001 (the parent raises it)
        parent.tell("failed", _sendable(error))
    else:
        parent.tell("done")


def _sendable(error: Exception) -> Exception:
    """Return the error itself where it comes through whole, else its text."""
    told = "".join(traceback.format_exception(error))
    try:
        back = pickle.loads(pickle.dumps(error))  # noqa: S301 (what was just written)
    except Exception:  # noqa: BLE001 (errors may need anything)
        return RuntimeError(told)
    if str(back) != str(error):
        return RuntimeError(told)
    back.add_note(told)
    return error
