"""What a reviewer does beside giving labels: put off, take back, go on; and how far they are."""

from trajaudit.datamodel.review import (
    Review,
    Reviewer,
    ReviewPolicy,
    ReviewVerdict,
    Round,
    Withdrawal,
)
from trajaudit.review import catch_up, lease, order, rounds
from trajaudit.review.catch_up import read_line
from trajaudit.review.desk_core import Core, iso, item_at
from trajaudit.review.desk_open import keep_draft, refusal, take
from trajaudit.review.desk_records import Past, Progress, Refusal, ReviewForm
from trajaudit.review.hands import Hands
from trajaudit.review.lease import Lease
from trajaudit.review.rows import DeferralRow
from trajaudit.review.settle import FINAL
from trajaudit.review.store import Fields, Tx


def defer(core: Core, who: Reviewer, token: str) -> None:
    """Put an item at the end of a person's order; a second time changes nothing.

    Raises:
        DeskError: they do not hold it.
    """
    with core.store.write() as tx:
        held = _own(tx, who, token)
        if held.over == "deferred":
            return
        if held.over:
            raise refusal(Refusal.LEASE_OVER, item_at(tx, held.number).item_id)
        lease.end(tx, token, "deferred")
        order.mark(tx, who.name, held.number, "deferred")
        tx.add(DeferralRow(reviewer=who.name, number=held.number, at=core.now()))


def renew(core: Core, who: Reviewer, token: str) -> float:
    """Let a lease last for its full time from now; return until when, in seconds since 1970.

    Raises:
        DeskError: it is not theirs, or another has the item now.
    """
    now = core.now()
    with core.store.write() as tx:
        held = _own(tx, who, token)
        ended = held.over or not lease.may_hold(
            tx, who.name, held.number, held.kind, held.batch, now
        )
        if ended:
            reason = Refusal.LEASE_OVER if held.over else lease.why_not(tx, held)
            raise refusal(reason, item_at(tx, held.number).item_id)
        expires = core.expires(core.policy, now)
        lease.extend(tx, token, expires)
        tx.do(
            "UPDATE turns SET until = max(until, :until) WHERE reviewer = :who"
            " AND number = :number AND state = 'pending'",
            until=expires,
            who=who.name,
            number=held.number,
        )
    return max(expires, held.expires)


def undo(core: Core, who: Reviewer) -> str | None:
    """Take back a person's last label, which they hold again; None where they have none.

    Only the very last one, and only until the next is saved or a new batch begins: what was said
    before it is locked, so that nobody can say something else once they know more.

    Raises:
        DeskError: it is locked, or somebody else's label counts beside it.
    """
    now, policy = core.now(), core.policy
    with core.store.write() as tx:
        last = _last(tx, who.name)
        if last is None:
            return None
        review = read_line(last.line)
        if not isinstance(review, Review) or not _can_undo(tx, last, now, policy):
            raise refusal(Refusal.NOTHING_TO_UNDO, last.item_id)
        core.append(
            tx,
            Withdrawal(
                item_id=review.item_id,
                review_id=review.review_id,
                reviewer=who.name,
                saved=iso(now),
            ),
            last.number,
        )
        catch_up.resettle(tx, review.item_id, policy)
        _hold_again(core, tx, last, review, policy)
    return review.item_id


def progress(core: Core, who: Reviewer) -> Progress:
    """Return how far a person is."""
    policy = core.policy
    with core.store.read() as tx:
        done, size, began = _batch(tx, who.name)
        tally = tx.first("SELECT labelled, seconds FROM tallies WHERE person = :w", w=who.name)
        labelled = tally.labelled if tally else 0
        deferred = tx.number(_DEFERRED, who=who.name)
        return Progress(
            labelled=labelled,
            deferred=deferred,
            left=_left(tx, who.name, policy),
            batch_done=done,
            batch_of=size,
            batch_minutes=0.0 if began is None else round(max(core.now() - began, 0) / 60, 2),
            minutes=round((tally.seconds if tally else 0.0) / 60, 2),
            median_seconds=median_seconds(tx, who.name, labelled),
            round=policy.round,
            paused=who.paused,
            alone=core.alone,
        )


def history(core: Core, who: Reviewer, limit: int) -> list[Past]:
    """Return a person's last labels, the newest first."""
    now, policy = core.now(), core.policy
    with core.store.read() as tx:
        rows = tx.all(f"{_OWN} LIMIT :limit", who=who.name, limit=limit)
        return [_past(tx, row, at == 0, now, policy) for at, row in enumerate(rows)]


def is_locked(row: Fields, now: float, policy: ReviewPolicy) -> bool:
    """Whether a label can no longer be taken back; time alone locks it, too."""
    return bool(row.locked) or row.saved <= iso(now - policy.lease_minutes * 60)


def median_seconds(tx: Tx, who: str, labelled: int) -> float | None:
    """Return the median time of a label; None before the first."""
    row = tx.first(
        "SELECT seconds FROM reviews WHERE reviewer = :who AND gone = 0"
        " ORDER BY seconds LIMIT 1 OFFSET :half",
        who=who,
        half=max(labelled - 1, 0) // 2,
    )
    return None if row is None else row.seconds


