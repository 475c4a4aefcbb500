"""Once an item is settled: what judges, rules and other people said of it, and a word on that."""

import random
from collections.abc import Iterable, Sequence

from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.datamodel.pairwise import PairDecision, PairVote
from trajaudit.datamodel.review import (
    Adjudication,
    FlagReview,
    LedgerRecord,
    Place,
    Review,
    Reviewer,
    ReviewVerdict,
    Revision,
    Settled,
)
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Verdict
from trajaudit.errors import TrajauditError
from trajaudit.record.pairs import pairs_dir
from trajaudit.record.reviews import standing
from trajaudit.record.rundir import RunDir
from trajaudit.review.catch_up import records_of
from trajaudit.review.desk_conflicts import letter_of
from trajaudit.review.desk_core import Core, find_item, places_of
from trajaudit.review.desk_open import refusal
from trajaudit.review.desk_records import (
    DeskError,
    FlagForm,
    FormVerdict,
    Refusal,
    RevisionForm,
)
from trajaudit.review.hands import Hands, choices
from trajaudit.review.lines_about import lines_about
from trajaudit.review.reveal_records import Flagged, Revealed, RevealedLabel, RevealedTrial
from trajaudit.review.settle import FINAL, settle
from trajaudit.review.store import Fields, Tx

MOST_PLACES = 20
"""Trials of the same content that are shown side by side."""


def reveal(core: Core, who: Reviewer, item_id: str) -> Revealed:
    """Return all that was hidden of an item that a person labelled; their label is locked by it.

    Raises:
        DeskError: it is not theirs, or is not settled yet.
    """
    with core.store.write() as tx:
        item = _own(tx, who, item_id)
        tx.do(
            "UPDATE reviews SET locked = 1 WHERE item_id = :item AND reviewer = :who",
            item=item.item_id,
            who=who.name,
        )
    # The label is locked, whatever comes of it: that an item is not settled is a hint as well.
    if item.state not in FINAL:
        raise refusal(Refusal.NOT_SETTLED, item.item_id)
    with core.store.read() as tx:
        records = records_of(tx, item.item_id)
        places = list(places_of(tx, item.number))
        shown = core.shown(tx, item)
    hands = Hands(item.item_id, who.name)
    settled = settle(item.item_id, records, core.policy, doubled=item.labels > 1)
    votes, decisions = _pair_judging(core, places) if item.is_pair else ((), ())
    return Revealed(
        item_id=item.item_id,
        content=hands.content(shown),
        state=item.state,
        verdict=hands.chosen(settled.verdict) if settled.verdict else None,
        labels=tuple(_labels(who, records, settled, hands)),
        trials=tuple(_trials(core, item, places, hands)),
        more_trials=max(len(places) - MOST_PLACES, 0),
        pair_votes=votes,
        pair_decisions=decisions,
        flags=tuple(_flags(who, records)),
    )


def revise(core: Core, who: Reviewer, form: RevisionForm) -> None:
    """Write down what a person says once they know what judges and others said.

    Raises:
        DeskError: the item is not theirs or not settled, or such a verdict cannot be given.
    """
    with core.store.write() as tx:
        item = _settled(tx, who, form.item_id)
        if form.verdict not in choices(is_pair=bool(item.is_pair)):
            raise DeskError(Refusal.BAD_FORM, f"no verdict on this item; got {form.verdict.value}")
        own = _review_of(who, records_of(tx, item.item_id))
        record = Revision(
            item_id=item.item_id,
            review_id=own.review_id,
            reviewer=who.name,
            verdict=Hands(item.item_id, who.name).verdict(form.verdict),
            reason=form.reason,
            saved=core.stamp(),
        )
        core.append(tx, record, item.number)


def flag(core: Core, who: Reviewer, form: FlagForm) -> None:
    """Write down what a person says of a step that a judge cites; the last word counts.

    Raises:
        DeskError: the item is not theirs or not settled, or no judge cites such a step.
    """
    with core.store.read() as tx:
        item = _settled(tx, who, form.item_id)
        places = list(places_of(tx, item.number))
    if (form.judge, form.criterion, form.step) not in set(_cited(core, item, places)):
        raise DeskError(Refusal.NOT_FOUND, "no judge cites such a step of this item")
    with core.store.write() as tx:
        record = FlagReview(
            item_id=item.item_id,
            reviewer=who.name,
            judge=form.judge,
            criterion=form.criterion,
            step=form.step,
            view=form.view,
            saved=core.stamp(),
        )
        core.append(tx, record, item.number)


def _own(tx: Tx, who: Reviewer, item_id: str) -> Fields:
    item = find_item(tx, item_id)
    mine = tx.first(
        "SELECT 1 FROM reviews WHERE item_id = :item AND reviewer = :who AND gone = 0",
        item=item.item_id,
        who=who.name,
    )
    decided = tx.first(
        "SELECT 1 FROM words WHERE item_id = :item AND person = :who AND kind = 'adjudication'",
        item=item.item_id,
        who=who.name,
    )
    if mine is None and decided is None:
        raise refusal(Refusal.NO_SUCH_ITEM, item_id)
    return item


