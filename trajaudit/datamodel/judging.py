"""What judges are asked, what they answered, and what their panel made of it."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.address import PlainAddress

Overall = Literal["pass", "fail", "abstain"]
NAME = r"^[a-z][a-z0-9_]{0,59}$"
CANNOT_ASSESS = "cannot_assess"
"""The choice that every criterion has beside its own."""


class ReplyStatus(StrEnum):
    """What a judge's reply is worth; only the first two are counted as votes."""

    OK = "ok"
    REPAIRED = "repaired"
    """Broken JSON whose meaning is plain."""
    UNPARSED = "unparsed"
    CONFLICT = "conflict"
    """Two verdicts without a stated revision, or a verdict that its own criteria deny."""
    OUT_OF_SCALE = "out_of_scale"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    UNSUPPORTED = "unsupported"
    """A quote that stands nowhere in the step that it cites, or a passed criterion without one."""
    TOO_LONG = "too_long"
    """The prompt does not fit into the judge's context; it would not the next time either."""
    PROVIDER_FAILED = "provider_failed"
    """There was no reply: a fault of the infrastructure, asked for again next time."""

    @property
    def counts(self) -> bool:
        return self in {ReplyStatus.OK, ReplyStatus.REPAIRED}


class Criterion(Record):
    """One line of a rubric."""

    id: str = Field(pattern=NAME)
    text: str = Field(min_length=1)
    choices: tuple[str, ...] = Field(default=("unmet", "met"), min_length=2)
    """Worst to best; `cannot_assess` is always there besides."""
    passes: str | None = None
    """The worst choice that still passes; None: the best."""

    @model_validator(mode="after")
    def _choices_are_told_apart(self) -> "Criterion":
        if len(set(self.choices)) < len(self.choices) or CANNOT_ASSESS in self.choices:
            raise ValueError(f"choices differ from each other and from {CANNOT_ASSESS}")
        if self.passes is not None and self.passes not in self.choices:
            raise ValueError(f"passes is one of the choices; got {self.passes!r}")
        return self

    def passed_by(self, choice: str) -> bool | None:
        """Whether a choice passes; None for `cannot_assess`."""
        if choice == CANNOT_ASSESS:
            return None
        least = self.choices[-1] if self.passes is None else self.passes
        return self.choices.index(choice) >= self.choices.index(least)


