"""Did the agent recover from a tool that failed? The same thing was done later, and it worked.

A reply that a fault garbled, emptied or halved is a failure too: the tool did its work, and the
agent did not get to know what it said.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import FaultKind, FaultSpec
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import GradeStatus, Verdict
from trajaudit.score.call_reading import CallReading, read_calls, tools_of
from trajaudit.score.nearest_path import evidence_of
from trajaudit.score.verdict_pair import both_modes

NAME = "recovery"
SPOILING: frozenset[FaultKind] = frozenset({"malformed", "empty", "partial"})
"""Faults behind which the tool did its work, and only the answer is spoiled."""

State = Literal["recovered", "contained", "unrecovered", "never_hit"]
"""recovered: what had failed worked later; contained: it never did, and the trial passes all the
same; unrecovered: it never did, and the trial fails; never_hit: no declared fault fired."""

Comparison = Literal["failed_with_only", "failed_both", "passed_both", "passed_with_only"]
"""A trial beside its control, the same trial without faults: did only the one with the fault fail
(the fault caused it), both (not the fault's doing), none, or only the one without?"""


def recovery(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Look at every failed call of a tool that exists: did that tool work for the agent later?

    Nothing is said where no call failed and no fault is declared. Another way to the goal is not
    seen here, so this explains an outcome and never decides one.
    """
    readings = read_calls(trajectory, tools_of(scenario, task))
    failed = [r for r in readings if _failed(r) and (r.named.name or not scenario.tools)]
    declared = len(faults_of(scenario, task))
    if not failed and not declared:
        return []
    lost = [one for one in failed if not _worked_later(one, readings)]
    names = "; ".join(f"{one.call.tool} at step {one.step}: {_why(one)}"[:160] for one in lost[:3])
    detail: dict[str, JsonValue] = {
        "failed_calls": len(failed),
        "lost_calls": len(lost),
        "faults_declared": declared,
        "faults_hit": len(trajectory.faults_hit),
    }
    return both_modes(
        trajectory,
        NAME,
        passed=not lost,
        reason=f"never recovered: {names}" if lost else _fine(len(failed)),
        evidence=tuple(evidence_of(one) for one in lost[:20]),
        detail=detail,
    )


def faults_of(scenario: Scenario, task: Task) -> tuple[FaultSpec, ...]:
    """Return the faults that are declared for a task: its own, else the scenario's."""
    return scenario.faults if task.faults is None else task.faults


def uninformed(readings: Sequence[CallReading]) -> list[CallReading]:
    """Return the calls whose answer a fault spoiled, where no later call brought it whole."""
    return [one for one in readings if one.fault in SPOILING and not _worked_later(one, readings)]


def settled(
    verdicts: Sequence[Verdict], outcome: Outcome, control: Outcome | None
) -> list[Verdict]:
    """Return the verdicts with what the outcome, and that of the control trial, add to recovery.

    Only where faults are declared: `detail` then holds a `state`, and a `comparison` where both
    trials were graded; each is None where it cannot be told.
    """
    return [
        one.model_copy(
            update={
                "detail": {
                    **one.detail,
                    "state": _state(one, outcome),
                    "has_control": control is not None,
                    "comparison": compare(outcome, control),
                }
            }
        )
        if one.scorer == NAME and one.detail.get("faults_declared")
        else one
        for one in verdicts
    ]


def compare(outcome: Outcome, control: Outcome | None) -> Comparison | None:
    """Return how a trial with faults stands to its control; None where one was not graded."""
    if control is None or control.final is None or outcome.final is None:
        return None
    if outcome.final:
        return "passed_both" if control.final else "passed_with_only"
    return "failed_with_only" if control.final else "failed_both"


def _state(verdict: Verdict, outcome: Outcome) -> State | None:
    never = not verdict.detail.get("faults_hit")
    if never or outcome.status is GradeStatus.FAULT_NOT_HIT:
        return "never_hit"
    if verdict.passed:
        return "recovered"
    if outcome.final is None:
        return None
    return "contained" if outcome.final else "unrecovered"


def _failed(reading: CallReading) -> bool:
    answer = reading.answer
    return answer is not None and (answer.is_error or answer.fault in SPOILING)


def _why(failed: CallReading) -> str:
    return failed.error if failed.error is not None else f"its answer was {failed.fault}"


def _fine(failed: int) -> str:
    return f"recovered from {failed} failures" if failed else "no call failed"


def _worked_later(failed: CallReading, readings: Sequence[CallReading]) -> bool:
    return any(
        later.happened and later.fault not in SPOILING and later.repeats[0] == failed.repeats[0]
        for later in readings
        if later.step > failed.step
    )
