"""Scores the trials of a run one by one; memory keeps of each only what its task needs later."""

import tempfile
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import IO, Self

from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.run import Outcome, ScorerFailure, TrialRecord
from trajaudit.datamodel.verdict import Verdict
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped
from trajaudit.score.agreement import TrialReading
from trajaudit.score.driver import TrialScores

Key = tuple[str, int]
Scored = tuple[TrialRecord, TrialScores, TrialReading]


class Scoring:
    """One pass over a run. Take `verdicts` to their end first; then everything else is known.

    Findings wait in a temporary file: those of a whole task may change which of them decided.
    """

    def __init__(self, run: RunDir, trials: Iterator[Scored]) -> None:
        self._run = run
        self._trials = trials
        self._findings: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `with`)
        self._counts: list[int] = []
        self.scored: list[Scored] = []
        """Each trial without its verdicts, findings and origin."""
        self.failures: list[ScorerFailure] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._findings.close()

    def verdicts(self) -> Iterator[Verdict]:
        """Score trial by trial and yield what is said of each."""
        for record, scores, reading in self._trials:
            yield from scores.verdicts
            self.failures += scores.failures
            self._counts.append(len(scores.findings))
            for finding in scores.findings:
                self._findings.write(dumped(finding) + b"\n")
            slim = record.model_copy(update={"origin": _slim(record.origin)})
            self.scored.append((slim, TrialScores((), (), scores.outcome), reading))

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome of each trial."""
        return (scores.outcome for _, scores, _ in self.scored)

    def findings(self, added: Mapping[Key, Finding]) -> Iterator[tuple[Outcome, list[Finding]]]:
        """Yield the outcome and the findings of each trial.

        `added`: findings about a trial that came from looking at its whole task.
        """
        self._findings.seek(0)
        for outcome, count in zip(self.outcomes(), self._counts, strict=True):
            lines = [self._findings.readline() for _ in range(count)]
            found = [Finding.model_validate_json(line) for line in lines]
            new = added.get((outcome.task_id, outcome.trial))
            yield outcome, found if new is None else _with(found, new)


def _slim(origin: Origin | None) -> Origin | None:
    """Keep of an origin what tells trials of one log from those of another, and its tools."""
    if origin is None:
        return None
    return Origin(source="", format=origin.format, model_id=origin.model_id, toolset=origin.toolset)


def _with(findings: list[Finding], new: Finding) -> list[Finding]:
    if new.decided:
        findings = [one.model_copy(update={"decided": False}) for one in findings]
    return sorted([*findings, new], key=lambda one: not one.decided)
