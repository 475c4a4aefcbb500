"""Scores the trials of a run one by one; memory keeps of each only what its task needs later."""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Self

from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import Outcome, ScorerFailure, TrialRecord
from trajaudit.datamodel.verdict import Verdict
from trajaudit.record.stored import dumped
from trajaudit.score.agreement import TrialReading
from trajaudit.score.driver import TrialScores

Key = tuple[str, int]
Scored = tuple[TrialRecord, TrialScores, TrialReading]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is kept of a scored trial until all of its task were."""

    task_id: str
    trial: int
    started: str
    final: bool | None
    reading: TrialReading


class Scoring:
    """One pass over a run. Take `verdicts` to their end first; then everything else is known.

    Outcomes and findings wait in a temporary file: those of a whole task may change which of them
    decided.
    """

    def __init__(self, trials: Iterator[Scored]) -> None:
        self._trials = trials
        self._spool: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `with`)
        self._counts: list[int] = []
        """Findings of each trial."""
        self.seen: list[Seen] = []
        self.failures: list[ScorerFailure] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spool.close()

    def verdicts(self) -> Iterator[Verdict]:
        """Score trial by trial and yield what is said of each."""
        for record, scores, reading in self._trials:
            yield from scores.verdicts
            self.failures += scores.failures
            self._counts.append(len(scores.findings))
            for one in (scores.outcome, *scores.findings):
                self._spool.write(dumped(one) + b"\n")
            final = scores.outcome.final
            self.seen.append(Seen(record.task_id, record.trial, record.started, final, reading))

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each trial."""
        for outcome, _ in self._spooled():
            yield Outcome.model_validate_json(outcome)

    def findings(self, added: Mapping[Key, Finding]) -> Iterator[tuple[Outcome, list[Finding]]]:
        """Yield the outcome and the findings of each trial.

        `added`: findings about a trial that came from looking at its whole task.
        """
        for line, lines in self._spooled():
            outcome = Outcome.model_validate_json(line)
            found = [Finding.model_validate_json(one) for one in lines]
            new = added.get((outcome.task_id, outcome.trial))
            yield outcome, found if new is None else _with(found, new)

    def _spooled(self) -> Iterator[tuple[bytes, list[bytes]]]:
        self._spool.seek(0)
        for count in self._counts:
            outcome = self._spool.readline()
            yield outcome, [self._spool.readline() for _ in range(count)]


def _with(findings: list[Finding], new: Finding) -> list[Finding]:
    if new.decided:
        findings = [one.model_copy(update={"decided": False}) for one in findings]
    return sorted([*findings, new], key=lambda one: not one.decided)
