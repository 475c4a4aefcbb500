"""All that is known about each trial of a run, side by side, in the order of the run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.verdict import Fault, GradeStatus, Verdict
from trajaudit.report.schema import ColumnName, TrialRow

_NOBODY_DECIDED = {"panel": "not_asked", "human": "not_asked", "raw": "not_recorded"}


@dataclass
class Entry:
    """One trial that the run was to have."""

    task_id: str
    trial: int
    record: TrialRecord | None = None
    outcome: Outcome | None = None
    findings: list[Finding] = field(default_factory=list)
    """The deciding ones first."""
    verdicts: list[Verdict] = field(default_factory=list)
    """Those that figures are made of: what could not be graded, and what measures a trial."""

    def take(self, verdict: Verdict) -> None:
        """Keep a verdict where figures are made of it."""
        if verdict.scorer in _MEASURING or verdict.status not in _NO_REASON:
            self.verdicts.append(verdict)

    @property
    def is_broken(self) -> bool:
        """Whether people called its task broken: then it is in no rate."""
        return self.outcome is not None and self.outcome.status is GradeStatus.TASK_BROKEN

    def decision(self, column: ColumnName) -> bool | None:
        """Pass, fail, or None where this column did not grade it."""
        if self.outcome is None:
            return None
        decision: bool | None = getattr(self.outcome, column)
        return decision

    def why_ungraded(self, column: ColumnName) -> str:
        """A snake_case reason why this column has no decision."""
        if self.outcome is None:
            return "not_run" if self.record is None else "not_scored"
        if self.is_broken:
            return GradeStatus.TASK_BROKEN.value
        if self.outcome.status is not GradeStatus.GRADED:
            blamed = (Fault.INFRASTRUCTURE, Fault.EVALUATOR)
            kinds = [finding.kind.value for finding in self.findings if finding.fault in blamed]
            return kinds[0] if kinds else self.outcome.status.value
        if column in _NOBODY_DECIDED:
            return _NOBODY_DECIDED[column]
        statuses = [verdict.status for verdict in self.verdicts if verdict.mode == column]
        open_ones = [s.value for s in statuses if s not in _NO_REASON]
        return open_ones[0] if open_ones else _NOTHING_ASKED.value

    def row(self) -> TrialRow:
        """As a row of a report."""
        outcome, record = self.outcome, self.record
        kinds = dict.fromkeys(finding.kind for finding in self.findings)
        return TrialRow(
            task_id=self.task_id,
            trial=self.trial,
            **({name: getattr(outcome, name) for name in _COLUMNS} if outcome else {}),
            source=outcome.source if outcome else "none",
            ungraded=self.why_ungraded("final") if self.decision("final") is None else None,
            kinds=tuple(kinds),
            reason=self.findings[0].reason if self.findings else "",
            end_reason=record.end_reason if record else None,
            model_calls=record.model_calls if record else 0,
            tool_calls=record.tool_calls if record else 0,
            tokens=record.prompt_tokens + record.completion_tokens if record else 0,
            cost_usd=record.cost_usd if record else None,
            duration_s=record.duration_s if record else 0.0,
        )


_NOTHING_ASKED = GradeStatus.NOT_APPLICABLE
_NO_REASON = frozenset({GradeStatus.GRADED, _NOTHING_ASKED})
_MEASURING = frozenset({"truncation", "recovery"})
"""Scorers whose verdicts hold figures of the report."""
_COLUMNS: tuple[ColumnName, ...] = ("raw", "strict", "lenient", "panel", "human", "final")


@dataclass(frozen=True)
class Board:
    """Every trial that a run was to have, by task."""

    tasks: dict[str, list[Entry]]

    @classmethod
    def of(
        cls,
        config: RunConfig,
        trials: Iterable[TrialRecord],
        outcomes: Iterable[Outcome],
        findings: Iterable[Finding],
        verdicts: Iterable[Verdict],
    ) -> Self:
        """Collect by trial. Due are `config.trials` trials of each of `config.task_ids`; with no
        task ids (an import, which plans nothing) the trials that are there.
        """
        entries: dict[tuple[str, int], Entry] = {}

        def at(task_id: str, trial: int) -> Entry:
            return entries.setdefault((task_id, trial), Entry(task_id, trial))

        for task_id in config.task_ids:
            for trial in range(1, config.trials + 1):
                at(task_id, trial)
        for record in trials:
            at(record.task_id, record.trial).record = record
        for outcome in outcomes:
            at(outcome.task_id, outcome.trial).outcome = outcome
        for finding in findings:
            at(finding.task_id, finding.trial).findings.append(finding)
        for verdict in verdicts:
            at(verdict.task_id, verdict.trial).take(verdict)
        return cls(_by_task(entries.values()))

    def entries(self) -> list[Entry]:
        """All of them, task by task."""
        return [entry for entries in self.tasks.values() for entry in entries]

    def broken(self) -> dict[str, list[Entry]]:
        """The tasks that people called broken."""
        return {
            task_id: entries
            for task_id, entries in self.tasks.items()
            if any(entry.is_broken for entry in entries)
        }

    def counted(self) -> "Board":
        """The tasks that rates are made of: all but the broken ones."""
        broken = self.broken()
        kept = {name: entries for name, entries in self.tasks.items() if name not in broken}
        return Board(kept)

    def shown_columns(self) -> list[ColumnName]:
        """Strict, lenient and final always; the others when anything is in them."""
        entries = self.entries()
        always = {"strict", "lenient", "final"}
        return [
            column
            for column in _COLUMNS
            if column in always or any(entry.decision(column) is not None for entry in entries)
        ]


def kinds_of(entries: Sequence[Entry]) -> tuple[FailureKind, ...]:
    """Kinds found in these trials, commonest first."""
    found = [kind for entry in entries for kind in {finding.kind for finding in entry.findings}]
    order = {kind: rank for rank, kind in enumerate(FailureKind)}
    return tuple(sorted(set(found), key=lambda kind: (-found.count(kind), order[kind])))


def _by_task(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    tasks: dict[str, list[Entry]] = {}
    for entry in entries:
        entry.findings.sort(key=lambda finding: not finding.decided)
        tasks.setdefault(entry.task_id, []).append(entry)
    for found in tasks.values():
        found.sort(key=lambda entry: entry.trial)
    return tasks
