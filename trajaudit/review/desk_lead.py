"""What the lead of the team sees: how far it is, how far people agree, who is wrong too often."""

from collections.abc import Sequence

from trajaudit.datamodel.review import ItemState, Reviewer, ReviewPolicy, Role, Round
from trajaudit.review import gold, rounds
from trajaudit.review.desk_agreement import agreement_figures, people_in_round
from trajaudit.review.desk_core import Core
from trajaudit.review.desk_work import median_seconds
from trajaudit.review.lead_records import (
    AgreementFigure,
    GoldFigure,
    LeadFigures,
    ReviewerFigures,
    RoundFigures,
)
from trajaudit.review.store import Tx

ALONE = "one reviewer: no agreement can be measured"
_LEAST_PEOPLE = 2


def lead(core: Core) -> LeadFigures:
    """Return the lead's figures; those of agreement may be a minute old."""
    policy = core.policy
    people = list(core.people())
    agreement = agreement_figures(core)
    with core.store.read() as tx:
        counts = tx.all("SELECT queue, state, open, items FROM counts WHERE items > 0")
        queues: dict[str, int] = {}
        states: dict[ItemState, int] = {}
        left: dict[str, int] = {}
        for row in counts:
            state = ItemState(row.state)
            states[state] = states.get(state, 0) + row.items
            queues[row.queue] = queues.get(row.queue, 0) + row.items
            wanted = row.items if row.open or state is ItemState.CONFLICT else 0
            left[row.queue] = left.get(row.queue, 0) + wanted
        _with_leased(tx, states, core.now())
        shown = [_reviewer(tx, one, policy) for one in [*people, *_unknown(tx, people)]]
        return LeadFigures(
            states=states,
            queues=queues,
            left=left,
            labels=sum(one.labelled for one in shown),
            conflicts=states.get(ItemState.CONFLICT, 0),
            reviewers=tuple(shown),
            agreement=agreement,
            round=_round(tx, policy, people),
            broken_tasks=tuple(row.task_id for row in tx.all(_BROKEN)),
            note=ALONE if core.alone or _is_one(shown) else "",
        )


_BROKEN = """SELECT DISTINCT task_id FROM items WHERE verdict = 'task_broken' ORDER BY task_id
  LIMIT 1000"""


def _is_one(people: Sequence[ReviewerFigures]) -> bool:
    return len(people) < _LEAST_PEOPLE


def _with_leased(tx: Tx, states: dict[ItemState, int], now: float) -> None:
    """Count items that nobody labelled and somebody is at as leased."""
    leased = tx.number(
        "SELECT count(DISTINCT l.number) FROM leases l JOIN items i ON i.number = l.number"
        " WHERE l.over = '' AND l.expires > :now AND l.kind != 'adjudicate' AND i.state = 'new'",
        now=now,
    )
    if leased:
        states[ItemState.LEASED] = leased
        states[ItemState.NEW] = states.get(ItemState.NEW, leased) - leased


def _unknown(tx: Tx, people: Sequence[Reviewer]) -> list[Reviewer]:
    """Return who labelled and is not among the people: alone, removed, or elsewhere."""
    known = {one.name for one in people}
    names = [row.person for row in tx.all("SELECT person FROM tallies ORDER BY person")]
    return [Reviewer(name=name) for name in names if name not in known]


def _reviewer(tx: Tx, who: Reviewer, policy: ReviewPolicy) -> ReviewerFigures:
    row = tx.first(
        "SELECT labelled, seconds, adjudicated, last FROM tallies WHERE person = :who",
        who=who.name,
    )
    labelled, seconds = (row.labelled, row.seconds) if row else (0, 0.0)
    known = gold.standing_of(tx, who.name, policy.gold_least)
    return ReviewerFigures(
        name=who.name,
        role=who.role,
        labelled=labelled,
        minutes=round(max(seconds, 0.0) / 60, 2),
        median_seconds=median_seconds(tx, who.name, labelled),
        per_hour=round(labelled * 3600 / seconds, 1) if seconds > 0 else None,
        adjudicated=row.adjudicated if row else 0,
        gold=GoldFigure(right=known.right, of=known.of, upper=known.upper),
        paused=who.paused,
        last=row.last if row else "",
    )


def _round(tx: Tx, policy: ReviewPolicy, people: Sequence[Reviewer]) -> RoundFigures:
    least = policy.agreement_least
    if policy.round is Round.PRODUCTION:
        return RoundFigures(round=policy.round, items=0, done=0, least=least)
    name = rounds.current(tx, policy.round)
    # Whoever is there to label, and of those who lead whoever took part.
    wanted = {one.name for one in people if one.role is Role.REVIEWER}
    began = tx.all("SELECT DISTINCT reviewer FROM reviews WHERE batch = :name", name=name)
    wanted |= {row.reviewer for row in began}
    items = tx.number("SELECT count(*) FROM rounds WHERE name = :name", name=name)
    done = tx.number(
        "SELECT count(*) FROM rounds o JOIN items i ON i.number = o.number WHERE o.name = :name"
        " AND (SELECT count(*) FROM reviews r WHERE r.item_id = i.item_id AND r.gone = 0"
        "  AND r.batch = :name) >= :people",
        name=name,
        people=max(len(wanted), 1),
    )
    found = people_in_round(tx, name)
    return _gate(policy, items, done, found)


def _gate(
    policy: ReviewPolicy, items: int, done: int, found: AgreementFigure | None
) -> RoundFigures:
    """Return whether people agree enough: the lower limit has to reach the least."""
    complete = items > 0 and done == items
    gated = policy.round is Round.CERTIFICATION
    low = found.low if found else None
    passed = low is not None and low >= policy.agreement_least
    least_items = rounds.SIZES[Round.CERTIFICATION]
    note = ""
    if not gated:
        note = "a calibration is to talk about; too few items to measure agreement by"
    elif items < least_items:
        note = f"a certification has {least_items} items at least; got {items}"
    elif not complete:
        note = f"{items - done} items are not labelled by everybody yet"
    value = None if found is None else found.alpha if found.alpha is not None else found.ac1
    return RoundFigures(
        round=policy.round,
        items=items,
        done=done,
        agreement=value,
        low=low,
        least=policy.agreement_least,
        passed=passed if gated and complete and items >= least_items else None,
        note=note,
    )
