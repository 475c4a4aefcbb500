"""What a report says of judging, as records."""

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.judging import PanelDecision, Vote


class JudgeRow(Record):
    """One judge of a panel, over all trials."""

    judge: str
    family: str
    votes: int
    """Presentations that it was asked about."""
    passes: int
    fails: int
    abstains: int
    unusable: dict[str, int]
    """Status → replies that count for nothing."""
    quotes: int
    """Quotes that were looked up in their step."""
    found: int
    turned: int
    """Trials to which it said pass and fail."""
    both_orders: int
    """Trials of which it has a usable vote in either order."""
    tokens: int
    cost_usd: float | None
    """None: a price is unknown."""


class JudgePair(Record):
    """How far two families agree where each was of one mind."""

    families: tuple[str, str]
    trials: int
    observed: float
    """Share of the trials on which they say the same."""
    kappa: float | None
    """Cohen's. None: both said one thing only."""


class Effect(Record):
    """A difference with its interval, for new tasks like these."""

    value: float
    low: float | None
    """Both None: fewer than two tasks tell something."""
    high: float | None
    n: int
    tasks: int


class Stratum(Record):
    """Settled trials of one kind, and what people found in the sample of them."""

    name: str
    settled: int
    drawn: int
    """Trials of the audit sample."""
    looked_at: int
    wrong: int
    upper: float | None
    """95 % upper bound of the share of wrong verdicts. None: nobody looked yet."""
    claimed: bool = False
    """It may be said that at most one in twenty of these is wrong."""


class ReferenceDoubt(Record):
    """A task whose reference judges deny that saw the task alone."""

    task_id: str
    judges: tuple[str, ...]
    answers: tuple[str, ...]
    """What they expect in its place, in the same order."""


class Judging(Record):
    """One panel by one rubric over a run."""

    panel: str
    rubric: str
    decides: bool
    """Its results are the panel column."""
    certified: str
    trials: int
    """Trials that were put to it."""
    passed: int
    failed: int
    undecided: int
    settled: int
    resolve: int
    """Trials for people to resolve."""
    audit: int
    """Settled trials that were drawn for people to look at."""
    triggers: dict[str, int]
    unheard: dict[str, int]
    """Why judges could not be heard → trials."""
    replies: int
    """Replies that the votes took, re-asks included."""
    saved: int
    """Calls of the whole panel that were not needed."""
    sent: int
    """Attempts that were sent the last time."""
    retries: int
    """Of those: repeats of attempts that had failed."""
    from_cache: int
    """Votes that needed none then."""
    tokens: int
    """Of the votes and notes, whenever they were made."""
    cost_usd: float | None
    notes: int
    """Notes made on tasks before an attempt was seen."""
    usable_notes: int
    judges: tuple[JudgeRow, ...]
    agreement: tuple[JudgePair, ...]
    length: Effect | None
    """Change of the panel's score when a trial of the same task is shown twice as long. None: no
    task has trials of different length."""
    order: Effect | None
    """Share of passes with the worst choice first, less that with the best first."""
    strata: tuple[Stratum, ...]
    references: tuple[ReferenceDoubt, ...]


class TrialJudging(Record):
    """What was said of one trial by one rubric."""

    decision: PanelDecision | None
    """None: judges could not be heard."""
    votes: tuple[Vote, ...]
