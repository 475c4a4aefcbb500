"""The same decision in both modes, for scorers that know no tolerance."""

from pydantic import JsonValue

from trajaudit.datamodel._base import typed, varied
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict

_first, _second = typed(Verdict), varied(Verdict)


def both_modes(
    trajectory: Trajectory,
    scorer: str,
    *,
    passed: bool,
    reason: str,
    evidence: tuple[Evidence, ...] = (),
    detail: dict[str, JsonValue] | None = None,
    fault: Fault | None = None,
) -> list[Verdict]:
    """Return a strict and a lenient verdict that say the same."""
    strict = _first(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=scorer,
        mode="strict",
        passed=passed,
        reason=reason,
        evidence=evidence,
        fault=fault,
        detail=detail or {},
    )
    return [strict, _second(strict, mode="lenient")]


def plain_pass(
    trajectory: Trajectory,
    scorer: str,
    reason: str,
    detail: dict[str, JsonValue] | None = None,
    score: float | None = None,
) -> list[Verdict]:
    """Return a strict and a lenient pass of a trial in which nothing was found."""
    strict = _first(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=scorer,
        mode="strict",
        passed=True,
        reason=reason,
        score=score,
        detail=detail or {},
    )
    return [strict, _second(strict, mode="lenient")]
