"""Which item comes next for a reviewer?

Items are drawn in batches. Of those to resolve, the most doubtful strata come first, and inside a
stratum, as in the whole audit sample, the permanent random numbers decide: whatever is labelled so
far is a random part. The items of a batch, known ones among them, are shuffled for each reviewer,
so that neither order nor number tells why an item is there.
"""

import random
from dataclasses import dataclass
from typing import Literal

from trajaudit.datamodel.review import ReviewPolicy, Round
from trajaudit.review import gold, rounds
from trajaudit.review.rows import BatchRow, TurnRow
from trajaudit.review.store import Tx

TurnKind = Literal["label", "gold", "round"]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One item of a batch that was not had yet."""

    batch: str
    place: int
    number: int
    kind: TurnKind


@dataclass(frozen=True, kw_only=True)
class Draw:
    """For whom a batch is drawn, when (seconds since 1970), and by which random numbers."""

    who: str
    now: float
    policy: ReviewPolicy
    rng: random.Random
    alone: bool = False


def turns(tx: Tx, draw: Draw) -> list[Turn]:
    """Return the items left of the present batch, in their order; a new batch where none is."""
    return present(tx, draw) or _new(tx, draw)


def present(tx: Tx, draw: Draw) -> list[Turn]:
    """Return what is left of the present batch; a batch whose time is up ends."""
    batch = tx.first(
        "SELECT batch, began FROM batches WHERE reviewer = :who AND over = 0"
        " ORDER BY began DESC, batch",
        who=draw.who,
    )
    if batch is None:
        return []
    left = tx.all(
        "SELECT batch, place, number, kind FROM turns WHERE batch = :batch AND state = 'pending'"
        " ORDER BY place",
        batch=batch.batch,
    )
    is_round = draw.policy.round is not Round.PRODUCTION
    of_now = all((row.kind == "round") == is_round for row in left)
    if left and of_now and draw.now < batch.began + draw.policy.batch_minutes * 60:
        return [Turn(**row._asdict()) for row in left]
    close(tx, batch.batch)
    return []


def close(tx: Tx, batch: str) -> None:
    """End a batch; what is left of it is given out again, to anybody."""
    tx.do("UPDATE turns SET state = 'gone' WHERE batch = :b AND state = 'pending'", b=batch)
    tx.do("UPDATE batches SET over = 1 WHERE batch = :b", b=batch)


def lock(tx: Tx, who: str) -> None:
    """Let a person's labels so far stand: they cannot be taken back any more."""
    tx.do("UPDATE reviews SET locked = 1 WHERE reviewer = :who AND locked = 0", who=who)


def mark(tx: Tx, who: str, number: int, state: Literal["done", "deferred", "gone"]) -> None:
    """Say what became of a person's turn at an item."""
    tx.do(
        "UPDATE turns SET state = :state WHERE reviewer = :who AND number = :number"
        " AND state = 'pending'",
        state=state,
        who=who,
        number=number,
    )


def _new(tx: Tx, draw: Draw) -> list[Turn]:
    """Draw a batch: what nobody put off, then what others were given and have not begun, then
    what this person put off.
    """
    if draw.policy.round is not Round.PRODUCTION:
        name = rounds.current(tx, draw.policy.round)
        numbers = rounds.left(tx, draw.who, name, draw.policy.batch)
        return _store(tx, draw, [(number, "round") for number in numbers], name)
    size = draw.policy.batch
    share = 0.0 if draw.alone else draw.policy.gold
    wanted = size - _about(size * share, draw.rng)
    numbers = _labels(tx, draw, max(wanted, 1))
    if not numbers:
        return _store(tx, draw, _put_off(tx, draw), f"{draw.rng.getrandbits(64):016x}")
    # As many known ones as fit to what there is: the last few items are no gold alone.
    known = _about(len(numbers) * share / (1 - share), draw.rng)
    chosen: list[tuple[int, TurnKind]] = [(number, "label") for number in numbers]
    if numbers and known:
        picked = gold.pick(tx, draw.who, min(known, size - len(numbers)), draw.rng)
        chosen += [(number, "gold") for number in picked]
    return _store(tx, draw, chosen, f"{draw.rng.getrandbits(64):016x}")


def _about(number: float, rng: random.Random) -> int:
    """Round to either side, so that the mean is the number itself."""
    return int(number + rng.random())


def _labels(tx: Tx, draw: Draw, size: int) -> list[int]:
    numbers = _both_queues(tx, draw, size)
    if numbers:
        return numbers
    rows = tx.all(_BEGUN_BY_NOBODY, who=draw.who, now=draw.now, k=size)
    return [row.number for row in rows]


