"""The same decision in both modes, for scorers that know no tolerance."""

from pydantic import JsonValue

from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict


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
    strict = Verdict(
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
    return [strict, Verdict.of_checked(**{**strict.__dict__, "mode": "lenient"})]
