"""The same decision in both modes, for scorers that know no tolerance."""

from pydantic import JsonValue

from trajaudit.datamodel._base import typed, varied
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict

_typed, _varied = typed(Verdict), varied(Verdict)


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
    return _pair(
        trajectory,
        scorer=scorer,
        passed=passed,
        reason=reason,
        evidence=evidence,
        fault=fault,
        detail=detail or {},
    )


def plain_pass(
    trajectory: Trajectory,
    scorer: str,
    reason: str,
    detail: dict[str, JsonValue] | None = None,
    score: float | None = None,
) -> list[Verdict]:
    """Return a strict and a lenient pass of a trial in which nothing was found."""
    return _pair(
        trajectory, scorer=scorer, passed=True, reason=reason, score=score, detail=detail or {}
    )


def _pair(trajectory: Trajectory, **said: object) -> list[Verdict]:
    strict = _typed(task_id=trajectory.task_id, trial=trajectory.trial, mode="strict", **said)
    return [strict, _varied(strict, mode="lenient")]
