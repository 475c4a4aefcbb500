"""Findings about the patch that an agent left, and about its tests."""

from collections.abc import Iterator

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Fault, GradeStatus, Verdict
from trajaudit.score.case_file import CaseFile, Suspicion, steps_of
from trajaudit.score.criteria import PATCH

K = FailureKind
STEERS = "touches_test_infrastructure"
"""Flag of a verification: files that say how tests are run were changed, and put back."""


def patch_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield why the patch fails or could not be graded, and whether it reached for the tests."""
    strict, lenient = case.verdict(PATCH, "strict"), case.verdict(PATCH, "lenient")
    if strict is None or lenient is None:
        return
    if lenient.passed is False:
        yield _found(lenient, K(lenient.label or K.WRONG_ANSWER), explains=case.failed)
    elif lenient.status is GradeStatus.VERIFIER_TIMEOUT:
        settles = case.outcome.status is GradeStatus.VERIFIER_TIMEOUT
        yield _found(lenient, K.VERIFIER_TIMEOUT, Fault.INFRASTRUCTURE, explains=settles)
    elif lenient.passed and strict.passed is False:
        yield _found(strict, K.REFERENCE_SUSPECT, Fault.REFERENCE, explains=case.differs)
    flags = lenient.detail.get("flags")
    if isinstance(flags, list) and STEERS in flags and lenient.label != K.TEST_TAMPERING.value:
        reason = "files that say how tests are run were changed; they were put back for grading"
        evidence = lenient.evidence
        yield Suspicion(K.TEST_TAMPERING, reason, Fault.AGENT, steps_of(evidence), evidence, PATCH)


def _found(
    verdict: Verdict, kind: FailureKind, fault: Fault = Fault.AGENT, *, explains: bool
) -> Suspicion:
    return Suspicion(
        kind,
        verdict.reason[:600],
        fault,
        steps_of(verdict.evidence),
        verdict.evidence,
        verdict.scorer,
        explains=explains,
    )
