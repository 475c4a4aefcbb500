"""Calibration and certification: a few items that everybody labels, before production begins.

A calibration is to talk about the rules, a certification to see whether people agree. Which items a
round has depends on its name and the seed alone, so that an index that was lost gives the same.
"""

import hashlib
import heapq

from trajaudit.datamodel.review import ReviewPolicy, Round
from trajaudit.review.rows import RoundRow
from trajaudit.review.store import Tx

SIZES = {Round.CALIBRATION: 20, Round.CERTIFICATION: 50}
"""Items of a round, at least."""


def current(tx: Tx, kind: Round) -> str:
    """Return the name of the present round of a kind, `calibration-1` at first."""
    return f"{kind.value}-{max(_number(tx, kind), 1)}"


def begin(tx: Tx, policy: ReviewPolicy, size: int | None = None) -> int:
    """Draw a further round of the policy's kind; return how many items it has.

    Half of them are, as panel or rules see it, passes and half failures, as far as there are any.
    Nobody labelled one of them before.
    """
    return _fill(tx, policy, f"{policy.round.value}-{_number(tx, policy.round) + 1}", size)


def ensure(tx: Tx, policy: ReviewPolicy) -> None:
    """Draw the present round where the index has none of it."""
    if policy.round is Round.PRODUCTION:
        return
    name = current(tx, policy.round)
    if tx.first("SELECT 1 FROM rounds WHERE name = :name", name=name) is None:
        _fill(tx, policy, name, None)


def left(tx: Tx, who: str, name: str, most: int) -> list[int]:
    """Return items of a round that a person has still to label; put off ones last."""
    rows = tx.all(
        "SELECT o.number FROM rounds o JOIN items i ON i.number = o.number"
        " LEFT JOIN deferrals d ON d.number = o.number AND d.reviewer = :who"
        " WHERE o.name = :name"
        " AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.item_id = i.item_id"
        "  AND r.reviewer = :who AND r.gone = 0)"
        " ORDER BY d.at IS NOT NULL, d.at, o.number LIMIT :most",
        who=who,
        name=name,
        most=most,
    )
    return [row.number for row in rows]


def name_of(batch: str) -> str:
    """Return the round that a batch belongs to, as records name it."""
    return batch.split("/", maxsplit=1)[0]


def _number(tx: Tx, kind: Round) -> int:
    """Return the number of the last round of a kind, by the index and by what was labelled."""
    names = [row.name for row in tx.all("SELECT DISTINCT name FROM rounds")]
    names += [
        row.batch
        for row in tx.all("SELECT DISTINCT batch FROM reviews WHERE round = :kind", kind=kind)
    ]
    ends = [name.rpartition("-")[2] for name in names if name.startswith(f"{kind.value}-")]
    return max((int(end) for end in ends if end.isdecimal()), default=0)


def _fill(tx: Tx, policy: ReviewPolicy, name: str, size: int | None) -> int:
    wanted = SIZES[policy.round] if size is None else size
    begun = tx.all(
        "SELECT DISTINCT i.number FROM reviews r JOIN items i ON i.item_id = r.item_id"
        " WHERE r.batch = :name AND r.gone = 0",
        name=name,
    )
    numbers = [row.number for row in begun]
    by_class = {
        expected: _least(tx, policy, name, expected, wanted) for expected in ("pass", "fail", "")
    }
    half = (wanted - len(numbers)) // 2
    for expected in ("pass", "fail"):
        numbers += by_class[expected][:half]
    rest = [
        *by_class["pass"][half:],
        *by_class["fail"][half:],
        *by_class[""],
    ]
    numbers += rest[: max(wanted - len(numbers), 0)]
    tx.add_new(*(RoundRow(name=name, number=number) for number in numbers))
    return len(numbers)


def _least(tx: Tx, policy: ReviewPolicy, name: str, expected: str, most: int) -> list[int]:
    rows = tx.all(
        "SELECT number, item_id FROM items WHERE state = 'new' AND queue != 'none'"
        " AND expected = :expected",
        expected=expected,
    )
    drawn = ((_draw(policy.seed, name, row.item_id), row.number) for row in rows)
    return [number for _, number in heapq.nsmallest(most, drawn)]


def _draw(seed: int, name: str, item_id: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{name}\0{item_id}".encode()).digest()
