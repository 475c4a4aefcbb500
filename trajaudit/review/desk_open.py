"""Give a reviewer an item: the one they hold, the next of their order, or the one they name."""

from pydantic import TypeAdapter

from trajaudit.datamodel.review import Reviewer, ReviewPolicy
from trajaudit.review import lease, order, rounds
from trajaudit.review.desk_core import Core, find_item, item_at
from trajaudit.review.desk_records import (
    PUBLIC,
    AdjudicationForm,
    DeskError,
    Opened,
    Refusal,
    ReviewForm,
)
from trajaudit.review.hands import Hands
from trajaudit.review.lease import Lease
from trajaudit.review.rows import DraftRow
from trajaudit.review.store import Fields, Tx

_FORM = TypeAdapter[ReviewForm](ReviewForm)


def next_item(core: Core, who: Reviewer) -> Opened | None:
    """Return the item that a person holds, else the next one of their order; None: nothing left.

    Raises:
        DeskError: the person is paused.
    """
    refuse_paused(who)
    while True:
        found = _held(core, who) or _next(core, who)
        if found is None:
            return None
        try:
            return opened(core, who, found)
        except DeskError as error:
            if error.reason is not Refusal.CONTENT_CHANGED:
                raise
            _withdraw(core, who, found)


def open_item(core: Core, who: Reviewer, item_id: str) -> Opened:
    """Give a person the item that they name, if it is one of theirs.

    Raises:
        DeskError: there is no such item among theirs, or they may not have it now.
    """
    refuse_paused(who)
    now, policy = core.now(), core.policy
    with core.store.write() as tx:
        item = find_item(tx, item_id)
        turn = _turn_of(tx, who.name, item)
        held = take(core, tx, who.name, turn, policy, now)
        if held is None:
            wanted = _lease(core, who.name, turn, policy, now)
            raise refusal(lease.why_not(tx, wanted), item.item_id)
        # A label that was put off and is opened again is no longer put off.
        tx.do(
            "DELETE FROM deferrals WHERE reviewer = :who AND number = :number",
            who=who.name,
            number=item.number,
        )
    return opened(core, who, held)


def opened(core: Core, who: Reviewer, held: Lease) -> Opened:
    """Return what a person sees of an item that they hold."""
    with core.store.read() as tx:
        item = item_at(tx, held.number)
        draft = tx.first(
            "SELECT form FROM drafts WHERE reviewer = :who AND number = :number",
            who=who.name,
            number=item.number,
        )
        shown = core.shown(tx, item)
    return Opened(
        item_id=item.item_id,
        lease=held.token,
        expires=core.time(held.expires),
        content=Hands(item.item_id, who.name).content(shown),
        rubric=core.contents.rubric(item.rubric, is_pair=bool(item.is_pair)),
        draft=None if draft is None else _FORM.validate_json(draft.form),
        round=core.policy.round,
    )


def keep(core: Core, who: Reviewer, form: ReviewForm | AdjudicationForm) -> bool:
    """Keep what was typed, beside anything saved; False where the item is not one of theirs."""
    with core.store.write() as tx:
        item = find_item(tx, form.item_id)
        return keep_draft(core, tx, who.name, item.number, form)


def keep_draft(
    core: Core, tx: Tx, who: str, number: int, form: ReviewForm | AdjudicationForm
) -> bool:
    """Keep what was typed of an item that a person held once."""
    had = tx.first(
        "SELECT 1 FROM leases WHERE reviewer = :who AND number = :number"
        " UNION ALL SELECT 1 FROM turns WHERE reviewer = :who AND number = :number LIMIT 1",
        who=who,
        number=number,
    )
    known = had is not None or _was_theirs(core, tx, who, number, form.lease)
    if known:
        tx.add(DraftRow(reviewer=who, number=number, form=form.model_dump_json()))
    return known


def _was_theirs(core: Core, tx: Tx, who: str, number: int, token: str) -> bool:
    """Whether an item was a person's before the index was lost: their page holds its lease.

    Without such a lease a draft would open any item whose id somebody knows.
    """
    lost = core.tokens.is_own(token, who) and lease.find(tx, token) is None
    return lost and not _labelled(tx, who, number)


def take(
    core: Core, tx: Tx, who: str, turn: order.Turn, policy: ReviewPolicy, now: float
) -> Lease | None:
    """Take a lease for a turn, and keep the turn from others as long as it lasts."""
    held = lease.take(tx, _lease(core, who, turn, policy, now), now)
    if held is not None:
        tx.do(
            "UPDATE turns SET until = max(until, :until) WHERE reviewer = :who"
            " AND number = :number AND state = 'pending'",
            until=held.expires,
            who=who,
            number=turn.number,
        )
    return held


