"""Where two people say different things, a third one decides, who sees no names and no judge."""

import hashlib
import random

from pydantic import TypeAdapter

from trajaudit.datamodel.review import Adjudication, Review, Reviewer, ReviewPolicy, Role
from trajaudit.review import catch_up, lease
from trajaudit.review.catch_up import records_of
from trajaudit.review.desk_core import Core, find_item, iso, item_at, places_of, require
from trajaudit.review.desk_open import keep_draft, refusal
from trajaudit.review.desk_records import (
    AdjudicationForm,
    Conflict,
    ConflictReview,
    ConflictRow,
    FormVerdict,
    Refusal,
    Saved,
)
from trajaudit.review.desk_save import forget, is_fit, looked
from trajaudit.review.hands import Hands
from trajaudit.review.lease import Lease
from trajaudit.review.settle import settle
from trajaudit.review.store import Fields, Tx

MOST_ROWS = 200
_FORM = TypeAdapter[AdjudicationForm](AdjudicationForm)


def conflicts(core: Core, who: Reviewer) -> list[ConflictRow]:
    """Return what waits for a third person, the oldest first; of a person's own nothing.

    At most `MOST_ROWS`: the first are done first.

    Raises:
        DeskError: the person is no adjudicator.
    """
    require(who, Role.ADJUDICATOR)
    with core.store.read() as tx:
        rows = tx.all(_CONFLICTS, who=who.name, now=core.now(), limit=MOST_ROWS)
    return [
        ConflictRow(
            item_id=row.item_id,
            title=row.title,
            is_pair=bool(row.is_pair),
            reviews=row.labels,
            since=row.since,
            held=bool(row.held),
        )
        for row in rows
    ]


def open_conflict(core: Core, who: Reviewer, item_id: str) -> Conflict:
    """Give a conflict to an adjudicator.

    Raises:
        DeskError: they may not have it.
    """
    require(who, Role.ADJUDICATOR)
    now, policy = core.now(), core.policy
    with core.store.write() as tx:
        item = find_item(tx, item_id)
        wanted = _lease(core, who, item, policy, now)
        held = lease.take(tx, wanted, now)
        if held is None:
            raise refusal(lease.why_not(tx, wanted), item.item_id)
        reviews = _reviews(tx, item, who, policy)
        draft = tx.first(
            "SELECT form FROM drafts WHERE reviewer = :who AND number = :number",
            who=who.name,
            number=item.number,
        )
    with core.store.read() as tx:
        shown = core.shown(tx, item)
    return Conflict(
        item_id=item.item_id,
        lease=held.token,
        expires=core.time(held.expires),
        content=Hands(item.item_id, who.name).content(shown),
        rubric=core.contents.rubric(item.rubric, is_pair=bool(item.is_pair)),
        reviews=tuple(reviews),
        draft=None if draft is None else _FORM.validate_json(draft.form),
    )


def adjudicate(core: Core, who: Reviewer, form: AdjudicationForm) -> Saved:
    """Write down what an adjudicator decides; the same form a second time writes nothing.

    Raises:
        DeskError: it may not be written; what was typed is kept.
        StorageError: it cannot be written.
    """
    require(who, Role.ADJUDICATOR)
    with core.store.write() as tx:
        item = find_item(tx, form.item_id)
        record_id = adjudication_id(form.lease)
        if tx.first(_WAS, id=record_id, who=who.name, item=item.item_id) is not None:
            return Saved(record_id=record_id, item_id=item.item_id, repeated=True)
        held = _allowed(core, tx, who, form, item)
        if isinstance(held, Lease):
            _write(core, tx, item, held, form)
            return Saved(record_id=record_id, item_id=item.item_id)
        kept = keep_draft(core, tx, who.name, item.number, form)
    raise refusal(held, item.item_id, draft_kept=kept)


def adjudication_id(token: str) -> str:
    """Return the id of the decision that is made under a lease."""
    text = f"adjudication\0{token}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]


_WAS = "SELECT 1 FROM words WHERE record_id = :id AND person = :who AND item_id = :item"
_CONFLICTS = """SELECT i.item_id, i.title, i.is_pair, i.labels, i.since,
  EXISTS (SELECT 1 FROM leases l WHERE l.number = i.number AND l.over = ''
    AND l.kind = 'adjudicate' AND l.expires > :now AND l.reviewer != :who) AS held
  FROM items i WHERE i.state = 'conflict' AND NOT EXISTS (SELECT 1 FROM reviews r
    WHERE r.item_id = i.item_id AND r.reviewer = :who AND r.gone = 0)
  ORDER BY i.since, i.number LIMIT :limit"""


def _lease(core: Core, who: Reviewer, item: Fields, policy: ReviewPolicy, now: float) -> Lease:
    return Lease(
        token=core.token(who.name),
        number=item.number,
        reviewer=who.name,
        kind="adjudicate",
        batch="",
        opened=now,
        expires=core.expires(policy, now),
    )


def _standing(tx: Tx, item: Fields, policy: ReviewPolicy) -> tuple[Review, ...]:
    return settle(item.item_id, records_of(tx, item.item_id), policy, doubled=True).reviews


def _reviews(tx: Tx, item: Fields, who: Reviewer, policy: ReviewPolicy) -> list[ConflictReview]:
    """Return the reviews in random order, the same for one adjudicator each time."""
    standing = list(_standing(tx, item, policy))
    random.Random(f"{item.item_id}\0{who.name}").shuffle(standing)
    hands = Hands(item.item_id, who.name)
    return [
        ConflictReview(
            letter=letter_of(at),
            verdict=hands.chosen(one.verdict),
            failure_kind=one.failure_kind,
            steps=one.steps,
            evidence=hands.form_marks(one.evidence),
            reason=one.reason,
        )
        for at, one in enumerate(standing)
    ]


def letter_of(at: int) -> str:
    """Return A, B, …, Z, AA, AB, … for 0, 1, …"""
    return chr(ord("A") + at) if at < 26 else letter_of(at // 26 - 1) + letter_of(at % 26)


def _allowed(
    core: Core, tx: Tx, who: Reviewer, form: AdjudicationForm, item: Fields
) -> Lease | Refusal:
    held = lease.find(tx, form.lease)
    if held is None or held.kind != "adjudicate":
        return Refusal.LEASE_OVER
    if (held.reviewer, held.number) != (who.name, item.number):
        return Refusal.LEASE_OVER
    if not lease.may_hold(tx, who.name, held.number, held.kind, "", core.now()):
        return lease.why_not(tx, held)
    return held if is_fit(form, item) else Refusal.BAD_FORM


def _write(core: Core, tx: Tx, item: Fields, held: Lease, form: AdjudicationForm) -> None:
    policy, now = core.policy, core.now()
    hands = Hands(item.item_id, held.reviewer)
    core.append(
        tx,
        Adjudication(
            adjudication_id=adjudication_id(held.token),
            item_id=item.item_id,
            places=tuple(places_of(tx, item.number)),
            is_pair=bool(item.is_pair),
            adjudicator=held.reviewer,
            reviews=tuple(one.review_id for one in _standing(tx, item, policy)),
            verdict=hands.verdict(form.verdict or FormVerdict.CANNOT_TELL),
            failure_kind=form.failure_kind,
            steps=form.steps,
            evidence=hands.marks(form.evidence),
            reason=form.reason,
            opened=iso(held.opened),
            saved=iso(now),
            seconds=looked(form, held, now),
        ),
        item.number,
    )
    lease.end(tx, held.token, "saved")
    forget(tx, held.reviewer, item.number)
    catch_up.resettle(tx, item_at(tx, item.number).item_id, policy)
