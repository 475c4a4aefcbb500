"""Why did a trial end as it did, and whose fault is it? Verdicts and trajectory to findings.

A trial can carry several findings; at most one is marked as the one that decided: the first of
`DECIDING` that explains the outcome.
"""

from collections.abc import Iterator, Sequence

from trajaudit.datamodel._base import typed
from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.score.case_file import CaseFile, Suspicion
from trajaudit.score.recorded import criterion_findings
from trajaudit.score.taxonomy_answer import answer_findings
from trajaudit.score.taxonomy_integrity import (
    early_findings,
    integrity_findings,
    spare_findings,
)
from trajaudit.score.taxonomy_outside import outside_findings
from trajaudit.score.taxonomy_patch import patch_findings
from trajaudit.score.taxonomy_tools import process_findings, side_findings

K = FailureKind
DECIDING: tuple[FailureKind, ...] = (
    K.SANDBOX_FAILED,
    K.PROVIDER_FAILED,
    K.FAULT_NOT_HIT,
    K.SCORER_ERROR,
    K.VERIFIER_TIMEOUT,
    K.TEST_TAMPERING,
    K.FORBIDDEN_ACTION,
    K.DISALLOWED_TOOL,
    K.REFUSED,
    K.EARLY_CORRECT_LATE_FAIL,
    K.LOOP,
    K.TRUNCATED,
    K.UNRECOVERED_ERROR,
    K.UNKNOWN_TOOL,
    K.ORDER_VIOLATION,
    K.INVALID_ARGUMENTS,
    K.WRONG_TOOL,
    K.MISSING_CALL,
    K.UNNEEDED_CALLS,
    K.ALTERNATE_VALID_PATH,
    K.RIGHT_PROCESS_WRONG_CRITERION,
    K.SCHEMA_NEAR_MISS,
    K.RETRACTED,
    K.NO_ANSWER,
    K.EXTRACTION_FAILED,
    K.WRONG_ANSWER,
    K.FORMAT_MISMATCH,
)
"""What weighs more when several explain the same outcome; causes before their consequences."""
_made = typed(Finding)


def findings_of(case: CaseFile) -> tuple[Finding, ...]:
    """Return every finding of a trial, the one that decided first."""
    suspicions = list(_suspicions(case))
    if not suspicions:
        return ()
    deciding = _deciding(suspicions)
    return tuple(
        _finding(case, suspicion, decided=suspicion is deciding)
        for suspicion in sorted(suspicions, key=lambda one: one is not deciding)
    )


_SOURCES = (
    outside_findings,
    early_findings,
    process_findings,
    criterion_findings,
    answer_findings,
    patch_findings,
    side_findings,
    integrity_findings,
    spare_findings,
)


def _suspicions(case: CaseFile) -> Iterator[Suspicion]:
    seen: set[tuple[FailureKind, tuple[int, ...]]] = set()
    for source in _SOURCES:
        for suspicion in source(case):
            key = (suspicion.kind, suspicion.steps)
            if key not in seen:
                seen.add(key)
                yield suspicion


def _deciding(suspicions: Sequence[Suspicion]) -> Suspicion | None:
    weighty = [one for one in suspicions if one.explains and one.kind in DECIDING]
    return min(weighty, key=lambda one: DECIDING.index(one.kind), default=None)


def _finding(case: CaseFile, suspicion: Suspicion, *, decided: bool) -> Finding:
    return _made(
        task_id=case.trajectory.task_id,
        trial=case.trajectory.trial,
        kind=suspicion.kind,
        fault=suspicion.fault,
        steps=suspicion.steps,
        reason=suspicion.reason,
        evidence=suspicion.evidence,
        decided=decided,
        scorer=suspicion.scorer,
    )
