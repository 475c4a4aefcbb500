"""Puts trials and their changed twins to judges, one verdict each, and the same trial twice."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from trajaudit.datamodel.judged import Commitment
from trajaudit.datamodel.judging import Criterion, Overall, ReplyStatus, Rubric, Vote
from trajaudit.judge.commit import Commission
from trajaudit.judge.meter import BudgetSpentError
from trajaudit.judge.panel import Bench
from trajaudit.judge.probes import Probe, Side, Subject, clean
from trajaudit.judge.seat import Item, Seat
from trajaudit.judge.view import view_of

PLACEBO = "placebo"


@dataclass(frozen=True)
class Pair:
    """What a judge said to a trial and to its twin; None where a reply was of no use."""

    base: Overall | None
    twin: Overall | None
    hidden: bool
    """Both prompts are the same."""


@dataclass
class Probed:
    """What one judge said to one trial in all its forms."""

    judge: str
    family: str
    clean: Overall | None = None
    placebo: Overall | None = None
    pairs: dict[str, Pair] = field(default_factory=dict)
    """Name of a probe that applies → what was said."""


def probe(bench: Bench, subject: Subject, probes: Sequence[Probe]) -> tuple[list[Probed], str]:
    """Ask every judge; return what each said, and what ended it early."""
    found: list[Probed] = []
    try:
        for seat in bench.seats:
            if not seat.is_dead:
                found += [_of_judge(bench, seat, subject, probes)]
    except BudgetSpentError as error:
        return found, str(error)
    return found, ""


def _of_judge(bench: Bench, seat: Seat, subject: Subject, probes: Sequence[Probe]) -> Probed:
    asking = _Asking(bench, seat, subject.commission)
    result = Probed(seat.judge.model, seat.family)
    if asking.lacks_notes(clean(subject)):
        # Without the notes that it makes elsewhere it would be another judge.
        return result
    first = asking.ask(clean(subject))
    result.clean = first.overall
    result.placebo = asking.again(clean(subject)).overall
    for one in probes:
        twin = one.twin(subject)
        if twin is None:
            continue
        base = first if one.base is None else asking.ask(one.base(subject))
        said = asking.ask(twin, first)
        hidden = said.prompt_sha256 == base.prompt_sha256
        result.pairs[one.name] = Pair(base.overall, said.overall, hidden)
    return result


@dataclass(frozen=True)
class _Asking:
    """One judge that is asked about a trial and its twins, in order 1 unless a probe says else."""

    bench: Bench
    seat: Seat
    commission: Commission | None

    def ask(self, side: Side, first: Vote | None = None) -> Vote:
        """Return a vote; `first` is the one on the trial as it is."""
        return self._asked(self.seat, side, first)

    def again(self, side: Side) -> Vote:
        """Ask the same question anew: by the same judge with a memory of its own."""
        cache = None if self.seat.cache is None else self.seat.cache / PLACEBO
        return self._asked(replace(self.seat, cache=cache), side, None)

    def lacks_notes(self, side: Side) -> bool:
        """Whether its provider failed where it was to make notes on the task."""
        noted = self._noted(self._item(side))
        return noted is not None and noted.status is ReplyStatus.PROVIDER_FAILED

    def _noted(self, item: Item) -> Commitment | None:
        return self.bench.noted(self.seat, item)

    def _item(self, side: Side) -> Item:
        return Item(
            task_id=side.task.id,
            trial=side.trajectory.trial,
            view=view_of(self.bench.rubric.view, side.task, side.trajectory),
            commission=self.commission,
        )

    def _asked(self, seat: Seat, side: Side, first: Vote | None) -> Vote:
        rubric = self.bench.rubric
        if side.turned_choices and first is not None:
            rubric = mirrored(rubric, first.shown)
        item = self._item(side)
        noted = self._noted(item)
        return seat.ask(
            item,
            rubric,
            self.bench.template,
            seed=self.bench.panel.seed,
            order=side.order,
            replicate=1,
            notes="" if noted is None else noted.text,
        )


def mirrored(rubric: Rubric, shown: Sequence[str]) -> Rubric:
    """Return the rubric whose order 2 shows its criteria as order 1 of this one does.

    Args:
        rubric: the rubric.
        shown: ids of its criteria as order 1 showed them; the permutation that is seeded put
            criterion k to the place of `shown`, and puts the one that is k-th here there as well.
    """
    places = {name: at for at, name in enumerate(shown)}
    by_id = {one.id: one for one in rubric.criteria}
    criteria: list[Criterion] = [by_id[shown[-1 - places[one.id]]] for one in rubric.criteria]
    return rubric.model_copy(update={"criteria": tuple(criteria)})


def sides_of(subject: Subject, probes: Sequence[Probe]) -> list[Side]:
    """Return everything that one judge is asked about a trial, the placebo included."""
    sides = [clean(subject), clean(subject)]
    for one in probes:
        twin = one.twin(subject)
        if twin is not None:
            sides += [twin] if one.base is None else [one.base(subject), twin]
    return sides
