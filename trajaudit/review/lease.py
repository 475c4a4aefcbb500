"""Who holds an item for a while, so that no two people do the same work.

A lease is taken by one conditional insert inside a transaction that holds the write lock. It does
not end by time alone: a form that comes late still counts, as long as nobody else has the item or
has said enough of it. All times are seconds since 1970.
"""

from dataclasses import dataclass
from typing import Literal

from trajaudit.review.desk_records import Refusal
from trajaudit.review.rows import LeaseRow
from trajaudit.review.store import Tx

LeaseKind = Literal["label", "gold", "round", "adjudicate"]


@dataclass(frozen=True, kw_only=True)
class Lease:
    """One person's hold on one item."""

    token: str
    number: int
    reviewer: str
    kind: LeaseKind
    batch: str
    opened: float
    expires: float
    over: str = ""


_LEASE = "SELECT token, number, reviewer, kind, batch, opened, expires, over FROM leases"
_NOT_MINE = """NOT EXISTS (SELECT 1 FROM reviews r WHERE r.item_id = i.item_id
  AND r.reviewer = :who AND r.gone = 0)"""
_OTHERS = """(SELECT count(*) FROM leases l WHERE l.number = i.number AND l.over = ''
  AND l.expires > :now AND l.reviewer != :who AND l.kind = 'label')"""
_ADJUDICATES = """NOT EXISTS (SELECT 1 FROM leases l WHERE l.number = i.number AND l.over = ''
  AND l.expires > :now AND l.reviewer != :who AND l.kind = 'adjudicate')"""
_OF_ROUND = "EXISTS (SELECT 1 FROM rounds o WHERE o.number = i.number AND o.name = :batch)"
_MAY: dict[LeaseKind, str] = {
    "label": f"i.open = 1 AND {_NOT_MINE} AND i.labels + {_OTHERS} < i.wanted",
    "gold": f"i.known = 1 AND {_NOT_MINE}",
    "round": f"{_NOT_MINE} AND {_OF_ROUND}",
    "adjudicate": f"i.state = 'conflict' AND {_NOT_MINE} AND {_ADJUDICATES}",
}


def may_hold(tx: Tx, who: str, number: int, kind: LeaseKind, batch: str, now: float) -> bool:
    """Whether a person may have an item now, their own lease apart."""
    sql = f"SELECT 1 FROM items i WHERE i.number = :number AND {_MAY[kind]}"  # noqa: S608 (ours)
    return tx.first(sql, number=number, who=who, now=now, batch=batch) is not None


def take(tx: Tx, lease: Lease, now: float) -> Lease | None:
    """Give an item to a person; None where they may not have it.

    Who held it before, and nobody else since, goes on under the old token: two tabs of one person
    hold one lease, and their forms are one form.
    """
    if not may_hold(tx, lease.reviewer, lease.number, lease.kind, lease.batch, now):
        return None
    held = find_open(tx, lease.reviewer, lease.number, lease.kind)
    if held is not None:
        extend(tx, held.token, lease.expires)
        return find(tx, held.token)
    tx.add_new(
        LeaseRow(
            token=lease.token,
            number=lease.number,
            reviewer=lease.reviewer,
            kind=lease.kind,
            batch=lease.batch,
            opened=lease.opened,
            expires=lease.expires,
        )
    )
    return lease


def find(tx: Tx, token: str) -> Lease | None:
    """Return the lease of a token."""
    row = tx.first(f"{_LEASE} WHERE token = :token", token=token)
    return None if row is None else Lease(**row._asdict())


def find_open(tx: Tx, who: str, number: int, kind: LeaseKind) -> Lease | None:
    """Return a person's lease on an item, over by time or not."""
    row = tx.first(
        f"{_LEASE} WHERE over = '' AND reviewer = :who AND number = :number AND kind = :kind",
        who=who,
        number=number,
        kind=kind,
    )
    return None if row is None else Lease(**row._asdict())


def live(tx: Tx, who: str, now: float) -> Lease | None:
    """Return what a person holds to label; the latest, where there are several."""
    row = tx.first(
        f"{_LEASE} WHERE over = '' AND reviewer = :who AND expires > :now"
        " AND kind != 'adjudicate' ORDER BY opened DESC, rowid DESC",
        who=who,
        now=now,
    )
    return None if row is None else Lease(**row._asdict())


def extend(tx: Tx, token: str, expires: float) -> None:
    """Let a lease last longer; it never gets shorter."""
    tx.do(
        "UPDATE leases SET expires = max(expires, :expires) WHERE token = :token AND over = ''",
        token=token,
        expires=expires,
    )


def end(tx: Tx, token: str, why: Literal["saved", "deferred", "lost"]) -> None:
    """End a lease."""
    tx.do("UPDATE leases SET over = :why WHERE token = :token", token=token, why=why)


def why_not(tx: Tx, lease: Lease) -> Refusal:
    """Return why a person may not have an item; asked after `may_hold` said so."""
    mine = f"SELECT 1 FROM items i WHERE i.number = :number AND NOT {_NOT_MINE}"  # noqa: S608
    if tx.first(mine, number=lease.number, who=lease.reviewer) is not None:
        return Refusal.OWN_CONFLICT if lease.kind == "adjudicate" else Refusal.LABELLED_ALREADY
    item = tx.first("SELECT open, state FROM items WHERE number = :number", number=lease.number)
    if item is None:
        return Refusal.NO_SUCH_ITEM
    if lease.kind == "adjudicate":
        return Refusal.HELD_BY_OTHER if item.state == "conflict" else Refusal.NOT_IN_CONFLICT
    if lease.kind == "label":
        return Refusal.HELD_BY_OTHER if item.open else Refusal.SETTLED
    return Refusal.LEASE_OVER
