"""What do people say of an item together? Decided from the lines of `reviews.jsonl` alone.

One label is enough, or two where the item is double: then equal ones agree, and different ones wait
for a third person. Nothing depends on the order in which different people's labels were written.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from trajaudit.datamodel.judging import PanelDecision, Trigger
from trajaudit.datamodel.review import (
    Adjudication,
    HumanDecision,
    ItemState,
    LedgerRecord,
    QueueName,
    Review,
    ReviewPolicy,
    ReviewVerdict,
    Round,
    Settled,
)
from trajaudit.record.judged import read_decisions
from trajaudit.record.reviews import read_reviews, standing
from trajaudit.record.rundir import RunDir
from trajaudit.review.people import People
from trajaudit.review.policy import load_policy

Key = tuple[str, int]
FINAL = frozenset({ItemState.AGREED, ItemState.ADJUDICATED, ItemState.UNDECIDED})
"""States after which nobody is asked any more."""
_GRAVE = frozenset({ReviewVerdict.CANNOT_TELL, ReviewVerdict.TASK_BROKEN})
"""Verdicts that no one person gives alone."""


def settle(
    item_id: str, records: Iterable[LedgerRecord], policy: ReviewPolicy, *, doubled: bool
) -> Settled:
    """Return what was said of an item; records of other items do not count.

    `doubled`: two labels are wanted, see `wants_two`. A person who labelled it twice counts once,
    by the later label. A label on a known item (gold) tells of the reviewer, not of the item.
    """
    own = [one for one in records if one.item_id == item_id]
    reviews = _one_each(one for one in standing(own) if one.queue is not QueueName.GOLD)
    decided = [one for one in own if isinstance(one, Adjudication)]
    last = max(decided, key=lambda one: (one.saved, one.adjudication_id), default=None)
    if last is not None:
        state, verdict = _final(last.verdict, ItemState.ADJUDICATED)
    else:
        state, verdict = _together([one.verdict for one in reviews], policy, doubled=doubled)
    return Settled(
        item_id=item_id, state=state, verdict=verdict, reviews=tuple(reviews), adjudication=last
    )


def wants_two(
    item_id: str,
    policy: ReviewPolicy,
    *,
    reviews: Iterable[Review] = (),
    judged: Iterable[PanelDecision] = (),
    about_harm: bool = False,
) -> bool:
    """Return whether an item is double.

    It is where it was labelled for calibration or certification, where harm was found or is asked
    for, where a label contradicts a panel that had settled the trial, and else for a share of the
    items that only their ids and the seed decide. A policy whose share is 0 has nobody to ask
    twice. The round that is going on changes nothing of what was settled before it.

    Args:
        item_id: SHA-256 of the content.
        policy: how items are given out.
        reviews: those that stand.
        judged: what panels made of the trials that show this content.
        about_harm: the rubric is.
    """
    said, panels = tuple(reviews), tuple(judged)
    if any(one.round is not Round.PRODUCTION for one in said):
        return True
    if policy.double == 0:
        return False
    harm = about_harm or any(Trigger.SAFETY in one.triggers for one in panels)
    return harm or _drawn(item_id, policy) or _contradicts(said, panels)


def decisions_of(
    run_id: str,
    records: Iterable[LedgerRecord],
    policy: ReviewPolicy,
    judged: Mapping[Key, Sequence[PanelDecision]],
    *,
    paused: frozenset[str] = frozenset(),
) -> dict[Key, HumanDecision]:
    """Return the settled word on each trial of a run; what is still open is not among them.

    Of a pair only that its task is broken says anything of either trial. `paused`: people whose
    labels on known items were wrong too often; no label of theirs is enough alone.
    """
    items: dict[str, list[LedgerRecord]] = defaultdict(list)
    for one in records:
        items[one.item_id].append(one)
    found: dict[Key, HumanDecision] = {}
    for item_id, own in items.items():
        keys = _keys(run_id, own)
        reviews = [one for one in standing(own) if one.queue is not QueueName.GOLD]
        panels = [one for key in keys for one in judged.get(key, ())]
        doubled = wants_two(item_id, policy, reviews=reviews, judged=panels)
        doubled |= policy.double > 0 and any(one.reviewer in paused for one in reviews)
        settled = settle(item_id, own, policy, doubled=doubled)
        for key in keys if settled.state in FINAL else ():
            decision = _decision(key, settled)
            if decision is not None and not _stronger(found.get(key), decision):
                found[key] = decision
    return found


def human_decisions(run: RunDir, policy: ReviewPolicy | None = None) -> dict[Key, HumanDecision]:
    """Return the settled word of people on each trial of a run, by task id and trial.

    `policy`: by default the one that lies beside the run. Where nobody was added to the reviewers,
    and one person alone labelled, there is nobody to ask twice.

    Raises:
        RunDirError: a line of the reviews or of the decisions is damaged.
    """
    records = list(read_reviews(run))
    if not records:
        return {}
    judged: dict[Key, list[PanelDecision]] = defaultdict(list)
    for one in read_decisions(run):
        judged[one.task_id, one.trial].append(one)
    people = People(run.path.parent).everybody()
    policy = load_policy(run.path.parent) if policy is None else policy
    if not people and len({one.reviewer for one in standing(records)}) == 1:
        policy = policy.model_copy(update={"double": 0.0})
    paused = frozenset(one.name for one in people if one.paused)
    return decisions_of(run.run_id, records, policy, judged, paused=paused)


def _one_each(reviews: Iterable[Review]) -> list[Review]:
    in_order = sorted(reviews, key=lambda one: (one.saved, one.review_id))
    latest = {one.reviewer: one for one in in_order}
    return [one for one in in_order if latest[one.reviewer] is one]


def _together(
    verdicts: Sequence[ReviewVerdict], policy: ReviewPolicy, *, doubled: bool
) -> tuple[ItemState, ReviewVerdict | None]:
    if not verdicts:
        return ItemState.NEW, None
    if len(set(verdicts)) > 1:
        return ItemState.CONFLICT, None
    grave = verdicts[0] in _GRAVE and policy.double > 0
    if len(verdicts) < 2 and (doubled or grave):
        return ItemState.WAITING, None
    return _final(verdicts[0], ItemState.AGREED)


def _final(verdict: ReviewVerdict, state: ItemState) -> tuple[ItemState, ReviewVerdict | None]:
    if verdict is ReviewVerdict.CANNOT_TELL:
        return ItemState.UNDECIDED, None
    return state, verdict


def _drawn(item_id: str, policy: ReviewPolicy) -> bool:
    digest = hashlib.sha256(f"double\0{policy.seed}\0{item_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < policy.double * 2**64


def _contradicts(reviews: Iterable[Review], panels: Sequence[PanelDecision]) -> bool:
    settled = {
        one.result
        for one in panels
        if one.decides and one.queue != "resolve" and one.result != "undecided"
    }
    said = {one.verdict.value for one in reviews} & {"pass", "fail"}
    return any(one != result for one in said for result in settled)


def _keys(run_id: str, records: Iterable[LedgerRecord]) -> list[Key]:
    places = (
        place
        for one in records
        if isinstance(one, Review | Adjudication)
        for place in one.places
        if place.run_id == run_id
    )
    return list(dict.fromkeys((place.task_id, place.trial) for place in places))


def _decision(key: Key, settled: Settled) -> HumanDecision | None:
    broken = settled.verdict is ReviewVerdict.TASK_BROKEN
    source = settled.adjudication or settled.reviews[-1]
    if source.is_pair and not broken:
        return None
    kinds = {one.failure_kind for one in settled.reviews}
    agreed = kinds.pop() if len(kinds) == 1 else None
    passes = {ReviewVerdict.PASS: True, ReviewVerdict.FAIL: False}
    return HumanDecision(
        task_id=key[0],
        trial=key[1],
        passed=None if settled.verdict is None else passes.get(settled.verdict),
        task_broken=broken,
        state=settled.state,
        failure_kind=settled.adjudication.failure_kind if settled.adjudication else agreed,
        item_id=settled.item_id,
    )


def _stronger(known: HumanDecision | None, new: HumanDecision) -> bool:
    """Whether an item's word on a trial stays, though another item of the trial was settled too."""
    return known is not None and _weight(known) >= _weight(new)


def _weight(decision: HumanDecision) -> tuple[bool, bool, bool]:
    adjudicated = decision.state is ItemState.ADJUDICATED
    return decision.task_broken, decision.passed is not None, adjudicated
