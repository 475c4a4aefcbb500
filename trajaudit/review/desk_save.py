"""Write down what a reviewer says.

A label is on the disk before the index knows it, inside the one transaction that checked that it
may be written. Its id comes from the lease, so that the same form, sent twice or after a crash,
is the same label.
"""

import hashlib
from collections.abc import Iterable

from trajaudit.datamodel.review import QueueName, Review, Reviewer, ReviewPolicy, Round
from trajaudit.review import catch_up, gold, lease, order
from trajaudit.review.desk_core import Core, find_item, iso, places_of
from trajaudit.review.desk_open import keep_draft, refusal
from trajaudit.review.desk_records import (
    AdjudicationForm,
    FormVerdict,
    Refusal,
    ReviewForm,
    Saved,
)
from trajaudit.review.hands import Hands, choices
from trajaudit.review.lease import Lease
from trajaudit.review.store import Fields, Tx


def save(core: Core, who: Reviewer, form: ReviewForm) -> Saved:
    """Write a label down; the same form a second time writes nothing.

    Raises:
        DeskError: it may not be written; what was typed is kept where the item was theirs.
        StorageError: it cannot be written.
    """
    with core.store.write() as tx:
        item = find_item(tx, form.item_id)
        if _is_saved(tx, who, form, item):
            return _saved(tx, who.name, form.lease, item.item_id, repeated=True)
        held = _allowed(core, tx, who, form, item)
        if isinstance(held, Lease):
            return _write(core, tx, item, held, form)
        kept = keep_draft(core, tx, who.name, item.number, form)
    raise refusal(held, item.item_id, draft_kept=kept)


