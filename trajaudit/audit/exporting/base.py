"""What an exporter is, and the audited trials that it tells in its format, one at a time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from trajaudit.datamodel.event import Event
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import Outcome, ScorerFailure, TrialRecord
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.errors import UsageError
from trajaudit.record.journal import read_events
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory


@dataclass(frozen=True)
class Exporter:
    """One format. `write` makes the file at a path that is not there yet; it returns how many
    trials are in it.
    """

    name: str
    suffix: str
    """Of the file, with its dot."""
    write: Callable[[RunDir, Path], int]
    describes: str
    """One line for people."""


@dataclass(frozen=True)
class AuditedTrial:
    """One trial with everything that was said about it."""

    record: TrialRecord
    scenario: Scenario
    """With the tools that this trial was offered."""
    task: Task
    events: tuple[Event, ...]
    trajectory: Trajectory
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    failures: tuple[ScorerFailure, ...]


def audited_trials(run: RunDir) -> Iterator[AuditedTrial]:
    """Yield the scored trials of a run in their order; memory holds one of them.

    Raises:
        UsageError: the run was not scored, or has changed since then.
    """
    if not (run.path / "outcomes.jsonl").exists():
        raise UsageError(
            f"{run.path}: was not scored; got no outcomes.jsonl; "
            f"run trajaudit score {run.run_id} first"
        )
    outcomes = _Groups(run.read_outcomes(), run)
    verdicts = _Groups(run.read_verdicts(), run)
    findings = _Groups(run.read_findings(), run)
    failures = _Groups(run.read_failures(), run)
    for record in run.read_trials():
        key = (record.task_id, record.trial)
        events = tuple(read_events(run.journal_path(*key)))
        found = outcomes.take(key)
        if len(found) != 1:
            raise outcomes.changed(f"{len(found)} outcomes of {key[0]}/{key[1]}")
        yield AuditedTrial(
            record=record,
            scenario=run.tasks.scenario(record),
            task=run.tasks.task(record.task_id),
            events=events,
            trajectory=read_trajectory(events),
            outcome=found[0],
            verdicts=verdicts.take(key),
            findings=findings.take(key),
            failures=failures.take(key),
        )
    for groups in (outcomes, verdicts, findings, failures):
        groups.require_all_taken()


class _OfTrial(Protocol):
    @property
    def task_id(self) -> str: ...
    @property
    def trial(self) -> int: ...


R = TypeVar("R", bound=_OfTrial)


class _Groups(Generic[R]):
    """Records of a file, trial by trial: scoring writes them in the order of the trials."""

    def __init__(self, records: Iterable[R], run: RunDir) -> None:
        self._records = iter(records)
        self._next = next(self._records, None)
        self._run = run

    def take(self, key: tuple[str, int]) -> tuple[R, ...]:
        """Return what stands next, as far as it belongs to this trial."""
        found: list[R] = []
        while self._next is not None and (self._next.task_id, self._next.trial) == key:
            found.append(self._next)
            self._next = next(self._records, None)
        return tuple(found)

    def require_all_taken(self) -> None:
        """Refuse records that belong to no trial, or stand in another order."""
        if self._next is not None:
            raise self.changed(f"a record of {self._next.task_id}/{self._next.trial}")

    def changed(self, got: str) -> UsageError:
        return UsageError(
            f"{self._run.path}: has changed since it was scored; got {got}; "
            f"run trajaudit score {self._run.run_id} again"
        )
