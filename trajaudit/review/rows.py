"""The columns of the desk's index; tables do not validate, so nothing but `store` opens them.

Times are seconds since 1970 where the desk counts with them, and ISO 8601 where they come from a
record. An item is known by a small number here, and by its `item_id` in files.
"""

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel


class ItemRow(SQLModel, table=True):
    """Something that people label: a trial or a pair, wherever it lies."""

    __tablename__ = "items"
    __table_args__ = (
        Index(
            "items_turn", "queue", "by", "priority", "lane", "turn", sqlite_where=text("open = 1")
        ),
        Index("items_broken", "task_id", sqlite_where=text("verdict = 'task_broken'")),
        Index("items_known", "number", sqlite_where=text("known = 1")),
        Index("items_conflict", "since", sqlite_where=text("state = 'conflict'")),
    )
    number: int | None = Field(default=None, primary_key=True)
    item_id: str = Field(unique=True)
    is_pair: bool = False
    title: str = ""
    steps: int = 0
    """Number of the last step, of a pair the larger: no form names one beyond it."""
    task_id: str = ""
    queue: str = "none"
    """resolve, audit, or none: labels that are there stay, and no more are wanted."""
    lane: str = ""
    """Of the resolve queue: the stratum, within which `turn` counts; of the audit queue empty."""
    priority: float = 0.0
    """Below zero: the least is given out first."""
    turn: float = 0.0
    expected: str = ""
    """pass or fail, as panel or rules see it, to mix rounds; empty: nobody knows."""
    panel: str = ""
    """pass or fail where a panel settled it: a label that denies it is made twice."""
    rubric: str = ""
    rubric_version: int = 0
    harm: bool = False
    """A rubric about harm sent it: two people look."""
    reopened: bool = False
    """Its only label is by somebody who was wrong too often on known items."""
    state: str = "new"
    verdict: str = ""
    labels: int = 0
    """Standing ones, those on known items apart."""
    by: str = ""
    """Who labelled it first: they are given none of these."""
    wanted: int = 1
    open: bool = True
    """Another label is wanted for production."""
    known: bool = False
    """Settled by two, or by an adjudicator: good to watch others with."""
    since: str = ""
    """When what people say of it changed last."""


class PlaceRow(SQLModel, table=True):
    """A trial that shows an item, or one side of a pair."""

    __tablename__ = "places"
    run_id: str = Field(primary_key=True)
    task_id: str = Field(primary_key=True)
    trial: int = Field(primary_key=True)
    pair: str = Field(default="", primary_key=True)
    """Of a pair: folder of the comparison, `run_a/run_b`."""
    number: int = Field(index=True)
    side: str = ""
    head: str = ""
    """Of the trial's journal, when it was read."""
    queue: str = "none"
    lane: str = ""
    priority: float = 0.0
    turn: float = 0.0
    expected: str = ""
    panel: str = ""
    harm: bool = False
    seen: str = ""
    """Fingerprint of the run when the place was last found in its sample."""


class ReviewRow(SQLModel, table=True):
    """A label, as `reviews.jsonl` has it."""

    __tablename__ = "reviews"
    __table_args__ = (
        # Both columns, or SQLite looks through all labels of a person for one item's.
        Index("reviews_item", "item_id", "reviewer"),
        Index("reviews_own", "reviewer", "saved", sqlite_where=text("gone = 0")),
        Index("reviews_speed", "reviewer", "seconds", sqlite_where=text("gone = 0")),
        Index("reviews_gold", "reviewer", "saved", sqlite_where=text("queue = 'gold'")),
        Index("reviews_free", "reviewer", sqlite_where=text("locked = 0")),
        Index("reviews_waiting", "reviewer", sqlite_where=text("waiting = 1")),
        Index("reviews_round", "round", sqlite_where=text("round != 'production'")),
    )
    review_id: str = Field(primary_key=True)
    item_id: str
    reviewer: str
    verdict: str
    queue: str
    round: str
    batch: str = Field(index=True)
    saved: str
    seconds: float
    gone: bool = False
    """Withdrawn."""
    waiting: bool = False
    """Its item is open all the same: for this reviewer it is not left."""
    locked: bool = True
    """It cannot be taken back any more."""
    line: str


class WordRow(SQLModel, table=True):
    """Any other record of `reviews.jsonl`."""

    __tablename__ = "words"
    record_id: str = Field(primary_key=True)
    kind: str
    item_id: str = Field(index=True)
    person: str = Field(index=True)
    saved: str
    seconds: float = 0.0
    line: str


class LineRow(SQLModel, table=True):
    """A record that stands in the file of a run."""

    __tablename__ = "lines"
    record_id: str = Field(primary_key=True)
    run_id: str = Field(primary_key=True)
    places: int = 0
    """Of this run that the record names there."""


class SourceRow(SQLModel, table=True):
    """What of a run's files is in the index."""

    __tablename__ = "sources"
    run_id: str = Field(primary_key=True)
    fingerprint: str = ""
    """Of what decides the sample; empty: not, or not wholly, enqueued."""
    reviews: str = ""
    """Size and time of `reviews.jsonl`."""


