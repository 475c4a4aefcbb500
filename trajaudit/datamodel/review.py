"""What people say of trials, blind; and what is written down of it (`reviews.jsonl`)."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.finding import FailureKind

Side = Literal["a", "b"]
"""Of a pair: the run that was named first, or the second, whatever the order on the page was."""


class ReviewVerdict(StrEnum):
    """What a person says of one trial, or of a pair."""

    PASS = "pass"  # noqa: S105 (a verdict)
    FAIL = "fail"
    CANNOT_TELL = "cannot_tell"
    TASK_BROKEN = "task_broken"
    """The task, or its reference, cannot be answered rightly: it leaves every rate."""
    A = "a"
    """Of a pair: the first run's trial is better."""
    B = "b"
    TIE = "tie"


OF_TRIAL = frozenset({"pass", "fail", "cannot_tell", "task_broken"})
OF_PAIR = frozenset({"a", "b", "tie", "cannot_tell", "task_broken"})


class Round(StrEnum):
    """What reviews are made for."""

    PRODUCTION = "production"
    CALIBRATION = "calibration"
    """Everybody looks at the same few trials, and the rules are discussed."""
    CERTIFICATION = "certification"
    """Everybody looks at the same trials; their agreement decides whether production begins."""


class QueueName(StrEnum):
    """Why a trial is put to people. Never shown to a reviewer."""

    RESOLVE = "resolve"
    AUDIT = "audit"
    GOLD = "gold"
    CALIBRATION = "calibration"
    CERTIFICATION = "certification"


class ItemState(StrEnum):
    """How far an item is."""

    NEW = "new"
    LEASED = "leased"
    WAITING = "waiting"
    """Labelled, and one more person is wanted."""
    CONFLICT = "conflict"
    """Two say different things: a third person decides."""
    AGREED = "agreed"
    ADJUDICATED = "adjudicated"
    UNDECIDED = "undecided"
    """People looked and could not tell."""


class Place(Record):
    """One trial of one run."""

    run_id: str
    task_id: str
    trial: int = Field(ge=1)


class Mark(Record):
    """Words, or a whole step, that a person points at."""

    step: int = Field(ge=0)
    """0 is the task itself."""
    quote: str = Field(default="", max_length=2000)
    side: Side | None = None


class Review(StoredRecord):
    """One person's blind decision. Never changed; at most withdrawn before the item is settled."""

    record: Literal["review"] = "review"
    review_id: str
    item_id: str
    """SHA-256 of all that was shown: the same content has one id, wherever it lies."""
    places: tuple[Place, ...] = Field(min_length=1)
    """Trials, of this run and others, that show this content. Of a pair: first and second."""
    is_pair: bool = False
    reviewer: str
    round: Round = Round.PRODUCTION
    queue: QueueName = QueueName.RESOLVE
    batch: str = ""
    verdict: ReviewVerdict
    failure_kind: FailureKind | None = None
    steps: tuple[int, ...] = ()
    """Steps that went wrong, the first one first."""
    evidence: tuple[Mark, ...] = ()
    reason: str = Field(default="", max_length=10_000)
    rubric: str = ""
    rubric_version: int = 0
    opened: str
    """ISO 8601 in UTC."""
    saved: str
    seconds: float = Field(ge=0)
    """During which the page was looked at."""

    @model_validator(mode="after")
    def _verdict_fits(self) -> "Review":
        known = OF_PAIR if self.is_pair else OF_TRIAL
        if self.verdict.value not in known:
            raise ValueError(f"verdict is one of {', '.join(sorted(known))}; got {self.verdict}")
        return self


class Withdrawal(StoredRecord):
    """A person took back a review of their own, before anybody else's counted beside it."""

    record: Literal["withdrawal"] = "withdrawal"
    item_id: str
    review_id: str
    reviewer: str
    saved: str


class Adjudication(StoredRecord):
    """The settled decision over reviews that differ, by a person who saw no names and no judge."""

    record: Literal["adjudication"] = "adjudication"
    adjudication_id: str
    item_id: str
    places: tuple[Place, ...] = Field(min_length=1)
    is_pair: bool = False
    adjudicator: str
    reviews: tuple[str, ...]
    """Ids of the reviews that were seen."""
    verdict: ReviewVerdict
    """`cannot_tell`: it cannot be decided."""
    failure_kind: FailureKind | None = None
    steps: tuple[int, ...] = ()
    evidence: tuple[Mark, ...] = ()
    reason: str = Field(default="", max_length=10_000)
    opened: str
    saved: str
    seconds: float = Field(ge=0)


