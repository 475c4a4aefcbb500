"""Spreads work over processes of this machine; what comes of it comes in the order of the work.

Processes are forked, so that nothing is imported or sent twice, and only where forking is safe and
worth it. A worker that needs what only the parent can know (which number comes next) asks for it;
the parent answers in the order of the work as well, so that the result never depends on how many
processes there are.
"""

import gc
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count, islice
from multiprocessing.connection import Connection, Pipe
from selectors import EVENT_READ, DefaultSelector
from typing import Any, NoReturn, Protocol, TypeVar

from trajaudit.errors import InfraError

Unit = TypeVar("Unit")
Part = TypeVar("Part")
MOST = 16
"""Processes; more only wait for the one that collects."""
_COLLECTED = 32
"""Units after which a worker looks for garbage that refers to itself."""
_AHEAD = 3
"""Units for each worker that may be under way or waiting to be collected."""
_TOLD_TOGETHER = 2
"""Parts that are sent at once: each message wakes the parent."""


class Ask(Protocol):
    """Asks the parent; `last`: this unit asks nothing more."""

    def __call__(self, question: Any, *, last: bool = True) -> Any:
        """Return the answer."""


def processes_for(wanted: int | None = None) -> int:
    """Return how many processes work is spread over: one means this one alone."""
    if not sys.platform.startswith("linux"):
        return 1
    return min(wanted or len(os.sched_getaffinity(0)), MOST)


def spread(
    units: Iterable[Unit],
    work: Callable[[Unit, Ask], Iterator[Part]],
    answer: Callable[[Any], Any] = lambda _: None,
    *,
    processes: int,
) -> Iterator[Part]:
    """Yield the parts that `work` makes of each unit, in order; it may `ask` on its way.

    Raises:
        Exception: what a worker raised, or InfraError: it died.
    """
    if processes <= 1:
        for unit in units:
            yield from work(unit, _answered(answer))
        return
    # The first unit before anything is forked: what was read to find it need not be read again.
    waiting = iter(units)
    first = list(islice(waiting, 1))
    pool = _Pool(work)
    try:
        pool.fork(processes)
        yield from pool.run(chain(first, waiting), answer)
    finally:
        pool.close()


def _answered(answer: Callable[[Any], Any]) -> Ask:
    def ask(question: Any, *, last: bool = True) -> Any:
        del last
        return answer(question)

    return ask


@dataclass
class _Underway:
    """A unit that is being worked on, or whose parts wait for those of earlier ones."""

    parts: list[Any] = field(default_factory=list)
    question: tuple[Any, bool, Connection] | None = None
    done: bool = False


