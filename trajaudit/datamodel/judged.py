"""What judging leaves beside its votes: notes made beforehand, and what a panel took."""

from pydantic import Field

from trajaudit.datamodel._base import Record, StoredRecord
from trajaudit.datamodel.judging import ReplyStatus, Trigger


class Commitment(StoredRecord):
    """What a judge worked out from a task alone, before it saw an attempt (`commitments.jsonl`)."""

    task_id: str
    judge: str
    address: str = ""
    """Where it was asked; empty where its name alone says so."""
    family: str
    status: ReplyStatus
    text: str = ""
    """As it is shown to the judge again; empty where the reply was of no use."""
    answer: str | None = None
    """The final answer that it expects; None: that depends on what tools give back."""
    denies_reference: bool = False
    """The rules read another value in `answer` than the task's reference."""
    note: str = ""
    """What was wrong with the reply."""
    cached: bool = False
    raw: tuple[str, ...] = ()
    task_sha256: str
    """Of everything that was shown of the task."""
    prompt_sha256: str
    """Of the prompt's text, before it was filled in."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    """None: the price is unknown."""


class JudgeRef(Record):
    """One judge as it was asked."""

    model: str
    family: str


class Unheard(Record):
    """A trial on which no panel decided, and why."""

    task_id: str
    trial: int
    why: str


class Sitting(StoredRecord):
    """One panel that judged a run by one rubric, and what that took (`sittings.jsonl`)."""

    panel: str
    panel_version: int = 1
    rubric: str
    rubric_version: int = 1
    sha256: dict[str, str] = Field(default_factory=dict)
    """Of panel, rubric and prompts."""
    judges: tuple[JudgeRef, ...] = ()
    commit_first: bool = False
    trials: int = 0
    """Trials that were put to the panel."""
    sent: int = 0
    """Attempts that were really sent the last time."""
    retries: int = 0
    """Of those: repeats of attempts that had failed."""
    from_cache: int = 0
    """Replies of the votes that had been kept, from an earlier time or in the cache."""
    tokens: int = 0
    cost_usd: float | None = None
    """Of what was sent the last time. None: a price is unknown."""
    unheard: tuple[Unheard, ...] = ()
    certified: str = "no"
    """`yes`, `advisory`, or `no`: these judges were never held against labelled trials."""


class QueueEntry(StoredRecord):
    """A trial that people have to look at (`queue.jsonl`)."""

    task_id: str
    trial: int
    rubric: str
    queue: str
    """`resolve`: judges could not settle it; `audit`: it was drawn among the settled."""
    priority: float
    """Higher first; of `audit` all are alike, so that nothing biases the sample."""
    triggers: tuple[Trigger, ...] = ()
    stratum: str
    inclusion: float | None = None
    """Of `audit`: the probability with which it was drawn, for weights."""
