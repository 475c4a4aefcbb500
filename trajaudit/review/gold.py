"""Known items among a reviewer's own, to see whether they can be relied on.

Known is what two people agree on, or what an adjudicator settled. Nobody gets a known item that
they labelled before, and its label tells of the reviewer alone.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from trajaudit.review.store import Tx
from trajaudit.stats.exact import upper_bound

CONFIDENCE = 0.95
_TRIES = 4
"""Places in the index at which a known item is looked for, for each that is wanted."""


@dataclass(frozen=True)
class GoldLabel:
    """A label on a known item."""

    batch: str
    right: bool


@dataclass(frozen=True)
class Standing:
    """How a person does on known items."""

    right: int
    of: int
    """In all."""
    upper: float | None
    """One-sided limit of the accuracy since they were last let go on; None: no label since."""
    failed: tuple[str, ...]
    """Batches with which the limit fell below the least."""


def pick(tx: Tx, who: str, count: int, rng: random.Random) -> list[int]:
    """Return known items that a person has not labelled, at most `count`, at random."""
    last = tx.number("SELECT max(number) FROM items WHERE known = 1")
    found: dict[int, None] = {}
    for _ in range(_TRIES * count if last else 0):
        row = tx.first(_PICK, who=who, start=rng.randint(1, last))
        if row is not None:
            found[row.number] = None
        if len(found) == count:
            break
    return list(found)


_PICK = """SELECT i.number FROM items i WHERE i.known = 1 AND i.number >= :start
  AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.item_id = i.item_id AND r.reviewer = :who)
  AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.reviewer = :who AND t.number = i.number
    AND t.state IN ('pending', 'deferred'))
  ORDER BY i.number LIMIT 1"""


def standing(labels: Iterable[GoldLabel], least: float) -> Standing:
    """Walk through a person's labels on known items, oldest first.

    Once the upper Clopper-Pearson limit of the accuracy is below `least`, the batch has failed and
    the counting begins anew: a lead lets the person go on, or does not.
    """
    right = of = since_right = since = 0
    failed: list[str] = []
    for one in labels:
        right, of = right + one.right, of + 1
        since_right, since = since_right + one.right, since + 1
        # The limit is above the share itself, and takes long to work out.
        if since_right < least * since and _upper(since_right, since) < least:
            failed.append(one.batch)
            since_right = since = 0
    upper = _upper(since_right, since) if since else None
    return Standing(right, of, upper, tuple(failed))


@lru_cache(1024)
def _upper(right: int, of: int) -> float:
    return upper_bound(right, of, confidence=CONFIDENCE)


def standing_of(tx: Tx, who: str, least: float) -> Standing:
    """Return how a person does on known items, by what is settled of them now."""
    rows = tx.all(
        "SELECT r.batch, r.verdict, i.verdict AS truth FROM reviews r INDEXED BY reviews_gold"
        " JOIN items i ON i.item_id = r.item_id"
        " WHERE r.reviewer = :who AND r.queue = 'gold' AND r.gone = 0 AND i.verdict != ''"
        " ORDER BY r.saved, r.review_id",
        who=who,
    )
    return standing((GoldLabel(row.batch, row.verdict == row.truth) for row in rows), least)


def reopen(tx: Tx, who: str, batch: str) -> list[str]:
    """Ask another person for the items of a failed batch that only this one labelled.

    Returns:
        The ids of items whose state has to be said anew.
    """
    rows = tx.all(
        "SELECT i.number, i.item_id FROM reviews r JOIN items i ON i.item_id = r.item_id"
        " WHERE r.batch = :batch AND r.reviewer = :who AND r.gone = 0 AND r.queue != 'gold'"
        " AND i.labels = 1 AND i.reopened = 0",
        batch=batch,
        who=who,
    )
    for row in rows:
        tx.do("UPDATE items SET reopened = 1 WHERE number = :number", number=row.number)
    return [row.item_id for row in rows]