def review_id(token: str) -> str:
    """Return the id of the label that is made under a lease."""
    return hashlib.sha256(f"review\0{token}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_fit(form: ReviewForm | AdjudicationForm, item: Fields) -> bool:
    """Whether a form says what can be said of an item."""
    steps = [*form.steps, *(mark.step for mark in form.evidence)]
    hands = all((mark.hand is None) or item.is_pair for mark in form.evidence)
    chosen = form.verdict is not None and form.verdict in choices(is_pair=bool(item.is_pair))
    in_range = all(0 <= step <= item.steps for step in steps) and 0 not in form.steps
    return chosen and hands and in_range


def looked(form: ReviewForm | AdjudicationForm, held: Lease, now: float) -> float:
    """Return how long a page was looked at; no longer than it was open."""
    return round(min(form.seconds, max(now - held.opened, 0.0)), 3)


def _is_saved(tx: Tx, who: Reviewer, form: ReviewForm, item: Fields) -> bool:
    row = tx.first(
        "SELECT 1 FROM reviews WHERE review_id = :id AND reviewer = :who AND item_id = :item"
        " AND gone = 0",
        id=review_id(form.lease),
        who=who.name,
        item=item.item_id,
    )
    return row is not None


def _allowed(core: Core, tx: Tx, who: Reviewer, form: ReviewForm, item: Fields) -> Lease | Refusal:
    """Return the lease under which a form is saved, or why it is not."""
    if who.removed or who.paused:
        return Refusal.NOT_ALLOWED if who.removed else Refusal.PAUSED
    held = lease.find(tx, form.lease)
    if held is None or (held.reviewer, held.number) != (who.name, item.number):
        return Refusal.LEASE_OVER
    if held.kind == "adjudicate":
        return Refusal.LEASE_OVER
    if not lease.may_hold(tx, who.name, held.number, held.kind, held.batch, core.now()):
        return lease.why_not(tx, held)
    if held.over == "saved":
        return Refusal.LEASE_OVER
    return held if is_fit(form, item) else Refusal.BAD_FORM


def _write(core: Core, tx: Tx, item: Fields, held: Lease, form: ReviewForm) -> Saved:
    policy = core.policy
    review = _review(core, tx, item, held, form)
    core.append(tx, review, item.number)
    order.lock(tx, held.reviewer)
    tx.do("UPDATE reviews SET locked = 0 WHERE review_id = :id", id=review.review_id)
    lease.end(tx, held.token, "saved")
    order.mark(tx, held.reviewer, item.number, "done")
    forget(tx, held.reviewer, item.number)
    if held.kind != "gold":
        catch_up.resettle(tx, item.item_id, policy)
    else:
        _watch(core, tx, held, policy)
    return _saved(tx, held.reviewer, held.token, item.item_id, now=core.now(), policy=policy)


def forget(tx: Tx, who: str, number: int) -> None:
    """Forget what a person had typed of an item and that they put it off."""
    for table in ("drafts", "deferrals"):
        tx.do(
            f"DELETE FROM {table} WHERE reviewer = :who AND number = :number",  # noqa: S608 (ours)
            who=who,
            number=number,
        )


def _review(core: Core, tx: Tx, item: Fields, held: Lease, form: ReviewForm) -> Review:
    now, hands = core.now(), Hands(item.item_id, held.reviewer)
    return Review(
        review_id=review_id(held.token),
        item_id=item.item_id,
        places=tuple(places_of(tx, item.number)),
        is_pair=bool(item.is_pair),
        reviewer=held.reviewer,
        round=_round(held),
        queue=_queue(held, item),
        batch=held.batch,
        verdict=hands.verdict(form.verdict or FormVerdict.CANNOT_TELL),
        failure_kind=form.failure_kind,
        steps=form.steps,
        evidence=hands.marks(form.evidence),
        reason=form.reason,
        rubric=item.rubric,
        rubric_version=item.rubric_version,
        opened=iso(held.opened),
        saved=iso(now),
        seconds=looked(form, held, now),
    )


def _round(held: Lease) -> Round:
    """Return the round in which an item was given out, though it may be over."""
    if held.kind != "round":
        return Round.PRODUCTION
    return Round(held.batch.rpartition("-")[0])


def _queue(held: Lease, item: Fields) -> QueueName:
    if held.kind == "gold":
        return QueueName.GOLD
    return QueueName(_round(held).value if held.kind == "round" else item.queue)


def _watch(core: Core, tx: Tx, held: Lease, policy: ReviewPolicy) -> None:
    """Pause a person who is surely wrong too often on known items, and reopen their batch."""
    now = gold.standing_of(tx, held.reviewer, policy.gold_least)
    if not now.failed or now.upper is not None:
        return
    # Rather paused without a reason in the index than a reason without a pause.
    core.pause(held.reviewer)
    reopen_failed(tx, held.reviewer, now.failed[-1:], policy)
    order.close(tx, held.batch)


def reopen_failed(tx: Tx, who: str, batches: Iterable[str], policy: ReviewPolicy) -> None:
    """Ask another person for what a person labelled alone in batches that failed."""
    for batch in batches:
        for item_id in gold.reopen(tx, who, batch):
            catch_up.resettle(tx, item_id, policy)


def _saved(
    tx: Tx,
    who: str,
    token: str,
    item_id: str,
    *,
    repeated: bool = False,
    now: float = 0.0,
    policy: ReviewPolicy | None = None,
) -> Saved:
    over = not repeated and policy is not None and _batch_over(tx, who, now, policy)
    return Saved(record_id=review_id(token), item_id=item_id, repeated=repeated, batch_over=over)


def _batch_over(tx: Tx, who: str, now: float, policy: ReviewPolicy) -> bool:
    batch = tx.first(
        "SELECT b.began, (SELECT count(*) FROM turns t WHERE t.batch = b.batch"
        "  AND t.state = 'pending') AS rest FROM batches b WHERE b.reviewer = :who AND b.over = 0"
        " ORDER BY b.began DESC, b.batch",
        who=who,
    )
    if batch is None:
        return True
    return bool(batch.rest == 0 or now >= batch.began + policy.batch_minutes * 60)
