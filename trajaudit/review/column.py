"""The human column of a trial's outcome: what people settled wins over judges and rules."""

from collections.abc import Iterable, Mapping

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.review import HumanDecision
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Fault, GradeStatus
from trajaudit.judge.column import is_judgeable

Key = tuple[str, int]
BROKEN = "people say that the task is broken; none of its trials counts"


def with_human(outcome: Outcome, decision: HumanDecision | None) -> Outcome:
    """Return the outcome with the human column, which is final; as it was where they said nothing.

    People who could not tell leave the word to judges and rules.
    """
    if decision is None or decision.passed is None or not is_judgeable(outcome):
        return outcome
    return outcome.model_copy(
        update={
            "human": decision.passed,
            "final": decision.passed,
            "source": "human",
            "status": GradeStatus.GRADED,
            "status_detail": "",
        }
    )


def of_broken_task(outcome: Outcome) -> tuple[Outcome, Finding]:
    """Return the outcome of a trial whose task people called broken, and what says so.

    Strict, lenient and panel stay to be looked at; nothing is final, and no rate counts the trial.
    """
    update = {"human": None, "final": None, "source": "none"}
    update |= {"status": GradeStatus.TASK_BROKEN, "status_detail": BROKEN}
    finding = Finding(
        task_id=outcome.task_id,
        trial=outcome.trial,
        kind=FailureKind.TASK_BROKEN,
        fault=Fault.REFERENCE,
        reason=BROKEN,
        decided=True,
    )
    return outcome.model_copy(update=update), finding


def broken_tasks(decisions: Iterable[HumanDecision]) -> frozenset[str]:
    """Return the tasks that people called broken at any trial."""
    return frozenset(one.task_id for one in decisions if one.task_broken)


def passes_of(decisions: Mapping[Key, HumanDecision]) -> dict[Key, bool]:
    """Return what people decided, by trial; what they could not tell, and broken tasks, left out.

    Whatever it was labelled for, a label holds. Whether a trial counts as one of a random sample is
    said by the draw alone (`judge.risk.audited`), never by the label's own reason: of a drawn trial
    both a label for cause and one of the audit are what a person says of it.
    """
    broken = broken_tasks(decisions.values())
    return {
        key: one.passed
        for key, one in decisions.items()
        if one.passed is not None and one.task_id not in broken
    }