class Revision(StoredRecord):
    """What a reviewer says once the judges were revealed: kept beside the review, not over it."""

    record: Literal["revision"] = "revision"
    item_id: str
    review_id: str
    reviewer: str
    verdict: ReviewVerdict
    reason: str = Field(min_length=1, max_length=10_000)
    saved: str


class FlagView(StrEnum):
    """What a person says of a step that a judge cites (after Counsel, arXiv:2606.21627)."""

    SPOT_ON = "spot_on"
    POOR_REASONING = "right_location_poor_reasoning"
    WRONG = "should_not_have_flagged"


class FlagReview(StoredRecord):
    """A person's word on one step that a judge cites, after the reveal."""

    record: Literal["flag"] = "flag"
    item_id: str
    reviewer: str
    judge: str
    criterion: str
    step: int
    view: FlagView
    saved: str


LedgerRecord = Annotated[
    Review | Withdrawal | Adjudication | Revision | FlagReview, Field(discriminator="record")
]
"""One line of `reviews.jsonl`."""


class Role(StrEnum):
    """What a person may do; each may do what those before it may."""

    REVIEWER = "reviewer"
    ADJUDICATOR = "adjudicator"
    LEAD = "lead"


class Reviewer(StoredRecord):
    """A person, known by a token of which only the digest is kept (`reviewers.jsonl`)."""

    name: str = Field(pattern=r"^[\w][\w .@-]{0,59}$")
    role: Role = Role.REVIEWER
    token_sha256: str = ""
    """Empty: the one person of a desk on this machine alone."""
    added: str = ""
    removed: bool = False
    paused: bool = False
    """Their labels on known items were wrong too often; a lead lets them go on."""


class ReviewPolicy(StoredRecord):
    """How items are given out (`policy.json`)."""

    round: Round = Round.PRODUCTION
    seed: int = 0
    lease_minutes: float = Field(default=30, gt=0)
    batch: int = Field(default=20, ge=1)
    batch_minutes: float = Field(default=60, gt=0)
    double: float = Field(default=0.2, ge=0, le=1)
    """Share of production items that two people label."""
    gold: float = Field(default=0.1, ge=0, le=0.5)
    """Share of a batch that is known already; nobody can tell which."""
    gold_least: float = Field(default=0.8, ge=0, le=1)
    """A reviewer whose accuracy on these is surely below it is paused."""
    agreement_least: float = Field(default=0.4, ge=0, le=1)
    """Lower limit of the agreement that ends certification."""


class SamplePlan(StoredRecord):
    """Which trials of a run people look at, beside those in doubt (`sample.json` of the run)."""

    seed: int = 0
    everything: bool = False
    """Every trial: for a new scenario."""
    smoke: int | None = Field(default=None, ge=1)
    """Only so many, of all strata: for a first look."""
    failures: float = Field(default=0.15, ge=0, le=1)
    """Share of the failures of each kind."""
    passes: float = Field(default=0.05, ge=0, le=1)
    floor: int = Field(default=5, ge=0)
    """At least so many of each stratum."""
    least: int = Field(default=40, ge=0)
    """At least so many settled trials in all, the panel's own sample included."""

    @model_validator(mode="after")
    def _one_extent(self) -> "SamplePlan":
        if self.everything and self.smoke is not None:
            raise ValueError(f"everything and smoke={self.smoke} exclude each other; give one")
        return self


class Framed(Record):
    """A trial as the sample sees it."""

    task_id: str
    trial: int
    stratum: str
    queue: Literal["resolve", "audit", "none"]
    rank: float = Field(ge=0, lt=1)
    """Drawn once for each trial: those of the lowest ranks of a stratum are its sample."""
    inclusion: float = Field(gt=0, le=1)
    """Probability with which a trial of its stratum is put to people."""
    priority: float = 0.0


class Settled(Record):
    """What people say of an item together."""

    item_id: str
    state: ItemState
    verdict: ReviewVerdict | None = None
    """None: not settled yet, or undecided."""
    reviews: tuple[Review, ...] = ()
    """Those that stand, oldest first, adjudication apart."""
    adjudication: Adjudication | None = None


class HumanDecision(Record):
    """The settled word of people on one trial of a run."""

    task_id: str
    trial: int
    passed: bool | None
    """None: they could not tell, or the task is broken."""
    task_broken: bool = False
    state: ItemState
    failure_kind: FailureKind | None = None
    item_id: str
