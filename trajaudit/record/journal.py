"""How a trial is written down: one event a line, chained by hash, as it happens.

Each line goes to the operating system in one write, so `kill -9` loses at most the line that is
being written. Each line holds the SHA-256 of the line before, so an edited journal is noticed.
"""

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from trajaudit.datamodel.event import Event, EventBase, Warning_
from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.artifact import restored, spill
from trajaudit.record.event_line import decoded, encoded, link
from trajaudit.record.redaction import Redactor

NOTHING = hashlib.sha256(b"").hexdigest()


class Journal:
    """The journal of one trial. Thread-safe; use `with`, or `close`.

    Raises:
        RunDirError: there is a journal at this place already.
        StorageError: it cannot be made.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        redactor: Redactor | None = None,
    ) -> None:
        self._redactor = redactor
        self._path = path
        self._clock = clock
        self._start = clock()
        self._lock = threading.Lock()
        self._size = 0
        self._count = 0
        self._head = NOTHING
        self._failed = False
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd: int | None = os.open(path, flags, 0o644)
        except FileExistsError as e:
            raise RunDirError(f"{path}: a journal is there already; expected none") from e
        except OSError as e:
            raise StorageError(f"{path}: the journal cannot be made; {e.strerror}") from e

    @property
    def head(self) -> str:
        """SHA-256 (hex) of the last line, of nothing where there is none."""
        return self._head

    @property
    def folder(self) -> Path:
        """Where it lies, with the artifacts beside it."""
        return self._path.parent

    @property
    def count(self) -> int:
        """Events written so far."""
        return self._count

    def append(self, event: EventBase) -> int:
        """Write an event and return its `seq`; its own `seq`, `t` and `prev` are ignored.

        Raises:
            StorageError: it could not be written whole; the file ends as before.
        """
        fields = event.model_dump()
        if self._redactor is not None:
            fields = self._redactor.tree(fields)
        spill(fields, self._path.parent)
        with self._lock:
            fields["seq"] = seq = self._count + 1
            fields["t"] = round(self._clock() - self._start, 6)
            fields["prev"] = self._head
            line = encoded(fields)
            self._write(line + b"\n")
            self._head = hashlib.sha256(line).hexdigest()
            self._count = seq
        return seq

    def close(self) -> None:
        """Bring it to the disk; safe to call twice.

        Raises:
            StorageError: the disk refused.
        """
        with self._lock:
            if self._fd is None:
                return
            fd, self._fd = self._fd, None
            try:
                os.fsync(fd)
            except OSError as e:
                raise StorageError(f"{self._path}: cannot be written; {e.strerror}") from e
            finally:
                os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, data: bytes) -> None:
        if self._fd is None or self._failed:
            raise StorageError(f"{self._path}: the journal is closed")
        try:
            # A short write is what a disk that fills up does first; the next one says why.
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as e:
            self._cut_back()
            raise StorageError(f"{self._path}: cannot be written; {e.strerror}") from e
        self._size += len(data)

    def _cut_back(self) -> None:
        if self._fd is None:
            return
        try:
            os.ftruncate(self._fd, self._size)
        except OSError:
            # Half a line is there to stay: nothing may follow it.
            self._failed = True


Report = Callable[[str], None]


def read_events(path: Path, report: Report | None = None) -> Iterator[Event]:
    """Read a journal one event at a time, with large texts put back from `artifacts/`.

    A last line that was cut is left out. A text whose artifact is gone keeps its head and is
    followed by a warning `missing_artifact`.

    Args:
        path: the journal.
        report: told of each fault as `path:line: what`; damaged lines are then skipped.

    Raises:
        RunDirError: there is no such journal, or a line is damaged and nobody is told.
    """
    for number, line, whole in _lines(path):
        event = decoded(line) if whole else "the last line is cut; expected a line feed"
        if isinstance(event, str):
            fault = f"{path}:{number}: {event}"
            if report is not None:
                report(fault)
            elif whole:
                raise RunDirError(fault)
            continue
        event, missing = restored(event, path.parent)
        yield event
        for text in missing:
            if report is not None:
                report(f"{path}:{number}: {text}")
            yield Warning_(seq=event.seq, t=event.t, code="missing_artifact", text=text)


def verify(path: Path, head: str | None = None, count: int | None = None) -> list[str]:
    """Check the chain of a journal against itself and against what `trial.json` recorded.

    Returns `path:line: what` for every line that was edited, cut, inserted or reordered.

    Raises:
        RunDirError: there is no such journal.
    """
    faults: list[str] = []
    before, number = NOTHING, 0
    for number, line, whole in _lines(path):
        if not whole:
            faults.append(f"{path}:{number}: the last line is cut; expected a line feed")
        faults += [f"{path}:{number}: {fault}" for fault in _link_faults(line, number, before)]
        before = hashlib.sha256(line).hexdigest()
    if count is not None and number != count:
        faults.append(f"{path}:{number}: {number} events; expected {count}")
    if head is not None and before != head:
        faults.append(f"{path}:{number}: the last line is not the one recorded; it was changed")
    seen = [fault.split(": ", 1)[0] for fault in faults]
    lost: list[str] = []
    for _ in read_events(path, lost.append):
        pass
    return faults + [fault for fault in lost if fault.split(": ", 1)[0] not in seen]


def _link_faults(line: bytes, number: int, before: str) -> Iterator[str]:
    seq, prev, wrong = link(line)
    if wrong:
        yield wrong
        return
    if seq != number:
        yield f"out of order; got seq {seq!r}, expected {number}"
    if prev != before:
        where = f"line {number - 1}" if number > 1 else "the start"
        yield f"does not follow from {where}; one of them was changed, removed or inserted"


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                whole = line.endswith(b"\n")
                yield number, line[:-1] if whole else line, whole
    except OSError as e:
        raise RunDirError(f"{path}: the journal cannot be read; {e.strerror}") from e
