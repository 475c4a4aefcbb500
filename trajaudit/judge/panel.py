"""A panel at work on one trial: who may judge it, who is asked, and when nobody more is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.judging import Panel, PanelDecision, ReplyStatus, Rubric, Trigger, Vote
from trajaudit.judge.decide import Circumstances, decide, worth_asking
from trajaudit.judge.meter import BudgetSpentError
from trajaudit.judge.notebook import Notebook
from trajaudit.judge.seat import Item, Seat

ORDERS = 2


@dataclass(frozen=True)
class Judged:
    """What became of one trial; no decision where judges were not to be had or the budget ended."""

    item: Item
    votes: tuple[Vote, ...]
    decision: PanelDecision | None
    why: str = ""
    """Where there is no decision: what kept the judges from being heard."""
    notes: tuple[Commitment, ...] = ()
    """What the judges that were asked had noted down on the task."""


def seated(families: Sequence[str], agent: str, first: int) -> tuple[list[int], bool]:
    """Return the places of the judges that may judge an agent, one of a family.

    Judges of the agent's own family come last, and only where too few others are to be had; that
    is told besides.
    """
    one_each = {family: at for at, family in reversed(list(enumerate(families)))}
    places = sorted(one_each.values())
    others = [at for at in places if families[at] != agent]
    if len(others) >= first:
        return others, False
    return [*others, *(at for at in places if families[at] == agent)], True


def calls_of(panel: Panel, judges: int) -> tuple[int, int]:
    """Return the fewest and the most calls that one trial takes, re-asks left out."""
    each = ORDERS * panel.replicates
    return each * min(panel.first, judges), each * judges


@dataclass(frozen=True)
class Bench:
    """The seated judges with what they are asked."""

    panel: Panel
    rubric: Rubric
    template: str
    seats: tuple[Seat, ...]
    notebooks: Mapping[str, Notebook] = field(default_factory=dict)
    """Family → its notes on tasks; those of a family without one make none."""

    def seated(self, agent_family: str) -> tuple[list[Seat], bool]:
        """Return who may judge an agent, and whether its own family has to."""
        families = [seat.family for seat in self.seats]
        chosen, own = seated(families, agent_family, self.panel.first)
        return [self.seats[at] for at in chosen], own

    def judge(self, item: Item) -> Judged:
        """Ask in stages until the trial is settled or nothing could settle it."""
        seats, own = self.seated(item.agent_family)
        votes: list[Vote] = []
        notes: list[Commitment] = []
        if item.view.fits:
            try:
                self._ask(item, seats, votes, notes)
            except BudgetSpentError as error:
                return Judged(item, tuple(votes), None, str(error), tuple(notes))
        why = _unheard(votes, seats)
        if why is not None:
            return Judged(item, tuple(votes), None, why, tuple(notes))
        most = calls_of(self.panel, len(seats))[1]
        known = self._circumstances(item, notes)
        decision = decide(votes, known, self.panel, whole_calls=most)
        decided = _marked(decision) if own else decision
        return Judged(item, tuple(votes), decided, notes=tuple(notes))

    def _circumstances(self, item: Item, notes: Sequence[Commitment]) -> Circumstances:
        return Circumstances(
            task_id=item.task_id,
            trial=item.trial,
            rubric=self.rubric.name,
            decides=self.rubric.decides,
            lenient=item.lenient,
            cut_steps=item.view.cut_steps,
            fits=item.view.fits,
            addressed=item.view.addressed,
            is_about_harm=self.rubric.about_harm,
            reference_denied=any(one.denies_reference for one in notes),
        )

    def _ask(
        self, item: Item, seats: Sequence[Seat], votes: list[Vote], notes: list[Commitment]
    ) -> None:
        asked = 0
        for seat in seats:
            # A judge whose provider fails leaves its place to the next.
            if asked >= self.panel.first and not worth_asking(_heard(votes)):
                return
            noted = self.noted(seat, item)
            if noted is not None and noted.status is ReplyStatus.PROVIDER_FAILED:
                votes.append(_unasked(seat, item, self.rubric, noted.note))
                continue
            notes += [] if noted is None else [noted]
            cells = [(o, r) for r in range(1, self.panel.replicates + 1) for o in (1, 2)]
            for order, replicate in cells:
                if seat.is_dead:
                    break
                votes.append(
                    seat.ask(
                        item,
                        self.rubric,
                        self.template,
                        seed=self.panel.seed,
                        order=1 if order == 1 else 2,
                        replicate=replicate,
                        notes="" if noted is None else noted.text,
                    )
                )
            asked += any(vote.family == seat.family for vote in _heard(votes))

    def noted(self, seat: Seat, item: Item) -> Commitment | None:
        """Return a judge's notes on a task, made where there are none; None: it makes none."""
        book = self.notebooks.get(seat.family)
        if book is None or item.commission is None or seat.is_dead:
            return None
        return book.on(item.commission)

    def close(self) -> None:
        """Close every model."""
        for seat in self.seats:
            seat.close()


def _unasked(seat: Seat, item: Item, rubric: Rubric, note: str) -> Vote:
    """Return what stands for the votes of a judge whose provider failed on its notes already."""
    return Vote(
        task_id=item.task_id,
        trial=item.trial,
        rubric=rubric.name,
        judge=seat.judge.model,
        family=seat.family,
        order=1,
        status=ReplyStatus.PROVIDER_FAILED,
        note=note,
        view_sha256=item.view.sha256,
        prompt_sha256="",
    )


def _heard(votes: Sequence[Vote]) -> list[Vote]:
    return [vote for vote in votes if vote.status is not ReplyStatus.PROVIDER_FAILED]


def _unheard(votes: Sequence[Vote], seats: Sequence[Seat]) -> str | None:
    """Return which provider failed where fewer than two families were heard for its sake."""
    if len({vote.family for vote in _heard(votes)}) >= 2:
        return None
    failed = [vote for vote in votes if vote.status is ReplyStatus.PROVIDER_FAILED]
    if failed:
        return failed[-1].note
    dead = [seat.judge.model for seat in seats if seat.is_dead]
    return f"{', '.join(dead)} failed too often to be asked again" if dead else None


def _marked(decision: PanelDecision) -> PanelDecision:
    triggers = (*decision.triggers, Trigger.SAME_FAMILY)
    return decision.model_copy(update={"triggers": triggers, "queue": "resolve", "stage": "C"})
