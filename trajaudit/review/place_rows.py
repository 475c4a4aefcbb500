"""How places and items stand in the index, whichever of trials or pairs they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trajaudit.datamodel.review import ReviewPolicy
from trajaudit.review.catch_up import resettle
from trajaudit.review.contents import Shown, id_of, steps_of, title_of
from trajaudit.review.rows import ItemRow, PlaceRow
from trajaudit.review.store import Tx


@dataclass(frozen=True, kw_only=True)
class Found:
    """A trial or a pair of a sample: its places, and what they show where that was read."""

    rows: Sequence[PlaceRow]
    shown: Shown | None
    """None: it was read before, and did not change."""
    rubric: str
    rubric_version: int


def put_places(tx: Tx, found: Found) -> set[int]:
    """Bring places into the index, and their item where it is new; return whom that touches."""
    first = found.rows[0]
    before = _numbers(tx, found.rows)
    number = min(before) if found.shown is None else _item(tx, found, found.shown, first)
    for row in found.rows:
        row.number = number
    tx.add(*found.rows)
    return {*before, number}


def drop_others(tx: Tx, run_id: str, pair: str, seen: str) -> set[int]:
    """Take out of the queues what is no longer in a run's sample; return whom that touches."""
    values = {"run": run_id, "pair": pair, "seen": seen}
    which = "WHERE run_id = :run AND pair = :pair AND seen != :seen AND queue != 'none'"
    rows = tx.all(f"SELECT DISTINCT number FROM places {which}", **values)  # noqa: S608 (ours)
    tx.do(f"UPDATE places SET queue = 'none' {which}", **values)  # noqa: S608 (ours)
    return {row.number for row in rows}


def update_items(tx: Tx, numbers: Iterable[int], policy: ReviewPolicy) -> None:
    """Let items stand where their most urgent place puts them, and say anew how far they are."""
    for number in numbers:
        best = tx.first(_BEST, number=number)
        tx.do(
            "UPDATE items SET queue = :queue, lane = :lane, priority = :priority, turn = :turn,"
            " task_id = :task, expected = :expected, panel = :panel, harm = :harm"
            " WHERE number = :number",
            number=number,
            queue=best.queue if best else "none",
            lane=best.lane if best else "",
            priority=best.priority if best else 0.0,
            turn=best.turn if best else 0.0,
            task=best.task_id if best else "",
            expected=best.expected if best else "",
            panel=best.panel if best else "",
            harm=bool(best.harm) if best else False,
        )
        row = tx.first("SELECT item_id FROM items WHERE number = :number", number=number)
        if row is not None:
            resettle(tx, row.item_id, policy)


_BEST = """SELECT queue, lane, priority, turn, task_id, expected,
  max(panel) OVER () AS panel, max(harm) OVER () AS harm
  FROM places WHERE number = :number
  ORDER BY queue = 'none', queue = 'audit', priority, turn LIMIT 1"""


def _numbers(tx: Tx, rows: Iterable[PlaceRow]) -> set[int]:
    """Return the items that these places showed so far."""
    found = (
        tx.first(
            "SELECT number FROM places WHERE run_id = :run AND task_id = :task"
            " AND trial = :trial AND pair = :pair",
            run=row.run_id,
            task=row.task_id,
            trial=row.trial,
            pair=row.pair,
        )
        for row in rows
    )
    return {row.number for row in found if row is not None}


def _item(tx: Tx, found: Found, shown: Shown, first: PlaceRow) -> int:
    item_id = id_of(shown)
    tx.add_new(
        ItemRow(
            item_id=item_id,
            is_pair=isinstance(shown, tuple),
            title=title_of(shown),
            steps=steps_of(shown),
            task_id=first.task_id,
            rubric=found.rubric,
            rubric_version=found.rubric_version,
            open=False,
        )
    )
    return tx.number("SELECT number FROM items WHERE item_id = :id", id=item_id)