def _put_off(tx: Tx, draw: Draw) -> list[tuple[int, TurnKind]]:
    """Return what a person put off; known items among it, or their absence would tell them."""
    rows = tx.all(_PUT_OFF, who=draw.who, now=draw.now, k=draw.policy.batch)
    return [(row.number, "label" if row.open else "gold") for row in rows]


def _both_queues(tx: Tx, draw: Draw, size: int) -> list[int]:
    """Take of both queues by what is left of them, so that neither ends long before the other."""
    left = {
        queue: tx.number("SELECT sum(items) FROM counts WHERE queue = :q AND open = 1", q=queue)
        for queue in ("resolve", "audit")
    }
    total = sum(left.values())
    if not total:
        return []
    share = left["resolve"] / total
    first = min(max(_about(size * share, draw.rng), min(1, left["resolve"])), size)
    if left["audit"] and size > 1:
        first = min(first, size - 1)
    numbers = _heads(tx, draw, "resolve", first)
    numbers += _heads(tx, draw, "audit", size - len(numbers))
    if len(numbers) < size:
        more = _heads(tx, draw, "resolve", size)
        numbers += [one for one in more if one not in numbers][: size - len(numbers)]
    return numbers


def _heads(tx: Tx, draw: Draw, queue: str, k: int) -> list[int]:
    """Return the first of a queue that are free, whoever labelled them already but this person.

    Asked for by who labelled first: a query over all would pass by thousands of one's own.
    """
    if not k:
        return []
    others = tx.all("SELECT person FROM tallies WHERE person != :who", who=draw.who)
    rows = [
        row
        for by in ("", *(one.person for one in others))
        for row in tx.all(_FREE, q=queue, by=by, who=draw.who, now=draw.now, k=k)
    ]
    rows.sort(key=lambda row: (row.priority, row.lane, row.turn, row.number))
    return [row.number for row in rows[:k]]


def _store(tx: Tx, draw: Draw, chosen: list[tuple[int, TurnKind]], batch: str) -> list[Turn]:
    if not chosen:
        return []
    lock(tx, draw.who)
    draw.rng.shuffle(chosen)
    if chosen[0][1] == "round":
        # One round is one batch in the records; here every drawing has a name of its own.
        batch = f"{batch}/{draw.rng.getrandbits(64):016x}"
    until = draw.now + draw.policy.batch_minutes * 60
    tx.add_new(BatchRow(batch=batch, reviewer=draw.who, size=len(chosen), began=draw.now))
    tx.add_new(
        *(
            TurnRow(batch=batch, place=at, number=number, reviewer=draw.who, kind=kind, until=until)
            for at, (number, kind) in enumerate(chosen)
        )
    )
    for number, _ in chosen:
        tx.do(
            "DELETE FROM deferrals WHERE reviewer = :who AND number = :number",
            who=draw.who,
            number=number,
        )
    return [Turn(batch=batch, place=at, number=n, kind=kind) for at, (n, kind) in enumerate(chosen)]


_NOT_MINE = """NOT EXISTS (SELECT 1 FROM reviews r WHERE r.item_id = i.item_id
  AND r.reviewer = :who AND r.gone = 0)"""
_NOT_PUT_OFF = """NOT EXISTS (SELECT 1 FROM deferrals d WHERE d.number = i.number
  AND d.reviewer = :who)"""
_NOT_HELD = """(SELECT count(*) FROM leases l WHERE l.number = i.number AND l.over = ''
  AND l.expires > :now AND l.reviewer != :who AND l.kind = 'label') < i.wanted - i.labels"""
_NOT_GIVEN = """(SELECT count(*) FROM turns t WHERE t.number = i.number AND t.state = 'pending'
  AND t.until > :now AND t.reviewer != :who AND t.kind = 'label') < i.wanted - i.labels"""
_ORDER = "ORDER BY i.priority, i.lane, i.turn LIMIT :k"
_FREE = f"""SELECT i.number, i.priority, i.lane, i.turn FROM items i
  WHERE i.queue = :q AND i.by = :by AND i.open = 1 AND {_NOT_MINE}
  AND {_NOT_PUT_OFF} AND {_NOT_GIVEN} AND {_NOT_HELD} {_ORDER}"""  # noqa: S608 (ours)
_BEGUN_BY_NOBODY = f"""SELECT i.number FROM items i WHERE i.open = 1 AND i.queue != 'none'
  AND i.by != :who AND {_NOT_MINE} AND {_NOT_PUT_OFF} AND {_NOT_HELD} LIMIT :k"""  # noqa: S608 (ours)
_PUT_OFF = f"""SELECT i.number, i.open FROM deferrals p JOIN items i ON i.number = p.number
  WHERE p.reviewer = :who AND (i.open = 1 OR i.known = 1) AND {_NOT_MINE}
  AND (i.open = 0 OR {_NOT_HELD}) ORDER BY p.at LIMIT :k"""  # noqa: S608 (ours)
