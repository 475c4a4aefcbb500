"""What judges are asked about two trials of one task, what they preferred, and what came of it."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.judging import NAME, ReplyStatus, Trigger

Side = Literal["a", "b"]
"""The run that was named first, or the second."""
Choice = Literal["a", "b", "tie", "cannot_tell"]


class PairResult(StrEnum):
    """What both orders of all families say together."""

    A = "a"
    B = "b"
    TIE = "tie"
    INCONSISTENT = "inconsistent"
    """A family's choice turned with the order: no tie, and no winner."""
    UNDECIDED = "undecided"


class PairCriterion(Record):
    """One respect in which two trials are compared."""

    id: str = Field(pattern=NAME)
    text: str = Field(min_length=1)


class PairRubric(Record):
    """What a judge is asked about two trials; the first criterion that is no tie decides."""

    name: str = Field(pattern=NAME)
    version: int = Field(ge=1)
    pairwise: Literal[True]
    """Says that the file is about two trials, not about one."""
    description: str = Field(min_length=1)
    view: Literal["outcome", "process"] = "outcome"
    prompt: str = Field(default="pairwise", pattern=NAME)
    """A file of `judges/prompts/`, without its suffix."""
    criteria: tuple[PairCriterion, ...] = Field(min_length=1)
    """Most important first."""

    @model_validator(mode="after")
    def _ids_are_told_apart(self) -> "PairRubric":
        ids = [one.id for one in self.criteria]
        if len(set(ids)) < len(ids):
            raise ValueError(f"each criterion has an id of its own; got {', '.join(ids)}")
        return self


class PairCitation(Record):
    """Words that a judge quotes from a step of one of the two trials."""

    side: Side | None = None
    """None: the task itself, which both have."""
    step: int = Field(ge=0)
    quote: str


class Preference(Record):
    """What a judge said to one criterion, labels mapped back to the runs."""

    id: str
    evidence: tuple[PairCitation, ...] = ()
    reasoning: str = ""
    verdict: Choice
    missing: str = ""


class PairVote(StoredRecord):
    """One judge's answer for one order and one draw, with its raw text."""

    task_id: str
    trial: int
    rubric: str
    judge: str
    family: str
    order: Literal[1, 2]
    replicate: int = 1
    first: Side
    """The run whose trial was shown first, under the letter A."""
    status: ReplyStatus
    choice: Choice | None = None
    """None exactly where the status does not count."""
    criteria: tuple[Preference, ...] = ()
    conflicts: tuple[str, ...] = ()
    note: str = ""
    cached: bool = False
    """Every reply was kept from an earlier time; nothing was sent."""
    raw: tuple[str, ...] = ()
    """Every reply as it came, in its own letters."""
    shown: tuple[str, ...] = ()
    """Criteria in the order in which they were shown."""
    views_sha256: tuple[str, str]
    """Of what was shown of the first run's trial, and of the second's."""
    prompt_sha256: str
    notes_sha256: str | None = None
    """Of the judge's own notes that were shown to it; None: it had none."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    """None: the price is unknown."""

    @model_validator(mode="after")
    def _choice_means_counted(self) -> "PairVote":
        if (self.choice is None) == self.status.counts:
            raise ValueError(f"choice is {self.choice!r} with status {self.status.value!r}")
        return self


class PairDecision(StoredRecord):
    """What a panel made of its votes on one pair of trials."""

    task_id: str
    trial: int
    run_a: str
    run_b: str
    panel: str
    rubric: str
    result: PairResult
    stage: Literal["same", "A", "B", "C"]
    """`same`: both trials look alike, and nobody was asked; else as for one trial."""
    triggers: tuple[Trigger, ...] = ()
    families: dict[str, str] = Field(default_factory=dict)
    """Family → what its two orders say: a, b, tie, inconsistent, or incomplete."""
    ruled: tuple[bool | None, bool | None] = (None, None)
    """What the careful reading of the rules says of either trial."""
    chars: tuple[int, int] = (0, 0)
    """How much was shown of either trial."""
    calls: int = 0
    calls_saved: int = 0
    queue: Literal["none", "resolve", "audit"] = "none"
    stratum: str = ""
    inclusion: Annotated[float, Field(ge=0, le=1)] | None = None
    """Probability with which a settled pair of this stratum came into the audit sample."""


class PairShare(Record):
    """So many of so many, as the mean over tasks; None where there are none."""

    holds: int
    of: int
    value: float | None
    low: float | None = None
    """Limits of the 95 % interval, clustered by task."""
    high: float | None = None


class WinRate(Record):
    """How often the first run wins a pair that has a winner, as the mean over tasks."""

    value: float | None
    """None: no pair has a winner."""
    low: float | None = None
    high: float | None = None
    decided: int
    """Pairs with a winner."""
    due: int
    """All pairs but ties."""
    if_lost: float
    """The rate, did the second run win every pair that is not settled."""
    if_won: float


class PositionEffect(Record):
    """What the place of a trial did to one family's choices."""

    turned: PairShare
    """Pairs whose two orders were both of use, and did not say the same."""
    to_first: int
    """Turned pairs in which it took whichever trial came first."""
    to_second: int
    first: PairShare
    """Choices for the trial that came first, of all for one of them: a half without effect."""


class PairFigures(Record):
    """What came of a comparison of two runs."""

    pairs: int
    results: dict[str, int]
    """Pairs by result; `unheard` where providers failed or the budget ended."""
    win_rate: WinRate | None = None
    """None: nothing but ties."""
    position: dict[str, PositionEffect] = Field(default_factory=dict)
    """By family."""
    longer_wins: PairShare
    """Pairs with a winner of which more was shown than of the other."""
    resolve: int
    audit: int
    triggers: dict[str, int] = Field(default_factory=dict)


class UnheardPair(Record):
    """A pair that has no decision, and why."""

    task_id: str
    trial: int
    why: str


class PairSummary(StoredRecord):
    """A comparison of two runs (`summary.json`), written last: without it, it is not whole."""

    run_a: str
    run_b: str
    panel: str
    rubric: str
    sha256: dict[str, str] = Field(default_factory=dict)
    """Of the panel, the rubric and the prompt."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """Reason → trials that were not compared."""
    figures: PairFigures
    unheard: tuple[UnheardPair, ...] = ()
    replies: dict[str, int] = Field(default_factory=dict)
    """Status → replies."""
    calls_sent: int
    calls_saved: int
    tokens: int
    cost_usd: float | None
    """None: a price is unknown."""
