"""Collects what was said of the trials of a run; memory keeps what their tasks need later, a file
the rest.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import Self

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, ScorerFailure
from trajaudit.errors import StorageError
from trajaudit.record.stored import dumped_plain, storing
from trajaudit.score.agreement import TrialReading

Key = tuple[str, int]
_NEAR = 16 * 1024
"""Bytes that are read from the file at once."""


@dataclass(frozen=True)
class Seen:
    """What is kept of a scored trial until all of its task were."""

    task_id: str
    trial: int
    started: str
    final: bool | None
    reading: TrialReading


@dataclass(frozen=True)
class ScoredTrial:
    """Everything that was said of one trial, as the lines that go to the files."""

    seen: Seen
    verdicts: bytes
    """Whole lines."""
    outcome: bytes
    """One line, without its line feed; so are the findings."""
    findings: tuple[bytes, ...]
    failures: tuple[ScorerFailure, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptScores:
    """What is kept of a scored trial in memory, and where in the file the lines are."""

    seen: Seen
    verdicts: int
    outcome: int
    findings: int
    end: int
    failures: tuple[ScorerFailure, ...]


class Scoring:
    """What was said of the trials of a run, kept until all were scored; most of it in a file that
    has no name. Processes that are forked from the one that made it write there as well.

    Not before all were scored is it known which findings decided: those of a whole task may change
    that.
    """

    def __init__(self, folder: Path) -> None:
        """Make the file in a folder, where it is never seen.

        Raises:
            StorageError: it cannot be made there.
        """
        self._folder = folder
        with storing(folder):
            self._file = tempfile.TemporaryFile(buffering=0, dir=folder)  # noqa: SIM115 (`with`)
        self._trials: list[KeptScores] = []
        self._near = 0, b""
        """Where a part of the file begins, and that part, which stays true: the file only grows."""
        self.failures: list[ScorerFailure] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def keep(self, trials: Sequence[ScoredTrial]) -> list[KeptScores]:
        """Write the lines of some trials to the file; what is returned is for `take`, which the
        process calls that made this.

        Raises:
            StorageError: the file cannot be written.
        """
        contents = [b"\n".join((one.verdicts + one.outcome, *one.findings, b"")) for one in trials]
        with storing(self._folder):
            start = self._written(b"".join(contents))
        edges = list(accumulate(map(len, contents), initial=start))
        return [_kept(*one) for one in zip(trials, edges[:-1], edges[1:], strict=True)]

    def _written(self, content: bytes) -> int:
        """Append to the file, whoever else does, and return where it begins there."""
        fd = self._file.fileno()
        fcntl.lockf(fd, fcntl.LOCK_EX)
        try:
            start = os.lseek(fd, 0, os.SEEK_END)
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(fd, rest) :]
        finally:
            fcntl.lockf(fd, fcntl.LOCK_UN)
        return start

    def take(self, one: KeptScores) -> None:
        """Count a trial in whose lines were written."""
        self.failures += one.failures
        self._trials.append(one)

    def sort(self, task_ids: Sequence[str]) -> None:
        """Put the trials in the order of a run: by task, then by number."""
        order = {task_id: number for number, task_id in enumerate(task_ids)}
        self._trials.sort(key=lambda one: (order[one.seen.task_id], one.seen.trial))
        self.failures.sort(key=lambda one: (order[one.task_id], one.trial))

    @property
    def seen(self) -> list[Seen]:
        """What is kept of each trial."""
        return [one.seen for one in self._trials]

    def verdict_lines(self) -> Iterator[bytes]:
        """Yield the verdicts on each trial, as whole lines."""
        for one in self._trials:
            yield self._content(one.verdicts, one.outcome)

    def outcome_lines(self) -> Iterator[bytes]:
        """Yield the outcome of each trial as a whole line."""
        for one in self._trials:
            yield self._content(one.outcome, one.findings)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each trial."""
        for line in self.outcome_lines():
            yield Outcome.model_validate_json(line)

    def finding_lines(self, added: Mapping[Key, Finding]) -> Iterator[tuple[Seen, bytes, bytes]]:
        """Yield what was seen of each trial, its outcome and its findings, as whole lines.

        `added`: findings about a trial that came from looking at its whole task.
        """
        for one in self._trials:
            outcome = self._content(one.outcome, one.findings)
            lines = self._content(one.findings, one.end)
            new = added.get((one.seen.task_id, one.seen.trial))
            if new is not None:
                found = with_finding(read_findings(lines), new)
                lines = b"".join(dumped_plain(each) + b"\n" for each in found)
            yield one.seen, outcome, lines

    def _content(self, start: int, end: int) -> bytes:
        """Return a part of the file; what lies behind it is mostly asked for next.

        Raises:
            StorageError: it is not there any more.
        """
        at, near = self._near
        if not at <= start <= end <= at + len(near):
            at, near = start, os.pread(self._file.fileno(), max(end - start, _NEAR), start)
            if len(near) < end - start:
                told = f"verdicts that were kept here end at byte {start + len(near)}"
                raise StorageError(f"{self._folder}: {told}; expected {end} and more")
            self._near = at, near
        return near[start - at : end - at]


def _kept(one: ScoredTrial, start: int, end: int) -> KeptScores:
    outcome = start + len(one.verdicts)
    findings = outcome + len(one.outcome) + 1
    return KeptScores(one.seen, start, outcome, findings, end, one.failures)


def read_findings(lines: bytes) -> list[Finding]:
    """Return the findings of whole lines."""
    return [Finding.model_validate_json(one) for one in lines.splitlines()]


def with_finding(findings: Iterable[Finding], new: Finding) -> list[Finding]:
    """Return the findings of a trial with another; one that decides takes the place of all others,
    but nothing does of a task that is broken.
    """
    found = list(findings)
    if any(one.decided and one.kind is FailureKind.TASK_BROKEN for one in found):
        new = new.model_copy(update={"decided": False})
    if new.decided:
        found = [one.model_copy(update={"decided": False}) for one in found]
    return sorted([*found, new], key=lambda one: not one.decided)
