"""What a scorer is: a pure function of what was asked and what was done."""

from typing import Protocol

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict


class Scorer(Protocol):
    """Never raises for any trajectory; returns a strict and a lenient verdict, or none at all
    when the task asks nothing of it. Strict true implies lenient true.
    """

    def __call__(self, scenario: Scenario, task: Task, trajectory: Trajectory, /) -> list[Verdict]:
        """Decide; the same input always gives the same verdicts."""
