"""What all parts of the desk share: the index, the files, the clock and the policy."""

import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from trajaudit.datamodel.review import (
    LedgerRecord,
    Place,
    Reviewer,
    ReviewPolicy,
    Role,
)
from trajaudit.errors import StorageError
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.review import catch_up
from trajaudit.review.contents import Contents, Shown
from trajaudit.review.desk_records import PUBLIC, DeskError, Refusal
from trajaudit.review.order import Draw
from trajaudit.review.policy import load_policy
from trajaudit.review.store import Fields, Store, Tx
from trajaudit.review.token import Tokens

_RANK = {Role.REVIEWER: 0, Role.ADJUDICATOR: 1, Role.LEAD: 2}
_HEX = frozenset("0123456789abcdef")
ITEM = """SELECT number, item_id, is_pair, title, steps, task_id, queue, rubric, rubric_version,
  state, verdict, labels, wanted, open, known, since, panel FROM items"""


@dataclass(frozen=True, kw_only=True)
class Core:
    """One desk: the runs of one folder and the people who look at them."""

    runs: Path
    store: Store
    contents: Contents
    clock: Callable[[], datetime]
    pause: Callable[[str], object]
    """Told who was wrong too often on known items."""
    people: Callable[[], Sequence[Reviewer]]
    """Who reviews, those who were removed apart."""
    tokens: Tokens
    alone: bool = False
    agreement: dict[str, object] = field(default_factory=dict)
    """Figures that take long, kept until something new was said."""
    patience: float = 0.05
    """Seconds that a page waits for them."""
    rng: random.Random = field(default_factory=secrets.SystemRandom)

    @property
    def policy(self) -> ReviewPolicy:
        """How items are given out; read anew, so that a lead's change holds at once."""
        stored = load_policy(self.runs)
        return stored.model_copy(update={"double": 0.0, "gold": 0.0}) if self.alone else stored

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return self.clock().timestamp()

    def stamp(self) -> str:
        """Return the time as records have it."""
        return iso(self.now())

    def time(self, seconds: float) -> datetime:
        """Return seconds since 1970 as a time in UTC."""
        return datetime.fromtimestamp(seconds, UTC)

    def token(self, who: str) -> str:
        """Return what nobody can guess, for a lease of one person."""
        return self.tokens.sign(f"{self.rng.getrandbits(128):032x}", who)

    def expires(self, policy: ReviewPolicy, now: float) -> float:
        """Return until when a lease that is taken or renewed now lasts."""
        return now + policy.lease_minutes * 60

    def draw(self, who: str, policy: ReviewPolicy, now: float) -> Draw:
        """Return what a batch is drawn by."""
        return Draw(who=who, now=now, policy=policy, rng=self.rng, alone=self.alone)

    def append(self, tx: Tx, record: LedgerRecord, number: int) -> None:
        """Write a record to the disk, to the first of the item's runs and then to the others.

        What another run did not take is copied to it when the desk is opened the next time.

        Raises:
            StorageError: the first run cannot be written; nothing was saved.
        """
        saved = False
        for run_id in run_ids(tx, number):
            run = RunDir(self.runs / run_id)
            if not run.path.is_dir():
                continue
            was_current = catch_up.reviews_seen(tx, run_id) == catch_up.reviews_mark(run)
            try:
                ReviewLedger(run).append(record)
            except StorageError:
                if not saved:
                    raise
                continue
            saved = True
            catch_up.note_line(tx, run_id, record)
            if was_current:
                catch_up.note_reviews(tx, run_id, catch_up.reviews_mark(run))
        if not saved:
            raise StorageError(f"{self.runs}: no run holds this item any more; nothing was saved")
        catch_up.put(tx, record)

    def shown(self, tx: Tx, item: Fields) -> Shown:
        """Return what an item shows.

        Raises:
            DeskError: none of its runs shows it any more.
        """
        found = self.contents.show(
            item.item_id, places_of(tx, item.number), is_pair=bool(item.is_pair)
        )
        if found is None:
            raise DeskError(
                Refusal.CONTENT_CHANGED,
                f"item {item.item_id[:PUBLIC]}: its files are gone or show something else; "
                "enqueue the run anew",
            )
        return found


def iso(seconds: float) -> str:
    """Return a time as records have it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def require(who: Reviewer, role: Role) -> None:
    """Refuse a person who may not do what a role may.

    Raises:
        DeskError: they may not.
    """
    if who.removed or _RANK[who.role] < _RANK[role]:
        raise DeskError(
            Refusal.NOT_ALLOWED, f"this takes the role {role.value}; got {who.role.value}"
        )


def find_item(tx: Tx, item_id: str) -> Fields:
    """Return the item of an id, or of its first digits.

    Raises:
        DeskError: there is none, or several begin like this.
    """
    is_id = PUBLIC <= len(item_id) <= 64 and _HEX.issuperset(item_id)
    rows = (
        tx.all(
            f"{ITEM} WHERE item_id >= :low AND item_id < :high LIMIT 2",
            low=item_id,
            high=f"{item_id}g",
        )
        if is_id
        else []
    )
    if len(rows) != 1:
        raise DeskError(Refusal.NO_SUCH_ITEM, f"there is no item {item_id[:64]!r}")
    return rows[0]


def item_at(tx: Tx, number: int) -> Fields:
    """Return the item of a number that is known to be there."""
    return tx.all(f"{ITEM} WHERE number = :number", number=number)[0]


def places_of(tx: Tx, number: int) -> Sequence[Place]:
    """Return where an item lies; of a pair first and second, once for each comparison."""
    rows = tx.all(
        "SELECT run_id, task_id, trial FROM places WHERE number = :number"
        " ORDER BY pair, task_id, trial, side, run_id",
        number=number,
    )
    return [Place(run_id=row.run_id, task_id=row.task_id, trial=row.trial) for row in rows]


def run_ids(tx: Tx, number: int) -> list[str]:
    """Return the runs that hold an item, always in the same order."""
    rows = tx.all(
        "SELECT DISTINCT run_id FROM places WHERE number = :number ORDER BY run_id", number=number
    )
    return [row.run_id for row in rows]
