"""A panel at work on pairs of trials: who may judge them, who is asked, when nobody more is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.judging import Panel, ReplyStatus
from trajaudit.datamodel.pairwise import PairDecision, PairRubric, PairVote
from trajaudit.judge.meter import BudgetSpentError
from trajaudit.judge.notebook import Notebook
from trajaudit.judge.pairwise_decide import FAMILIES, PairFacts, alike, decide_pair, worth_asking
from trajaudit.judge.pairwise_seat import Cell, Pair, ask_pair, is_heard
from trajaudit.judge.panel import calls_of
from trajaudit.judge.prompt import Order
from trajaudit.judge.seat import Seat

ORDERS: tuple[Order, ...] = (1, 2)


@dataclass(frozen=True)
class JudgedPair:
    """What became of one pair; no decision where judges were not to be had or the budget ended."""

    pair: Pair
    votes: tuple[PairVote, ...]
    decision: PairDecision | None
    why: str = ""
    """Where there is no decision: what kept the judges from being heard."""
    notes: tuple[Commitment, ...] = ()
    """What the judges that were asked had noted down on the task."""


def seated_for_both(
    families: Sequence[str], agents: AbstractSet[str], first: int
) -> tuple[list[int], bool]:
    """Return the places of the judges that may judge both agents, one of a family.

    Judges of an agent's own family come last, and only where too few others are to be had; that is
    told besides.
    """
    one_each = {family: at for at, family in reversed(list(enumerate(families)))}
    places = sorted(one_each.values())
    others = [at for at in places if families[at] not in agents]
    if len(others) >= first:
        return others, False
    return [*others, *(at for at in places if families[at] in agents)], True


@dataclass(frozen=True, kw_only=True)
class PairBench:
    """The judges with what they are asked about pairs."""

    panel: Panel
    rubric: PairRubric
    template: str
    seats: tuple[Seat, ...]
    runs: tuple[str, str]
    notebooks: Mapping[str, Notebook] = field(default_factory=dict)
    """Family → its notes on tasks; those of a family without one make none."""

    def judge(self, pair: Pair) -> JudgedPair:
        """Ask in stages until the pair is settled or nothing could settle it."""
        families = [seat.family for seat in self.seats]
        places, own = seated_for_both(families, pair.families, self.panel.first)
        seats = [self.seats[at] for at in places]
        most = calls_of(self.panel, len(seats))[1]
        if pair.fits and pair.views["a"].sha256 == pair.views["b"].sha256:
            return JudgedPair(pair, (), alike(self._facts(pair), self.panel, whole_calls=most))
        votes: list[PairVote] = []
        notes: list[Commitment] = []
        try:
            if pair.fits:
                self._ask(pair, seats, votes, notes)
        except BudgetSpentError as error:
            return JudgedPair(pair, tuple(votes), None, str(error), tuple(notes))
        why = _unheard(votes, notes, seats, len(self._cells("")))
        if why is not None:
            return JudgedPair(pair, tuple(votes), None, why, tuple(notes))
        facts = replace(
            self._facts(pair), reference_denied=any(one.denies_reference for one in notes)
        )
        decision = decide_pair(votes, facts, self.panel, whole_calls=most, own_family=own)
        return JudgedPair(pair, tuple(votes), decision, notes=tuple(notes))

    def _ask(
        self, pair: Pair, seats: Sequence[Seat], votes: list[PairVote], notes: list[Commitment]
    ) -> None:
        heard = 0
        for seat in seats:
            # A judge whose provider fails leaves its place to the next.
            if heard >= self.panel.first and not worth_asking([v for v in votes if is_heard(v)]):
                return
            noted = self._noted(seat, pair)
            notes += [] if noted is None else [noted]
            if noted is not None and noted.status is ReplyStatus.PROVIDER_FAILED:
                continue
            for cell in self._cells("" if noted is None else noted.text):
                if seat.is_dead:
                    break
                votes.append(ask_pair(seat, pair, self.rubric, self.template, cell))
            heard += any(vote.family == seat.family and is_heard(vote) for vote in votes)

    def _noted(self, seat: Seat, pair: Pair) -> Commitment | None:
        book = self.notebooks.get(seat.family)
        if book is None or pair.commission is None or seat.is_dead:
            return None
        return book.on(pair.commission)

    def _cells(self, notes: str) -> list[Cell]:
        draws = range(1, self.panel.replicates + 1)
        seed = self.panel.seed
        return [Cell(seed=seed, order=o, replicate=r, notes=notes) for r in draws for o in ORDERS]

    def _facts(self, pair: Pair) -> PairFacts:
        views = pair.views
        return PairFacts(
            task_id=pair.task_id,
            trial=pair.trial,
            runs=self.runs,
            rubric=self.rubric.name,
            about_outcome=self.rubric.view == "outcome",
            ruled=pair.ruled,
            chars=(len(views["a"].untrusted), len(views["b"].untrusted)),
            cut_steps=frozenset((s, n) for s, view in views.items() for n in view.cut_steps),
            fits=pair.fits,
            addressed=any(view.addressed for view in views.values()),
        )


def _unheard(
    votes: Sequence[PairVote], notes: Sequence[Commitment], seats: Sequence[Seat], cells: int
) -> str | None:
    """Return which provider failed where fewer than two families were heard whole for its sake."""
    heard = Counter(vote.family for vote in votes if is_heard(vote))
    if sum(count == cells for count in heard.values()) >= FAMILIES:
        return None
    said = [(one.status, one.note) for one in notes] + [(one.status, one.note) for one in votes]
    failed = [note for status, note in said if status is ReplyStatus.PROVIDER_FAILED]
    if failed:
        return failed[-1]
    dead = [seat.judge.model for seat in seats if seat.is_dead]
    return f"{', '.join(dead)} failed too often to be asked again" if dead else None
