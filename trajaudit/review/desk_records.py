"""What the desk hands to a page, and what a page hands back.

Nothing that a reviewer must not know is in a record that they get before an item of theirs is
settled: no queue, no stratum, no run, no judge, no name of another reviewer. What they get
afterwards is in `reveal_records`, what the lead gets in `lead_records`.
"""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.review import FlagView, Round
from trajaudit.errors import UsageError
from trajaudit.review.blind import BlindTrial

PUBLIC = 16
"""Hex digits of an item's id that stand in addresses."""
Hand = Literal["left", "right"]
"""Where a trial of a pair stands on the page of this reviewer."""


class Refusal(StrEnum):
    """Why the desk does not do what was asked."""

    NO_SUCH_ITEM = "no_such_item"
    """None of that id, or of its first digits."""
    NOT_ALLOWED = "not_allowed"
    """The person's role does not reach so far."""
    PAUSED = "paused"
    """Their labels on known items were wrong too often; a lead has to let them go on."""
    LABELLED_ALREADY = "labelled_already"
    """They have labelled this item."""
    HELD_BY_OTHER = "held_by_other"
    """Somebody else is at it."""
    LEASE_OVER = "lease_over"
    """The lease is unknown or ended, and the item cannot be had again."""
    SETTLED = "settled"
    """Enough people said their word meanwhile."""
    NOT_SETTLED = "not_settled"
    """It is revealed only once it is settled."""
    NOT_IN_CONFLICT = "not_in_conflict"
    OWN_CONFLICT = "own_conflict"
    """They are one of those who differ."""
    NOTHING_TO_UNDO = "nothing_to_undo"
    BAD_FORM = "bad_form"
    """The form says what cannot be said of this item."""
    CONTENT_CHANGED = "content_changed"
    """The files of the trial are gone or show something else than when it was put up."""
    NOT_FOUND = "not_found"
    """No review, judge or step of that name to revise or flag."""


class DeskError(UsageError):
    """The desk refuses; `reason` says why, and `draft_kept` whether what was typed was kept."""

    def __init__(self, reason: Refusal, message: str, *, draft_kept: bool = False) -> None:
        self.reason = reason
        self.draft_kept = draft_kept
        super().__init__(message)


class FormVerdict(StrEnum):
    """What can be chosen on a page; of a pair by place, which the desk maps back to the runs."""

    PASS = "pass"  # noqa: S105 (a verdict)
    FAIL = "fail"
    CANNOT_TELL = "cannot_tell"
    TASK_BROKEN = "task_broken"
    LEFT = "left"
    RIGHT = "right"
    TIE = "tie"


FORM_OF_TRIAL = ("pass", "fail", "cannot_tell", "task_broken")
FORM_OF_PAIR = ("left", "right", "tie", "cannot_tell", "task_broken")
"""Choices of either page, in the order of their keys."""


class FormMark(Record):
    """Words, or a whole step, that a person points at; of a pair, on which hand."""

    step: int = Field(ge=0)
    """0 is the task itself."""
    quote: str = Field(default="", max_length=2000)
    hand: Hand | None = None


class _Judgement(Record):
    """What every form for a verdict holds."""

    lease: str = Field(min_length=1, max_length=64)
    """Token that `Opened` or `Conflict` gave; the same token never saves twice."""
    verdict: FormVerdict | None = None
    """None only in a draft."""
    failure_kind: FailureKind | None = None
    steps: tuple[int, ...] = Field(default=(), max_length=500)
    """Steps that went wrong, the first one first."""
    evidence: tuple[FormMark, ...] = Field(default=(), max_length=200)
    reason: str = Field(default="", max_length=10_000)
    seconds: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """During which the page was looked at; the desk never stores more than passed since opening."""


class ReviewForm(_Judgement):
    """A filled page of a trial or a pair."""

    item_id: str
    """Whole, or its first 16 digits."""


class AdjudicationForm(_Judgement):
    """A filled page of a conflict; `cannot_tell` says that it cannot be decided."""

    item_id: str


class RevisionForm(Record):
    """What a reviewer says once the judges were revealed."""

    item_id: str
    verdict: FormVerdict
    reason: str = Field(min_length=1, max_length=10_000)


class FlagForm(Record):
    """A reviewer's word on one step that a judge cites, after the reveal."""

    item_id: str
    judge: str
    criterion: str
    step: int = Field(ge=0)
    view: FlagView


class RubricShown(Record):
    """The question, as reviewers see it; the same for all items of a run."""

    name: str
    version: int
    description: str
    criteria: tuple[str, ...] = ()
    """Text of each."""


class BlindPair(Record):
    """Two trials of one task; which run stands on which hand differs from reviewer to reviewer."""

    left: BlindTrial
    right: BlindTrial


class Opened(Record):
    """An item that a reviewer holds."""

    item_id: str
    lease: str
    expires: datetime
    """When another may take it, unless `renew` or a save comes before."""
    content: BlindTrial | BlindPair
    rubric: RubricShown
    draft: ReviewForm | None = None
    """What they had typed before, where something was kept; its lease is an older one."""
    round: Round

    @property
    def public_id(self) -> str:
        """What stands in addresses."""
        return self.item_id[:PUBLIC]

    @property
    def is_pair(self) -> bool:
        return isinstance(self.content, BlindPair)


class Saved(Record):
    """A label, or an adjudication, that is on the disk."""

    record_id: str
    """Of the review or the adjudication."""
    item_id: str
    repeated: bool = False
    """The same form came before; nothing was written this time."""
    batch_over: bool = False
    """A batch is done: time for a pause."""


class Progress(Record):
    """How far one reviewer is. No number tells a queue."""

    labelled: int
    """By them in this round, in all."""
    deferred: int
    """Put off by them, still to do."""
    left: int
    """That they may still be given, deferred ones included."""
    batch_done: int
    batch_of: int
    batch_minutes: float
    """Since the present batch began; 0 before its first item."""
    minutes: float
    """Looked at pages in all."""
    median_seconds: float | None
    """Of a label; None before the first."""
    round: Round
    paused: bool = False
    alone: bool = False
    """One person on this machine: nothing is labelled twice, nobody adjudicates."""


class Past(Record):
    """A label of one's own."""

    item_id: str
    title: str
    """The beginning of the task."""
    is_pair: bool
    verdict: FormVerdict
    reason: str
    saved: str
    """ISO 8601 in UTC."""
    seconds: float
    settled: bool
    """It can be revealed."""
    can_undo: bool


class ConflictRow(Record):
    """An item on which people differ, for a list; no names, no verdicts."""

    item_id: str
    title: str
    is_pair: bool
    reviews: int
    since: str
    """When the last of the reviews was saved."""
    held: bool = False
    """Another adjudicator is at it."""


class ConflictReview(Record):
    """One of the reviews that differ, under a letter."""

    letter: str
    """`A`, `B`: drawn anew for each conflict."""
    verdict: FormVerdict
    failure_kind: FailureKind | None = None
    steps: tuple[int, ...] = ()
    evidence: tuple[FormMark, ...] = ()
    reason: str = ""


class Conflict(Record):
    """A conflict that an adjudicator holds."""

    item_id: str
    lease: str
    expires: datetime
    content: BlindTrial | BlindPair
    rubric: RubricShown
    reviews: tuple[ConflictReview, ...]
    """In random order."""
    draft: AdjudicationForm | None = None

    @property
    def public_id(self) -> str:
        return self.item_id[:PUBLIC]

    @property
    def is_pair(self) -> bool:
        return isinstance(self.content, BlindPair)