_OWN = """SELECT r.review_id, r.item_id, r.reviewer, r.verdict, r.queue, r.saved, r.seconds,
  r.locked, r.line, i.number, i.title, i.is_pair, i.state FROM reviews r
  JOIN items i ON i.item_id = r.item_id
  WHERE r.reviewer = :who AND r.gone = 0 ORDER BY r.saved DESC, r.locked, r.rowid DESC"""
_DEFERRED = """SELECT count(*) FROM deferrals d JOIN items i ON i.number = d.number
  WHERE d.reviewer = :who AND (i.open = 1 OR i.known = 1)"""


def _own(tx: Tx, who: Reviewer, token: str) -> Lease:
    held = lease.find(tx, token)
    if held is None or held.reviewer != who.name:
        raise refusal(Refusal.LEASE_OVER, "")
    return held


def _last(tx: Tx, who: str) -> Fields | None:
    return tx.first(f"{_OWN} LIMIT 1", who=who)


def _can_undo(tx: Tx, row: Fields, now: float, policy: ReviewPolicy) -> bool:
    """Whether the last label of a person can be taken back."""
    if is_locked(row, now, policy):
        return False
    if row.queue == "gold":
        # It stands beside nobody's, and must look like any other.
        return True
    others = tx.first(
        "SELECT 1 FROM reviews WHERE item_id = :item AND gone = 0 AND review_id != :id"
        " UNION ALL SELECT 1 FROM words WHERE item_id = :item AND kind = 'adjudication'"
        # Whoever is at it by now has the place that this person would need again.
        " UNION ALL SELECT 1 FROM leases WHERE number = :number AND reviewer != :who"
        "  AND kind = 'label' AND over = '' AND expires > :now LIMIT 1",
        item=row.item_id,
        id=row.review_id,
        number=row.number,
        who=row.reviewer,
        now=now,
    )
    return others is None


def _hold_again(core: Core, tx: Tx, row: Fields, review: Review, policy: ReviewPolicy) -> None:
    turn = tx.first(
        "SELECT t.batch, t.place, t.number, t.kind, t.state FROM turns t"
        " JOIN batches b ON b.batch = t.batch"
        " WHERE t.reviewer = :who AND t.number = :number AND t.state != 'pending'"
        " ORDER BY t.state = 'done' DESC, b.began DESC",
        who=review.reviewer,
        number=row.number,
    )
    if turn is None:
        return
    again = order.Turn(batch=turn.batch, place=turn.place, number=turn.number, kind=turn.kind)
    # A label that was saved after it had been put off belongs to no batch: it is held, no more.
    if turn.state == "done":
        _put_back(tx, again)
    held = take(core, tx, review.reviewer, again, policy, core.now())
    if held is None:
        return
    hands = Hands(review.item_id, review.reviewer)
    form = ReviewForm(
        item_id=review.item_id,
        lease=held.token,
        verdict=hands.chosen(review.verdict),
        failure_kind=review.failure_kind,
        steps=review.steps,
        evidence=hands.form_marks(review.evidence),
        reason=review.reason,
        seconds=review.seconds,
    )
    keep_draft(core, tx, review.reviewer, row.number, form)


def _put_back(tx: Tx, turn: order.Turn) -> None:
    tx.do(
        "UPDATE turns SET state = 'pending' WHERE batch = :batch AND place = :place",
        batch=turn.batch,
        place=turn.place,
    )
    tx.do("UPDATE batches SET over = 0 WHERE batch = :batch", batch=turn.batch)


def _batch(tx: Tx, who: str) -> tuple[int, int, float | None]:
    row = tx.first(
        "SELECT b.began, b.size, (SELECT count(*) FROM turns t WHERE t.batch = b.batch"
        "  AND t.state = 'done') AS done FROM batches b WHERE b.reviewer = :who"
        " ORDER BY b.over, b.began DESC",
        who=who,
    )
    return (0, 0, None) if row is None else (row.done, row.size, row.began)


def _left(tx: Tx, who: str, policy: ReviewPolicy) -> int:
    if policy.round is not Round.PRODUCTION:
        return len(rounds.left(tx, who, rounds.current(tx, policy.round), 1_000_000))
    wanted = tx.number("SELECT sum(items) FROM counts WHERE open = 1")
    mine = tx.number("SELECT count(*) FROM reviews WHERE reviewer = :w AND waiting = 1", w=who)
    known = tx.number(f"{_DEFERRED} AND i.open = 0", who=who)
    # Those of the batch as well, or what does not get less would tell which item was known.
    given = tx.number(
        "SELECT count(*) FROM turns t JOIN batches b ON b.batch = t.batch AND b.over = 0"
        " WHERE t.reviewer = :w AND t.kind = 'gold' AND t.state = 'pending'",
        w=who,
    )
    return wanted - mine + known + given


def _past(tx: Tx, row: Fields, is_last: bool, now: float, policy: ReviewPolicy) -> Past:
    review = read_line(row.line)
    locked = is_locked(row, now, policy)
    return Past(
        item_id=row.item_id,
        title=row.title,
        is_pair=bool(row.is_pair),
        verdict=Hands(row.item_id, row.reviewer).chosen(ReviewVerdict(row.verdict)),
        reason=review.reason if isinstance(review, Review) else "",
        saved=row.saved,
        seconds=row.seconds,
        settled=locked and row.state in FINAL,
        can_undo=is_last and _can_undo(tx, row, now, policy),
    )
