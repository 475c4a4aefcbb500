"""Collects what was said of the trials of a run; memory keeps what their tasks need later, and of
the rest a bounded part.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, ScorerFailure
from trajaudit.record.stored import dumped_plain
from trajaudit.score.agreement import TrialReading

Key = tuple[str, int]
_AT_HAND = 4 * 1024 * 1024
"""Bytes of what was said that are kept in memory; more goes to a file."""


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
class _Place:
    """Where in the spool a trial lies: its verdicts, its outcome, its findings."""

    verdicts: int
    outcome: int
    findings: int
    end: int


class Scoring:
    """What was said of the trials of a run, kept until all were scored; much of it in a file.

    Not before is it known which findings decided: those of a whole task may change that.
    """

    def __init__(self) -> None:
        self._spool = tempfile.SpooledTemporaryFile(_AT_HAND)  # noqa: SIM115 (closed by `with`)
        self._end = 0
        self._trials: list[tuple[Seen, _Place]] = []
        self.failures: list[ScorerFailure] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spool.close()

    def take(self, one: ScoredTrial) -> None:
        """Keep what was said of a trial."""
        self.failures += one.failures
        outcome = self._end + len(one.verdicts)
        content = b"\n".join((one.verdicts + one.outcome, *one.findings, b""))
        start, self._end = self._end, self._end + len(content)
        place = _Place(start, outcome, outcome + len(one.outcome) + 1, self._end)
        self._trials.append((one.seen, place))
        self._spool.write(content)

    def sort(self, task_ids: Sequence[str]) -> None:
        """Put the trials in the order of a run: by task, then by number."""
        order = {task_id: number for number, task_id in enumerate(task_ids)}
        self._trials.sort(key=lambda one: (order[one[0].task_id], one[0].trial))
        self.failures.sort(key=lambda one: (order[one.task_id], one.trial))

    @property
    def seen(self) -> list[Seen]:
        """What is kept of each trial."""
        return [seen for seen, _ in self._trials]

    def verdict_lines(self) -> Iterator[bytes]:
        """Yield the verdicts on each trial, as whole lines."""
        for _, place in self._trials:
            yield self._content(place.verdicts, place.outcome)

    def outcome_lines(self) -> Iterator[bytes]:
        """Yield the outcome of each trial as a whole line."""
        for _, place in self._trials:
            yield self._content(place.outcome, place.findings)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each trial."""
        for line in self.outcome_lines():
            yield Outcome.model_validate_json(line)

    def finding_lines(self, added: Mapping[Key, Finding]) -> Iterator[tuple[Seen, bytes, bytes]]:
        """Yield what was seen of each trial, its outcome and its findings, as whole lines.

        `added`: findings about a trial that came from looking at its whole task.
        """
        for seen, place in self._trials:
            outcome = self._content(place.outcome, place.findings)
            lines = self._content(place.findings, place.end)
            new = added.get((seen.task_id, seen.trial))
            if new is not None:
                found = with_finding(read_findings(lines), new)
                lines = b"".join(dumped_plain(one) + b"\n" for one in found)
            yield seen, outcome, lines

    def _content(self, start: int, end: int) -> bytes:
        self._spool.seek(start)
        return self._spool.read(end - start)


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