class LeaseRow(SQLModel, table=True):
    """Who is at an item; rows stay when they are over, so that a late form is understood."""

    __tablename__ = "leases"
    __table_args__ = (
        Index("leases_item", "number", sqlite_where=text("over = ''")),
        Index("leases_own", "reviewer", sqlite_where=text("over = ''")),
    )
    token: str = Field(primary_key=True)
    number: int
    reviewer: str
    kind: str
    """label, gold, round or adjudicate."""
    batch: str = ""
    opened: float
    expires: float
    over: str = ""
    """saved, deferred, lost; empty: theirs until it expires, and after it until another comes."""


class DraftRow(SQLModel, table=True):
    """What was typed and not saved."""

    __tablename__ = "drafts"
    reviewer: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    form: str


class DeferralRow(SQLModel, table=True):
    """An item that a reviewer put off."""

    __tablename__ = "deferrals"
    reviewer: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    at: float


class BatchRow(SQLModel, table=True):
    """Items that were drawn together for one reviewer."""

    __tablename__ = "batches"
    batch: str = Field(primary_key=True)
    reviewer: str = Field(index=True)
    size: int
    began: float
    over: bool = False


class TurnRow(SQLModel, table=True):
    """One item of a batch."""

    __tablename__ = "turns"
    __table_args__ = (
        Index("turns_item", "number", sqlite_where=text("state = 'pending'")),
        Index("turns_own", "reviewer", "number"),
    )
    batch: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    number: int
    reviewer: str
    kind: str
    """label, gold or round."""
    state: str = "pending"
    """pending, done, deferred, gone."""
    until: float
    """Until when nobody else is given it."""


class RoundRow(SQLModel, table=True):
    """An item that everybody labels, in a calibration or a certification."""

    __tablename__ = "rounds"
    name: str = Field(primary_key=True)
    """`calibration-2`"""
    number: int = Field(primary_key=True)


class CountRow(SQLModel, table=True):
    """How many items there are of a kind; kept by triggers."""

    __tablename__ = "counts"
    queue: str = Field(primary_key=True)
    state: str = Field(primary_key=True)
    open: bool = Field(primary_key=True)
    items: int


class TallyRow(SQLModel, table=True):
    """What one person did; kept by triggers."""

    __tablename__ = "tallies"
    person: str = Field(primary_key=True)
    labelled: int = 0
    seconds: float = 0.0
    adjudicated: int = 0
    last: str = ""


_ROWS = (ItemRow, PlaceRow, ReviewRow, WordRow, LineRow, SourceRow, LeaseRow, DraftRow)
_MORE = (DeferralRow, BatchRow, TurnRow, RoundRow, CountRow, TallyRow)
TABLES = [SQLModel.metadata.tables[str(row.__tablename__)] for row in (*_ROWS, *_MORE)]
SHAPES = [(table.name, [f"{one.name} {one.type}" for one in table.columns]) for table in TABLES]

_ADD_ITEM = """INSERT INTO counts VALUES (new.queue, new.state, new.open, 1)
  ON CONFLICT DO UPDATE SET items = items + 1;"""
_TAKE_ITEM = """UPDATE counts SET items = items - 1
  WHERE queue = old.queue AND state = old.state AND open = old.open;"""
_ADD_LABEL = """INSERT INTO tallies VALUES (new.reviewer, 1, new.seconds, 0, new.saved)
  ON CONFLICT DO UPDATE SET labelled = labelled + 1, seconds = seconds + new.seconds,
    last = max(last, new.saved);"""
_TAKE_LABEL = """UPDATE tallies SET labelled = labelled - 1, seconds = seconds - old.seconds
  WHERE person = old.reviewer;"""
_ADD_WORD = """INSERT INTO tallies VALUES (new.person, 0, 0, 1, new.saved)
  ON CONFLICT DO UPDATE SET adjudicated = adjudicated + 1, last = max(last, new.saved);"""
TRIGGERS = (
    f"CREATE TRIGGER item_in AFTER INSERT ON items BEGIN {_ADD_ITEM} END",
    f"CREATE TRIGGER item_out AFTER DELETE ON items BEGIN {_TAKE_ITEM} END",
    (
        "CREATE TRIGGER item_moves AFTER UPDATE OF queue, state, open ON items "
        f"BEGIN {_TAKE_ITEM} {_ADD_ITEM} END"
    ),
    f"CREATE TRIGGER label_in AFTER INSERT ON reviews WHEN NOT new.gone BEGIN {_ADD_LABEL} END",
    (
        "CREATE TRIGGER label_out AFTER UPDATE OF gone ON reviews WHEN new.gone AND NOT old.gone "
        f"BEGIN {_TAKE_LABEL} END"
    ),
    (
        "CREATE TRIGGER word_in AFTER INSERT ON words WHEN new.kind = 'adjudication' "
        f"BEGIN {_ADD_WORD} END"
    ),
)
"""What keeps the counts, whoever writes."""
