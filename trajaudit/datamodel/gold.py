"""Labelled trials that judges are held against, and what came of it."""

from typing import Literal

from pydantic import Field, JsonValue, model_validator

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.judging import NAME
from trajaudit.datamodel.target import Target

Label = Literal["pass", "fail"]
TRIAL_ID = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"


class GoldStep(Record):
    """One step of a labelled trial: words, a call with what it gave back, or the user's words."""

    say: str = ""
    """What the agent said; beside a call it is its thought."""
    user: str | None = None
    """What the user said at this point; then nothing else is set."""
    call: dict[str, dict[str, JsonValue]] | None = Field(default=None, max_length=1)
    """`{tool: {argument: value}}`."""
    gave: JsonValue = None
    """What the tool gave back."""
    error: bool = False
    changed: tuple[dict[str, JsonValue], ...] = ()
    """What the call changed in the world, as a JSON patch (RFC 6902)."""

    @model_validator(mode="after")
    def _holds_something(self) -> "GoldStep":
        if self.user is not None and (self.say or self.call):
            raise ValueError("the user's words are a step of their own")
        if not (self.say or self.call or self.user):
            raise ValueError("a step holds say, user or call")
        return self


class GoldTrial(Record):
    """A small trial with the verdict that is known of it; one line of `judges/gold/*.jsonl`."""

    id: str = Field(pattern=TRIAL_ID)
    rubric: str = Field(pattern=NAME)
    label: Label
    task: str = Field(min_length=1)
    rules: str = ""
    """What the system message says."""
    reference: Target | None = None
    steps: tuple[GoldStep, ...] = ()
    answer: str | None = None
    of: str | None = None
    """The trial whose twin this is: the same but for one fault."""
    fault: str = ""
    """What was put into the twin."""


class GoldLabel(Record):
    """A person's verdict on a trial of a run; one line of a file of labels."""

    task_id: str
    trial: int = Field(default=1, ge=1)
    label: Label


class Bounded(Record):
    """Hits of so many, and the lower bound of their share."""

    hits: int = Field(ge=0)
    of: int = Field(ge=0)
    lower: float | None = None
    """One-sided Clopper-Pearson bound; None: nothing was decided."""

    @property
    def share(self) -> float | None:
        """The share itself; None where there is none."""
        return self.hits / self.of if self.of else None


class Standing(Record):
    """How one judge, or the panel, did on labelled trials."""

    judge: str
    """The model's name; `panel` for all of them together."""
    family: str = ""
    passes: Bounded
    """Of the labelled passes that it decided, those that it passed: TPR."""
    fails: Bounded
    """Of the labelled failures that it decided, those that it failed: TNR."""
    due: int
    """Trials that were put to it."""
    statuses: dict[str, int] = Field(default_factory=dict)
    """Why it did not decide, or `decided`: how often."""
    kappa: float | None = None
    """With the labels, over what it decided (Cohen); None: no figure."""
    kappa_low: float | None = None
    kappa_high: float | None = None
    admitted: bool
    """Both lower bounds reach the bar."""

    @property
    def decided(self) -> int:
        """Trials with a verdict of pass or fail."""
        return self.passes.of + self.fails.of


class Certificate(StoredRecord):
    """What a panel showed on labelled trials, kept beside the runs."""

    panel: str
    rubric: str
    identity: str
    """SHA-256 over all that shapes a vote: judges, rubric, prompt, orders; not the budget."""
    gold: str
    """Name of the labelled set."""
    gold_sha256: str
    sha256: dict[str, str]
    """Of the panel's files, by name."""
    version: str
    """Of trajaudit."""
    made: str
    """When, ISO 8601 in UTC."""
    least: float
    """The bar for both lower bounds."""
    confidence: float
    certified: bool
    """The panel reached the bar."""
    panel_standing: Standing
    judges: tuple[Standing, ...]
    error_correlation: float | None = None
    """Mean φ of the judges' errors, pair by pair; None: too few trials, or none erred."""
    earlier_uses: int = 0
    """Other versions of judges that were held against these labels before: they are not unseen."""
