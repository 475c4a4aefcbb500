"""Spreads work over processes of this machine; what comes of it comes in the order of the work.

Processes are forked, so that nothing is imported or sent twice, and only where forking is safe and
worth it. The one that forks them works as well, and sees to the others meanwhile. A worker that
needs what only the parent can know (which number comes next) asks for it; the parent answers in the
order of the work as well, so that the result never depends on how many processes there are.
"""

import gc
import os
import select
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, TypeVar

from trajaudit.audit.worker import COLLECTED, Ask, Work, Worker

Unit = TypeVar("Unit")
Part = TypeVar("Part")
MOST = 16
"""Processes; more only wait for the one that collects."""
_AHEAD = 3
"""Units for each process that may be under way or waiting to be collected."""


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
            yield from work(unit, _AskNobody(answer))
        return
    # The first unit before anything is forked: what was read to find it need not be read again.
    waiting = iter(units)
    first = list(islice(waiting, 1))
    pool = _Pool(work, answer)
    try:
        pool.fork(processes - 1)
        yield from pool.run(chain(first, waiting))
    finally:
        pool.close()


class _AskNobody:
    """Has questions answered at once, by the only process that there is."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer

    def __call__(self, question: Any, *, last: bool = True) -> Callable[[], Any]:
        del last
        answer = self._answer(question)
        return lambda: answer

    def attend(self) -> None:
        """There are no others."""

    def soon(self) -> None:
        """The next unit is at hand."""


@dataclass
class _Underway:
    """A unit that is being worked on, or whose parts wait for those of earlier ones."""

    parts: list[Any] = field(default_factory=list)
    questions: deque[tuple[Any, Callable[[Any], None]]] = field(default_factory=deque)
    """Each with what is done with the answer."""
    is_asked: bool = False
    """No more questions come."""
    is_done: bool = False

    def ask(self, question: Any, reply: Callable[[Any], None], *, last: bool) -> None:
        """Note a question."""
        self.questions.append((question, reply))
        self.is_asked = last


class _Pool:
    def __init__(self, work: Work, answer: Callable[[Any], Any]) -> None:
        self._work = work
        self._to_answer = answer
        self._workers: list[Worker] = []
        self._free: list[Worker] = []
        """Those that may be given a unit."""
        self._by_number: dict[int, Worker] = {}
        """By the number of the file by which each is heard."""
        self._said = select.poll()
        self._underway: dict[int, _Underway] = {}
        self._units: Iterator[tuple[int, Any]] = iter(())
        self._following: tuple[int, Any] | None = None
        """The unit that is given next."""
        self._asking = 0
        """The unit whose questions are answered; earlier ones have none left."""
        self._collected = 0
        """The unit whose parts are yielded."""
        self._error: Exception | None = None
        self._own = 0
        """Units that were worked on here."""
        self._collects_garbage = gc.isenabled()

    def fork(self, processes: int) -> None:
        """Start so many workers beside this process."""
        sys.stdout.flush()
        sys.stderr.flush()
        # A search for garbage would write to every object, and so copy the memory that is shared.
        gc.freeze()
        gc.disable()
        # Not between a fork and what is to be known, or is to happen, before Ctrl-C.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(processes):
                self._workers.append(Worker(self._work, self._workers))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._by_number = {one.connection.fileno(): one for one in self._workers}
        for number in self._by_number:
            self._said.register(number, select.POLLIN)
        self._free = list(self._workers)

    def run(self, units: Iterable[Any]) -> Iterator[Any]:
        self._units = enumerate(units)
        self._following = next(self._units, None)
        while self._following is not None or self._underway:
            self.attend()
            yield from self._collect()
            if self._following is not None and self._is_near(self._following[0]):
                yield from self._work_on(*self._following)
            elif self._underway:
                self.attend(wait=True)

    def _is_near(self, index: int) -> bool:
        return index < self._collected + _AHEAD * (len(self._workers) + 1)

    def _give(self) -> None:
        """Give work to those who have none, or soon will have none."""
        while self._free and self._following is not None and self._is_near(self._following[0]):
            index, unit = self._following
            worker = self._free.pop()
            worker.give(index, unit)
            self._underway[index] = _Underway()
            self._following = next(self._units, None)
        while self._free and self._following is None:
            self._dismiss(self._free.pop())

    def _dismiss(self, worker: Worker) -> None:
        """Let it go when it has nothing left to do: its memory is given back meanwhile."""
        if not worker.units:
            self._said.unregister(worker.connection)
            worker.connection.close()

    def _work_on(self, index: int, unit: Any) -> Iterator[Any]:
        """Do a unit here, and yield what can be yielded meanwhile."""
        own = self._underway[index] = _Underway()
        self._following = next(self._units, None)
        for part in self._work(unit, _AskHere(self, own)):
            own.parts.append(part)
            yield from self._collect()
        own.is_done = True
        self.answer()
        self._own += 1
        if self._own % COLLECTED == 0:
            gc.collect()

    def attend(self, *, wait: bool = False) -> None:
        """See to the workers that said something; `wait` until one does.

        What is raised here is raised again the next time: work may have taken it for its own.
        """
        if self._error is not None:
            raise self._error
        try:
            for number, _ in self._said.poll(None if wait else 0):
                self._take(self._by_number[number])
                self.answer()
            self._give()
        except Exception as error:
            self._error = error
            raise

    def _take(self, worker: Worker) -> None:
        """Take one message."""
        kind, value = worker.told()
        unit = self._underway[worker.units[0]]
        if kind == "failed":
            raise value
        if kind == "ask":
            question, last = value
            unit.ask(question, worker.answer, last=last)
        elif kind == "part":
            unit.parts.append(value)
        elif kind == "done":
            unit.is_done = True
            worker.units.popleft()
        # Who is nearly done shall not have to wait for what comes next.
        if (kind == "soon" or not worker.units) and worker not in self._free:
            self._free.append(worker)

    def answer(self) -> None:
        """Answer the questions whose turn it is."""
        while (unit := self._underway.get(self._asking)) is not None:
            while unit.questions:
                question, reply = unit.questions.popleft()
                reply(self._to_answer(question))
            if not (unit.is_asked or unit.is_done):
                return
            self._asking += 1

    def _collect(self) -> list[Any]:
        """Return the parts that come next, as far as they are there."""
        parts: list[Any] = []
        while (unit := self._underway.get(self._collected)) is not None:
            parts += unit.parts
            unit.parts = []
            if not unit.is_done or self._asking <= self._collected:
                break
            del self._underway[self._collected]
            self._collected += 1
        return parts

    def close(self) -> None:
        try:
            for worker in self._workers:
                worker.kill()
            for worker in self._workers:
                worker.wait()
        finally:
            gc.unfreeze()
            if self._collects_garbage:
                gc.enable()


class _AskHere:
    """Asks the process that works, for a unit, and lets it see to the workers."""

    def __init__(self, pool: _Pool, unit: _Underway) -> None:
        self._pool = pool
        self._unit = unit
        self._answers: deque[Any] = deque()
        self.attend = pool.attend

    def __call__(self, question: Any, *, last: bool = True) -> Callable[[], Any]:
        self._unit.ask(question, self._answers.append, last=last)
        self._pool.answer()
        return self._answer

    def soon(self) -> None:
        """The next unit is at hand."""

    def _answer(self) -> Any:
        while not self._answers:
            self._pool.attend(wait=True)
        return self._answers.popleft()
