"""Collects what was said of the trials of a run; memory keeps only what their tasks need later."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Self

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, ScorerFailure
from trajaudit.score.agreement import TrialReading

Key = tuple[str, int]


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
    """Where in the spool a trial lies."""

    start: int
    verdicts: int
    """Bytes."""
    findings: int
    """Lines."""


class Scoring:
    """What was said of the trials of a run, kept in a temporary file until all were scored.

    Not before is it known which findings decided: those of a whole task may change that.
    """

    def __init__(self) -> None:
        self._spool: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `with`)
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
        place = _Place(self._end, len(one.verdicts), len(one.findings))
        self._trials.append((one.seen, place))
        content = one.verdicts + b"\n".join((one.outcome, *one.findings, b""))
        self._spool.write(content)
        self._end += len(content)

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
            self._spool.seek(place.start)
            yield self._spool.read(place.verdicts)

    def outcome_lines(self) -> Iterator[bytes]:
        """Yield the outcome of each trial as a whole line."""
        for _, outcome, _ in self._spooled():
            yield outcome

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each trial."""
        for line in self.outcome_lines():
            yield Outcome.model_validate_json(line)

    def findings(self, added: Mapping[Key, Finding]) -> Iterator[tuple[Seen, bytes, list[Finding]]]:
        """Yield what was seen of each trial, the line of its outcome, and its findings.

        `added`: findings about a trial that came from looking at its whole task.
        """
        for seen, outcome, lines in self._spooled():
            found = [Finding.model_validate_json(one) for one in lines]
            new = added.get((seen.task_id, seen.trial))
            yield seen, outcome, found if new is None else with_finding(found, new)

    def _spooled(self) -> Iterator[tuple[Seen, bytes, list[bytes]]]:
        for seen, place in self._trials:
            self._spool.seek(place.start + place.verdicts)
            outcome = self._spool.readline()
            yield seen, outcome, [self._spool.readline() for _ in range(place.findings)]


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