def refuse_paused(who: Reviewer) -> None:
    """Refuse a person who is paused."""
    if who.removed:
        raise DeskError(Refusal.NOT_ALLOWED, f"{who.name} was removed")
    if who.paused:
        raise DeskError(Refusal.PAUSED, f"{who.name} is paused; a lead lets them go on")


def refusal(reason: Refusal, item_id: str, *, draft_kept: bool = False) -> DeskError:
    """Return the error of a reason, with a text that says what to do."""
    return DeskError(reason, f"item {item_id[:PUBLIC]}: {_TEXTS[reason]}", draft_kept=draft_kept)


_TEXTS = {
    Refusal.NO_SUCH_ITEM: "is not one of yours; go on with the next one",
    Refusal.LABELLED_ALREADY: "you have labelled it; undo takes the last label back",
    Refusal.HELD_BY_OTHER: "somebody else has it now; go on with the next one",
    Refusal.LEASE_OVER: "your lease is over; open the item again",
    Refusal.SETTLED: "it was settled meanwhile; go on with the next one",
    Refusal.NOT_SETTLED: "it is not settled yet; it is revealed once it is",
    Refusal.NOT_IN_CONFLICT: "it is not in conflict, or no longer",
    Refusal.OWN_CONFLICT: "you are one of those who differ; a third person decides",
    Refusal.NOTHING_TO_UNDO: "your last label stays: it is settled, old, or at hand elsewhere",
    Refusal.BAD_FORM: "the form says what cannot be said of it; choose what the page offers",
    Refusal.NOT_ALLOWED: "you were removed from the reviewers; nothing was saved",
    Refusal.PAUSED: "you are paused; a lead lets you go on",
}


def _held(core: Core, who: Reviewer) -> Lease | None:
    now = core.now()
    with core.store.read() as tx:
        held = lease.live(tx, who.name, now)
        # What was settled meanwhile, by an import of labels, is theirs no more.
        if held is None or not lease.may_hold(
            tx, who.name, held.number, held.kind, held.batch, now
        ):
            return None
    return held


def _next(core: Core, who: Reviewer) -> Lease | None:
    now, policy = core.now(), core.policy
    with core.store.write() as tx:
        rounds.ensure(tx, policy)
        # A batch of which others took everything meanwhile is followed by another one.
        while turns := order.turns(tx, core.draw(who.name, policy, now)):
            for turn in turns:
                held = take(core, tx, who.name, turn, policy, now)
                if held is not None:
                    return held
                order.mark(tx, who.name, turn.number, "gone")
    return None


def _lease(core: Core, who: str, turn: order.Turn, policy: ReviewPolicy, now: float) -> Lease:
    return Lease(
        token=core.token(who),
        number=turn.number,
        reviewer=who,
        kind=turn.kind,
        batch=rounds.name_of(turn.batch),
        opened=now,
        expires=core.expires(policy, now),
    )


def _turn_of(tx: Tx, who: str, item: Fields) -> order.Turn:
    """Return a person's turn at an item, past or to come.

    Raises:
        DeskError: they never had one.
    """
    row = tx.first(
        "SELECT t.batch, t.place, t.number, t.kind FROM turns t JOIN batches b ON b.batch = t.batch"
        " WHERE t.reviewer = :who AND t.number = :number ORDER BY b.began DESC",
        who=who,
        number=item.number,
    )
    if row is not None:
        return order.Turn(**row._asdict())
    draft = tx.first(
        "SELECT 1 FROM drafts WHERE reviewer = :who AND number = :number",
        who=who,
        number=item.number,
    )
    if draft is None and not _labelled(tx, who, item.number):
        raise refusal(Refusal.NO_SUCH_ITEM, item.item_id)
    kind: order.TurnKind = "gold" if item.known else "label"
    return order.Turn(batch="", place=0, number=item.number, kind=kind)


def _labelled(tx: Tx, who: str, number: int) -> bool:
    row = tx.first(
        "SELECT 1 FROM reviews r JOIN items i ON i.item_id = r.item_id"
        " WHERE i.number = :number AND r.reviewer = :who AND r.gone = 0",
        number=number,
        who=who,
    )
    return row is not None


def _withdraw(core: Core, who: Reviewer, held: Lease) -> None:
    """Give out no more an item whose files are gone."""
    with core.store.write() as tx:
        lease.end(tx, held.token, "lost")
        order.mark(tx, who.name, held.number, "gone")
        tx.do(
            "UPDATE items SET queue = 'none', open = 0, known = 0 WHERE number = :number",
            number=held.number,
        )
        tx.do("DELETE FROM rounds WHERE number = :number", number=held.number)
