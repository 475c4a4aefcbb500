"""What did the log itself find of the process, and for what did it fail a trial?

A log from elsewhere often holds checks that nobody can make again, since the database that they
looked at is gone: whether it matched, whether its assertions held. They are an evaluator's word,
not the agent's, and count as an end state.
"""

from collections.abc import Iterator, Mapping

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.score.case_file import CaseFile, Suspicion, steps_of
from trajaudit.score.criteria import (
    COMMUNICATED,
    basis_passes,
    decisions_of,
    failed_checks,
    process,
)
from trajaudit.score.verdict_pair import both_modes

NAME = "recorded_checks"
STATE_CHECKS = ("db", "env")
"""Names of the checks of an end state in `Origin.checks`."""
_PROCESS = (*STATE_CHECKS, "action")
"""With them a check of the actions, where the log's verdict is based on it as well."""


def recorded_checks(origin: Origin, trajectory: Trajectory) -> list[Verdict]:
    """Say in both modes what the log recorded of the process; nothing where it made no check of an
    end state, the check did not count, or the world itself is here.
    """
    if not origin.checks or trajectory.world_end is not None:
        return []
    names = [name for name in _PROCESS if name in (origin.basis or STATE_CHECKS)]
    made = {name: origin.checks[name] for name in names if origin.checks.get(name) is not None}
    if made.keys().isdisjoint(STATE_CHECKS):
        return []
    passed = basis_passes(tuple(made), made)
    if passed is None:
        return []
    failed = failed_checks(made)
    told = f"failed: {', '.join(failed)}" if failed else f"passed: {', '.join(made)}"
    return both_modes(trajectory, NAME, passed=passed, reason=f"the log's own checks {told}")


def criterion_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield where the process is right, and the trial was failed for another criterion."""
    done = process(decisions_of(case.verdicts, "lenient"), "lenient")
    if done is None or done.passed is not True:
        return
    strict, lenient = case.verdict(COMMUNICATED, "strict"), case.verdict(COMMUNICATED, "lenient")
    if lenient is not None and lenient.passed is False:
        yield _criterion(f"all that was to be done is done; {lenient.reason}", lenient, case.failed)
    elif strict is not None and strict.passed is False:
        reason = f"the user was told, in other characters than the rule wants; {strict.reason}"
        yield _criterion(reason, strict, case.differs, Fault.EVALUATOR)
    elif case.recorded is not None and case.recorded.raw is False:
        others = [name for name in _failed(case.recorded) if name not in STATE_CHECKS]
        if others:
            reason = f"all that was to be done is done; the log failed it for {', '.join(others)}"
            yield _criterion(reason, None, False, Fault.EVALUATOR)


def _failed(origin: Origin) -> tuple[str, ...]:
    checks: Mapping[str, bool | None] = origin.checks
    return failed_checks({n: p for n, p in checks.items() if not origin.basis or n in origin.basis})


def _criterion(
    reason: str, verdict: Verdict | None, explains: bool, fault: Fault = Fault.AGENT
) -> Suspicion:
    evidence = verdict.evidence if verdict is not None else ()
    return Suspicion(
        FailureKind.RIGHT_PROCESS_WRONG_CRITERION,
        reason[:600],
        fault,
        steps_of(evidence),
        evidence,
        verdict.scorer if verdict is not None else None,
        explains=explains,
    )