def _settled(tx: Tx, who: Reviewer, item_id: str) -> Fields:
    item = _own(tx, who, item_id)
    free = tx.first(
        "SELECT 1 FROM reviews WHERE item_id = :item AND reviewer = :who AND locked = 0"
        " AND gone = 0",
        item=item.item_id,
        who=who.name,
    )
    if item.state not in FINAL or free is not None:
        raise refusal(Refusal.NOT_SETTLED, item.item_id)
    return item


def _review_of(who: Reviewer, records: Iterable[LedgerRecord]) -> Review:
    for one in standing(records):
        if one.reviewer == who.name:
            return one
    raise DeskError(Refusal.NOT_FOUND, "only a review of one's own is revised")


def _labels(
    who: Reviewer, records: Sequence[LedgerRecord], settled: Settled, hands: Hands
) -> list[RevealedLabel]:
    """Return what people said, one's own first, the others under letters in random order."""
    revised = {one.review_id: one.verdict for one in records if isinstance(one, Revision)}
    kept = standing(records)
    mine = [one for one in kept if one.reviewer == who.name]
    others = [one for one in settled.reviews if one.reviewer != who.name]
    random.Random(f"{settled.item_id}\0{who.name}").shuffle(others)
    named: list[tuple[str, Review | Adjudication]] = [("you", one) for one in mine]
    named += [(letter_of(at), one) for at, one in enumerate(others)]
    if settled.adjudication is not None:
        own = settled.adjudication.adjudicator == who.name
        named.append(("you" if own else "adjudicator", settled.adjudication))
    return [
        RevealedLabel(
            letter=letter,
            verdict=hands.chosen(one.verdict),
            failure_kind=one.failure_kind,
            steps=one.steps,
            evidence=hands.form_marks(one.evidence),
            reason=one.reason,
            revised=_revised(one, revised, hands),
        )
        for letter, one in named
    ]


def _revised(
    one: Review | Adjudication, revised: dict[str, ReviewVerdict], hands: Hands
) -> FormVerdict | None:
    found = revised.get(one.review_id) if isinstance(one, Review) else None
    return None if found is None else hands.chosen(found)


def _trials(
    core: Core, item: Fields, places: Sequence[Place], hands: Hands
) -> Iterable[RevealedTrial]:
    for at, place in enumerate(places[:MOST_PLACES]):
        side = hands.hand("b" if at % 2 else "a") if item.is_pair else None
        try:
            yield _trial(RunDir(core.runs / place.run_id), place).model_copy(update={"hand": side})
        except TrajauditError:
            # A run that is gone or damaged has nothing to say any more.
            yield RevealedTrial(place=place, hand=side)


def _trial(run: RunDir, place: Place) -> RevealedTrial:
    outcomes = lines_about(run.path / "outcomes.jsonl", place, Outcome)
    record = run.read_trial(place.task_id, place.trial)
    origin = record.origin if record is not None else None
    return RevealedTrial(
        place=place,
        agent=(origin.agent if origin else "") or run.config.agent,
        model_id=(origin.model_id if origin else "") or run.config.model_id,
        outcome=outcomes[0] if outcomes else None,
        votes=lines_about(run.path / "votes.jsonl", place, Vote),
        decisions=lines_about(run.path / "decisions.jsonl", place, PanelDecision),
        verdicts=lines_about(run.path / "verdicts.jsonl", place, Verdict),
        findings=lines_about(run.path / "findings.jsonl", place, Finding),
    )


def _pair_judging(
    core: Core, places: Sequence[Place]
) -> tuple[tuple[PairVote, ...], tuple[PairDecision, ...]]:
    """Return votes and decisions of the judges on the first comparison that shows the pair."""
    folder = pairs_dir(RunDir(core.runs / places[0].run_id), places[1].run_id)
    votes = lines_about(folder / "votes.jsonl", places[0], PairVote)
    return votes, lines_about(folder / "decisions.jsonl", places[0], PairDecision)


def _flags(who: Reviewer, records: Iterable[LedgerRecord]) -> Iterable[Flagged]:
    last = {
        (one.judge, one.criterion, one.step): one
        for one in records
        if isinstance(one, FlagReview) and one.reviewer == who.name
    }
    for one in last.values():
        yield Flagged(judge=one.judge, criterion=one.criterion, step=one.step, view=one.view)


def _cited(core: Core, item: Fields, places: Sequence[Place]) -> Iterable[tuple[str, str, int]]:
    if item.is_pair:
        for pair_vote in _pair_judging(core, places)[0]:
            for one in pair_vote.criteria:
                yield from ((pair_vote.judge, one.id, cited.step) for cited in one.evidence)
        return
    for shown in _trials(core, item, places, Hands(item.item_id, "")):
        for vote in shown.votes:
            for said in vote.criteria:
                yield from ((vote.judge, said.id, cited.step) for cited in said.evidence)
