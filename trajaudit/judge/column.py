"""The panel's column of a trial's outcome, and whether it decides it."""

from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import GradeStatus

_OUTSIDE = frozenset({GradeStatus.INFRA_ERROR, GradeStatus.FAULT_NOT_HIT, GradeStatus.TASK_BROKEN})
"""Trials that are no trial of the agent, or of no task that can be passed."""


def is_judgeable(outcome: Outcome) -> bool:
    """Whether there is something to judge."""
    return outcome.status not in _OUTSIDE


def is_doubtful(outcome: Outcome) -> bool:
    """Whether the rules differ, or could not tell."""
    return is_judgeable(outcome) and (
        outcome.lenient is None or outcome.strict is not outcome.lenient
    )


def with_panel(outcome: Outcome, decision: PanelDecision | None) -> Outcome:
    """Return the outcome with the panel's column; final only where nobody has to look.

    Rules that were changed since, and now deny the panel, win until a person has looked.
    """
    if decision is None or decision.result == "undecided" or not is_judgeable(outcome):
        return outcome
    panel = decision.result == "pass"
    update: dict[str, object] = {"panel": panel}
    denied = outcome.lenient is not None and outcome.lenient is not panel
    if decision.queue != "resolve" and not denied and outcome.source != "human":
        update |= {"final": panel, "source": "panel", "status_detail": ""}
        update["status"] = GradeStatus.GRADED
    return outcome.model_copy(update=update)
