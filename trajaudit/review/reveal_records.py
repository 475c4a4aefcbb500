"""What a reviewer gets to see of an item of theirs once it is settled."""

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.datamodel.pairwise import PairDecision, PairVote
from trajaudit.datamodel.review import FlagView, ItemState, Place
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Verdict
from trajaudit.review.blind import BlindTrial
from trajaudit.review.desk_records import BlindPair, FormMark, FormVerdict, Hand


class RevealedLabel(Record):
    """What a person said, after the lock; names stay hidden."""

    letter: str
    """`you`, `A`, `B`, or `adjudicator`."""
    verdict: FormVerdict
    failure_kind: FailureKind | None = None
    steps: tuple[int, ...] = ()
    evidence: tuple[FormMark, ...] = ()
    reason: str = ""
    revised: FormVerdict | None = None
    """What they said after the reveal."""


class RevealedTrial(Record):
    """What judges and rules said of one trial that shows this content."""

    place: Place
    hand: Hand | None = None
    """Of a pair."""
    agent: str = ""
    model_id: str = ""
    outcome: Outcome | None = None
    votes: tuple[Vote, ...] = ()
    decisions: tuple[PanelDecision, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    findings: tuple[Finding, ...] = ()


class Flagged(Record):
    """A word that the reviewer gave already on a step that a judge cites."""

    judge: str
    criterion: str
    step: int
    view: FlagView


class Revealed(Record):
    """All that was hidden while the item was open."""

    item_id: str
    content: BlindTrial | BlindPair
    state: ItemState
    verdict: FormVerdict | None
    """The settled one; None: people could not tell."""
    labels: tuple[RevealedLabel, ...]
    """One's own first."""
    trials: tuple[RevealedTrial, ...]
    more_trials: int = 0
    """Of the same content, beyond those that are shown."""
    pair_votes: tuple[PairVote, ...] = ()
    pair_decisions: tuple[PairDecision, ...] = ()
    flags: tuple[Flagged, ...] = ()

    @property
    def is_pair(self) -> bool:
        return isinstance(self.content, BlindPair)
