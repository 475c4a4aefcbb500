"""One decision of one scorer in one mode, with its reason and its evidence."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue, model_validator

from trajaudit.datamodel._base import Record, StoredRecord

Mode = Literal["strict", "lenient"]


class GradeStatus(StrEnum):
    """Whether something was graded at all; a separate axis from pass and fail."""

    GRADED = "graded"
    NOT_APPLICABLE = "not_applicable"
    """The task asks nothing of this scorer."""
    AMBIGUOUS = "ambiguous"
    """Even a careful reader cannot tell; goes to judges or people."""
    NEEDS_JUDGE = "needs_judge"
    INFRA_ERROR = "infra_error"
    SCORER_ERROR = "scorer_error"
    VERIFIER_TIMEOUT = "verifier_timeout"
    JUDGE_UNPARSED = "judge_unparsed"
    FAULT_NOT_HIT = "fault_not_hit"
    MISSING_ARTIFACT = "missing_artifact"
    TASK_BROKEN = "task_broken"
    """People say so of its task: the trial leaves every rate."""


class Fault(StrEnum):
    """Whose fault it is."""

    AGENT = "agent"
    HARNESS = "harness"
    EVALUATOR = "evaluator"
    REFERENCE = "reference"
    INFRASTRUCTURE = "infrastructure"


class Evidence(Record):
    """Where to look: an event or a step, and the words that matter."""

    seq: int | None = None
    step: int | None = None
    quote: str = ""
    call_id: str | None = None


class Verdict(StoredRecord):
    """One decision; `passed` is None exactly when it was not graded."""

    task_id: str
    trial: int
    scorer: str
    mode: Mode
    passed: bool | None
    status: GradeStatus = GradeStatus.GRADED
    reason: str
    reading: str | None = None
    """The value that the reply commits to, in plain form."""
    tolerances: tuple[str, ...] = ()
    """Tolerances that a lenient pass needed; empty for strict."""
    evidence: tuple[Evidence, ...] = ()
    label: str | None = None
    """Failure kind that the scorer suggests; the taxonomy decides."""
    fault: Fault | None = None
    score: float | None = None
    """A number beside the decision, for example F1."""
    detail: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _passed_means_graded(self) -> "Verdict":
        if (self.passed is None) == (self.status is GradeStatus.GRADED):
            raise ValueError(
                f"passed is {self.passed!r} with status {self.status.value!r}; "
                "graded means true or false, anything else means None"
            )
        return self