class _Pool:
    def __init__(self, work: Callable[[Any, Ask], Iterator[Any]]) -> None:
        self._work = work
        self._workers: dict[Connection, int] = {}
        """Connection → pid."""
        self._unit_of: dict[Connection, int] = {}
        self._idle: list[Connection] = []
        self._underway: dict[int, _Underway] = {}
        self._asking = 0
        """The unit whose questions are answered; earlier ones have none left."""
        self._collected = 0
        """The unit whose parts are yielded."""
        self._busy = DefaultSelector()
        """The workers that have a unit."""

    def fork(self, processes: int) -> None:
        """Start so many workers."""
        sys.stdout.flush()
        sys.stderr.flush()
        # A search for garbage would write to every object, and so copy the memory that is shared.
        gc.freeze()
        for _ in range(processes):
            self._fork()

    def _fork(self) -> None:
        ours, theirs = Pipe()
        pid = os.fork()
        if pid == 0:
            for other in (ours, *self._workers):
                other.close()
            _serve(theirs, self._work)
        theirs.close()
        self._workers[ours] = pid

    def run(self, units: Iterable[Any], answer: Callable[[Any], Any]) -> Iterator[Any]:
        waiting = enumerate(units)
        self._idle = list(self._workers)
        following = next(waiting, None)
        while following is not None or self._underway:
            parts = self._collect()
            following = self._give(following, waiting)
            # After work was given, which goes on meanwhile.
            yield from parts
            for ready, _ in self._busy.select() if self._unit_of else ():
                self._take(ready.data)
            self._answer(answer)
            if following is None:
                self._dismiss()

    def _give(
        self, following: tuple[int, Any] | None, waiting: Iterator[tuple[int, Any]]
    ) -> tuple[int, Any] | None:
        """Give work to those who have none; return the unit that follows."""
        within = self._collected + _AHEAD * len(self._workers)
        while self._idle and following is not None and following[0] < within:
            index, unit = following
            connection = self._idle.pop()
            self._send(connection, unit)
            self._busy.register(connection, EVENT_READ, connection)
            self._unit_of[connection] = index
            self._underway[index] = _Underway()
            following = next(waiting, None)
        return following

    def _take(self, connection: Connection) -> None:
        """Take one message."""
        unit = self._underway[self._unit_of[connection]]
        try:
            kind, value = connection.recv()
        except (EOFError, ConnectionError):
            raise self._died(connection) from None
        if kind == "ask":
            unit.question = (*value, connection)
        elif kind == "failed":
            raise value
        else:
            unit.parts += value
        if kind == "done":
            unit.done = True
            del self._unit_of[connection]
            self._busy.unregister(connection)
            self._idle.append(connection)

    def _send(self, connection: Connection, value: Any) -> None:
        try:
            connection.send(value)
        except ConnectionError:
            raise self._died(connection) from None

    def _died(self, connection: Connection) -> InfraError:
        pid = self._workers.pop(connection)
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        why = "killed, as when memory is short" if code == -signal.SIGKILL else "unexpectedly"
        return InfraError(f"a worker process died; it ended with {code} ({why}); start again")

    def _answer(self, answer: Callable[[Any], Any]) -> None:
        while (unit := self._underway.get(self._asking)) is not None:
            last = unit.done
            if unit.question is not None:
                question, last, connection = unit.question
                unit.question = None
                self._send(connection, answer(question))
            if not last:
                return
            self._asking += 1

    def _collect(self) -> list[Any]:
        """Return the parts that come next, as far as they are there."""
        parts: list[Any] = []
        while (unit := self._underway.get(self._collected)) is not None:
            parts += unit.parts
            unit.parts = []
            if not unit.done or self._asking <= self._collected:
                break
            del self._underway[self._collected]
            self._collected += 1
        return parts

    def _dismiss(self) -> None:
        """Let those go who have nothing left to do: their memory is given back meanwhile."""
        while self._idle:
            self._idle.pop().close()

    def close(self) -> None:
        self._busy.close()
        for connection in self._workers:
            connection.close()
        for pid in self._workers.values():
            os.kill(pid, signal.SIGKILL)
        for pid in self._workers.values():
            os.waitpid(pid, 0)
        self._workers = {}
        gc.unfreeze()


def _serve(connection: Connection, work: Callable[[Any, Ask], Iterator[Any]]) -> NoReturn:
    """Work until the parent is gone; never returns into the program that was forked."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Records are freed as they go; what is left is looked at now and then.
        gc.disable()

        def ask(question: Any, *, last: bool = True) -> Any:
            connection.send(("ask", (question, last)))
            return connection.recv()

        for number in count(1):
            _one(connection, connection.recv(), work, ask)
            if number % _COLLECTED == 0:
                gc.collect()
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _one(
    connection: Connection, unit: Any, work: Callable[[Any, Ask], Iterator[Any]], ask: Ask
) -> None:
    parts: list[Any] = []
    try:
        for part in work(unit, ask):
            if len(parts) == _TOLD_TOGETHER:
                connection.send(("parts", parts))
                parts = []
            parts.append(part)
    except (EOFError, ConnectionError):
        raise
    except Exception as error:  # noqa: BLE001 (the parent raises it)
        connection.send(("failed", _sendable(error)))
    else:
        connection.send(("done", parts))


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
