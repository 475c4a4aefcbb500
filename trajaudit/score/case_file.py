"""Everything about one trial that the taxonomy looks at, and what it may conclude."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.run import Outcome, ScorerFailure
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Mode, Verdict
from trajaudit.score.call_reading import CallReading, read_calls, tools_of


class Suspicion(NamedTuple):
    """A finding before it is known which one decided."""

    kind: FailureKind
    reason: str
    fault: Fault = Fault.AGENT
    steps: tuple[int, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    scorer: str | None = None
    explains: bool = False
    """It explains why the outcome is not a plain pass."""


@dataclass(frozen=True)
class CaseFile:
    """One trial with all its verdicts."""

    scenario: Scenario
    task: Task
    trajectory: Trajectory
    verdicts: tuple[Verdict, ...]
    outcome: Outcome
    failures: tuple[ScorerFailure, ...] = ()
    control: Outcome | None = None
    """Of the same trial without faults."""
    recorded: Origin | None = None
    """What the log of an imported trial said of it."""

    @cached_property
    def readings(self) -> list[CallReading]:
        off = frozenset(self.scenario.tolerances.off)
        return read_calls(self.trajectory, tools_of(self.scenario, self.task), off)

    @property
    def failed(self) -> bool:
        """Whether even the lenient reading fails the trial."""
        return self.outcome.lenient is False

    @property
    def differs(self) -> bool:
        """Whether only the strict reading fails the trial."""
        return self.outcome.strict is False and self.outcome.lenient is True

    def verdict(self, scorer: str, mode: Mode) -> Verdict | None:
        """Return the verdict of a scorer in a mode, where there is one."""
        return self._by_scorer.get((scorer, mode))

    @cached_property
    def _by_scorer(self) -> dict[tuple[str, Mode], Verdict]:
        """The first verdict of each scorer and mode."""
        return {(one.scorer, one.mode): one for one in reversed(self.verdicts)}

    def passed(self, scorer: str, mode: Mode) -> bool | None:
        """Return what a scorer decided; None also where it was not asked."""
        verdict = self.verdict(scorer, mode)
        return None if verdict is None else verdict.passed


def steps_of(evidence: tuple[Evidence, ...]) -> tuple[int, ...]:
    """Return the steps that evidence points to, ascending."""
    return tuple(sorted({item.step for item in evidence if item.step is not None}))