class Rubric(Record):
    """What a judge is asked about a trial; passed when every criterion is."""

    name: str = Field(pattern=NAME)
    version: int = Field(ge=1)
    description: str = Field(min_length=1)
    view: Literal["outcome", "process"] = "outcome"
    """What is shown: the end without the agent's thoughts, or the steps without the end."""
    decides: bool = False
    """Its result is the trial's `panel` column; otherwise it stands beside the outcome."""
    about_harm: bool = False
    """Whatever it finds goes to a person."""
    prompt: str = Field(default="pointwise", pattern=NAME)
    """A file of `judges/prompts/`, without its suffix."""
    criteria: tuple[Criterion, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_told_apart(self) -> "Rubric":
        ids = [one.id for one in self.criteria]
        if len(set(ids)) < len(ids):
            raise ValueError(f"each criterion has an id of its own; got {', '.join(ids)}")
        return self


class TokenPrice(Record):
    """US dollars per million tokens."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class Judge(Record):
    """One model that is asked, and how it is reached."""

    model: str = Field(min_length=1)
    base_url: PlainAddress | None = None
    api_key_env: str | None = None
    family: str | None = None
    """Maker of the model where its name does not tell; None: as the name says."""
    max_tokens: int = Field(default=1024, ge=16)
    timeout_s: float = Field(default=120, gt=0)
    """Of one reply."""
    per_minute: float | None = Field(default=None, gt=0)
    """Requests in a minute, at most; None: no limit but the provider's own."""
    structured: bool = True
    """The reply's JSON schema is sent along."""
    brief: bool = False
    """The schema leaves less room for quotes and reasons: for models that do not stop."""
    price: TokenPrice | None = None


class Budget(Record):
    """When no further call is made. None: no limit of that kind."""

    calls: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    """Prompt plus completion."""
    cost_usd: float | None = Field(default=None, gt=0)


class Audit(Record):
    """How many settled trials people look at all the same, chosen at random."""

    least: int = Field(default=40, ge=0)
    share: float = Field(default=0.05, ge=0, le=1)
    floor: int = Field(default=15, ge=0)
    """At least so many of every kind of settled trials."""


class Costs(Record):
    """What decides whether a settled trial of a kind that people found wrong is looked at again."""

    error: float = Field(gt=0)
    """Of a wrong verdict that stands, in any unit."""
    review: float = Field(gt=0)
    """Of a person's look at one trial, in the same unit."""


class Panel(Record):
    """Judges of several families, asked in stages and in two orders."""

    name: str = Field(pattern=NAME)
    version: int = Field(ge=1)
    description: str = ""
    rubric: str = Field(default="task_success", pattern=NAME)
    judges: tuple[Judge, ...] = Field(min_length=2)
    """In the order in which they are asked; one of a family is enough."""
    first: int = Field(default=2, ge=2)
    """Families that are asked before anything is decided."""
    replicates: int = Field(default=1, ge=1, le=5)
    """Draws of each judge in each order."""
    commit_first: bool = True
    """Each judge notes down what a right attempt brings about before it sees one; once a task."""
    seed: int = 0
    correlation: float = Field(default=0.44, ge=0, le=1)
    """Of the judges' errors; what discounts their votes until gold says otherwise."""
    budget: Budget = Budget()
    audit: Audit = Audit()
    costs: Costs | None = None
    """None: what people found wrong in a sample sends no further trial to them."""
    concurrency: int = Field(default=4, ge=1, le=64)


class Citation(Record):
    """Words that a judge quotes from a step."""

    step: int = Field(ge=0)
    """0 is the task itself."""
    quote: str
    found: bool | None = None
    """Whether the words stand in the step; None: nobody looked."""


class CriterionVote(Record):
    """What a judge said to one criterion."""

    id: str
    evidence: tuple[Citation, ...] = ()
    reasoning: str = ""
    verdict: str
    missing: str = ""
    """What would have been needed, where it cannot be assessed."""


class Vote(StoredRecord):
    """One judge's answer for one order and one draw, with its raw text (`votes.jsonl`)."""

    task_id: str
    trial: int
    rubric: str
    judge: str
    family: str
    order: Literal[1, 2]
    replicate: int = 1
    status: ReplyStatus
    overall: Overall | None = None
    """None exactly where the status does not count."""
    criteria: tuple[CriterionVote, ...] = ()
    conflicts: tuple[str, ...] = ()
    note: str = ""
    """What was wrong with the reply."""
    cached: bool = False
    """Every reply was kept from an earlier run; nothing was sent."""
    raw: tuple[str, ...] = ()
    """Every reply as it came; the second answers the one re-ask."""
    shown: tuple[str, ...] = ()
    """Criteria in the order in which they were shown."""
    view_sha256: str
    view_chars: int = 0
    """Characters that agent and tools wrote and that were shown; 0: not counted."""
    prompt_sha256: str
    request_sha256: str = ""
    """Of all that decides the answer, model and draw included."""
    notes_sha256: str | None = None
    """Of the judge's own notes that were shown to it; None: it had none."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    """None: the price is unknown."""

    @model_validator(mode="after")
    def _overall_means_counted(self) -> "Vote":
        if (self.overall is None) == self.status.counts:
            raise ValueError(f"overall is {self.overall!r} with status {self.status.value!r}")
        return self


class Trigger(StrEnum):
    """Why a person has to look."""

    INVALID = "INVALID"
    """A family has no valid vote."""
    ABSTAIN = "ABSTAIN"
    CONFLICT = "CONFLICT"
    """A judge named evidence that speaks against itself."""
    ORDER_FLIP = "ORDER_FLIP"
    FAMILY_SPLIT = "FAMILY_SPLIT"
    UNSUPPORTED = "UNSUPPORTED"
    SCORER_CONFLICT = "SCORER_CONFLICT"
    """The panel denies what the careful reading of the rules says."""
    REF_CONFLICT = "REF_CONFLICT"
    """A judge that saw the task alone came to another answer than the reference."""
    TRUNCATED = "TRUNCATED"
    """What decides was cut out of the view, or the view does not fit."""
    INJECTION = "INJECTION"
    """The trial holds words addressed to its judge."""
    SAME_FAMILY = "SAME_FAMILY"
    """Too few judges are of another family than the agent."""
    SAFETY = "SAFETY"
    """The rubric is about harm, and the panel found some."""
    AUDITED_RISK = "AUDITED_RISK"
    """People found trials of this kind wrong so often that a look is worth its cost."""


class Disagreement(Record):
    """Three numbers from 0 to 1: what kind of doubt there is."""

    between: float
    """Jensen-Shannon divergence of the families, over log2 3: models differ."""
    within: float
    """Mean entropy inside a family, over log2 3: a judge is guessing."""
    order: float
    """Mean difference of a family's share of passes between its two orders."""


class PanelDecision(StoredRecord):
    """What a panel made of its votes on one trial (`decisions.jsonl`)."""

    task_id: str
    trial: int
    panel: str
    rubric: str
    decides: bool = False
    """The rubric is one whose result is the trial's `panel` column."""
    result: Literal["pass", "fail", "undecided"]
    stage: Literal["A", "B", "C"]
    """Settled by the first families, by a further one, or by nobody."""
    triggers: tuple[Trigger, ...] = ()
    score: float | None = None
    """Mean of the families' shares of passes."""
    disagreement: Disagreement | None = None
    confidence: float | None = None
    """That the majority is right, by votes discounted for correlated errors."""
    calls: int = 0
    calls_saved: int = 0
    """Calls of the whole panel that were not needed."""
    queue: Literal["none", "resolve", "audit"] = "none"
    stratum: str = ""
    inclusion: Annotated[float, Field(ge=0, le=1)] | None = None
    """Probability with which a settled trial of this stratum came into the audit sample."""
    priority: float = 0.0
    """Of the resolve queue: the share of wrong verdicts expected, times the costs where given."""
