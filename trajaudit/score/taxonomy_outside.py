"""Findings that are no fault of the agent's work: infrastructure, harness and evaluator."""

import re
from collections.abc import Iterator

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.verdict import Fault, GradeStatus
from trajaudit.score.case_file import CaseFile, Suspicion

_PROVIDER = re.compile(
    r"\b(provider|model|endpoint|api|openai|rate.?limit|HTTP (4|5)\d\d)\b", re.IGNORECASE
)


_CODE = re.compile(r"(provider|mock|sandbox|storage)_failed: ")
"""What the gateway and the run put in front of a failure's text."""


def _infra_kind(detail: str) -> FailureKind:
    """Return what failed: by its code, else (an imported log) by its words.

    Mocks run in a container of their own and journals on the host's disk: both are the machine's.
    """
    code = _CODE.match(detail)
    is_provider = code[1] == "provider" if code else _PROVIDER.search(detail) is not None
    return FailureKind.PROVIDER_FAILED if is_provider else FailureKind.SANDBOX_FAILED


def outside_findings(case: CaseFile) -> Iterator[Suspicion]:
    """Yield why a trial was not graded, or not run as it should."""
    outcome = case.outcome
    if outcome.status is GradeStatus.INFRA_ERROR:
        yield Suspicion(
            _infra_kind(outcome.status_detail),
            outcome.status_detail or "the infrastructure failed",
            Fault.INFRASTRUCTURE,
            explains=True,
        )
    if outcome.status is GradeStatus.FAULT_NOT_HIT:
        yield Suspicion(
            FailureKind.FAULT_NOT_HIT, outcome.status_detail, Fault.EVALUATOR, explains=True
        )
    for failure in case.failures:
        yield Suspicion(
            FailureKind.SCORER_ERROR,
            f"{failure.scorer}: {failure.error}",
            Fault.EVALUATOR,
            scorer=failure.scorer,
            explains=outcome.status is GradeStatus.SCORER_ERROR,
        )
    for verdict in case.verdicts:
        if verdict.status is GradeStatus.SCORER_ERROR and verdict.mode == "lenient":
            yield Suspicion(
                FailureKind.TASK_BROKEN,
                verdict.reason,
                Fault.REFERENCE,
                scorer=verdict.scorer,
                explains=outcome.status is GradeStatus.SCORER_ERROR,
            )
