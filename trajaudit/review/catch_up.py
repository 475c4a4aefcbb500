"""Bring into the index what stands in the `reviews.jsonl` of runs, and say how far each item is."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pydantic import TypeAdapter

from trajaudit.datamodel.judging import PanelDecision, Trigger
from trajaudit.datamodel.review import (
    Adjudication,
    ItemState,
    LedgerRecord,
    QueueName,
    Review,
    ReviewPolicy,
    ReviewVerdict,
    Round,
    Settled,
    Withdrawal,
)
from trajaudit.record.reviews import REVIEWS, read_reviews, standing
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped
from trajaudit.review.rows import LineRow, ReviewRow, SourceRow, WordRow
from trajaudit.review.settle import settle, wants_two
from trajaudit.review.store import Fields, Store, Tx

_READ = TypeAdapter[LedgerRecord](LedgerRecord)
_OPEN = frozenset({ItemState.NEW, ItemState.WAITING})
_FIRM = frozenset({ReviewVerdict.CANNOT_TELL, None})
_ITEM = "SELECT number, item_id, is_pair, queue, panel, harm, reopened, state FROM items"


def catch_up(store: Store, runs: Iterable[RunDir], policy: ReviewPolicy) -> int:
    """Read the reviews of runs whose file changed; return how many records were new.

    Raises:
        RunDirError: a line is damaged.
        StorageError: the index cannot be written.
    """
    return sum(_catch_up_run(store, run, policy) for run in runs)


def _catch_up_run(store: Store, run: RunDir, policy: ReviewPolicy) -> int:
    with store.read() as tx:
        if reviews_seen(tx, run.run_id) == reviews_mark(run):
            return 0
    with store.write() as tx:
        # What others append meanwhile waits for this transaction, or changes the mark once more.
        mark = reviews_mark(run)
        records = list(read_reviews(run))
        new = [one for one in records if put(tx, one)]
        _note_lines(tx, run.run_id, records)
        for item_id in dict.fromkeys(one.item_id for one in new):
            resettle(tx, item_id, policy)
        note_reviews(tx, run.run_id, mark)
    return len(new)


def reviews_mark(run: RunDir) -> str:
    """Return what changes whenever the reviews of a run do; empty where it has none."""
    try:
        info = (run.path / REVIEWS).stat()
    except OSError:
        return ""
    return f"{info.st_size}:{info.st_mtime_ns}:{info.st_ino}"


def reviews_seen(tx: Tx, run_id: str) -> str:
    """Return the mark up to which the reviews of a run are in the index."""
    row = tx.first("SELECT reviews FROM sources WHERE run_id = :run", run=run_id)
    return row.reviews if row else ""


def note_reviews(tx: Tx, run_id: str, mark: str) -> None:
    """Remember the mark up to which the reviews of a run are in the index."""
    tx.add_new(SourceRow(run_id=run_id))
    tx.do("UPDATE sources SET reviews = :mark WHERE run_id = :run", mark=mark, run=run_id)


def note_line(tx: Tx, run_id: str, record: LedgerRecord) -> None:
    """Remember that a record stands in the file of a run, and how many places there it names."""
    _note_lines(tx, run_id, [record])


def _note_lines(tx: Tx, run_id: str, records: Sequence[LedgerRecord]) -> None:
    places: dict[str, int] = defaultdict(int)
    for one in records:
        key = record_id(one)
        places[key] = max(places[key], _places_in(run_id, one))
    tx.add(*(LineRow(record_id=key, run_id=run_id, places=n) for key, n in places.items()))


def _places_in(run_id: str, record: LedgerRecord) -> int:
    if not isinstance(record, Review | Adjudication):
        return 0
    return sum(place.run_id == run_id for place in record.places)


def record_id(record: LedgerRecord) -> str:
    """Return what tells a record from all others, wherever it is written."""
    if isinstance(record, Review):
        return record.review_id
    if isinstance(record, Adjudication):
        return record.adjudication_id
    if isinstance(record, Withdrawal):
        return f"withdrawal/{record.review_id}"
    return hashlib.sha256(dumped(record)).hexdigest()


def read_line(line: str) -> LedgerRecord:
    """Return the record of a line that the index keeps."""
    return _READ.validate_json(line)


def put(tx: Tx, record: LedgerRecord) -> bool:
    """Bring a record into the index; False where it is there already."""
    key = record_id(record)
    if isinstance(record, Review):
        return _put_review(tx, record)
    new = bool(
        tx.add_new(
            WordRow(
                record_id=key,
                kind=record.record,
                item_id=record.item_id,
                person=record.adjudicator if isinstance(record, Adjudication) else record.reviewer,
                saved=record.saved,
                seconds=record.seconds if isinstance(record, Adjudication) else 0.0,
                line=dumped(record).decode(),
            )
        )
    )
    if new and isinstance(record, Withdrawal):
        tx.do(
            "UPDATE reviews SET gone = 1, waiting = 0 WHERE review_id = :id AND gone = 0",
            id=record.review_id,
        )
    return new


def _put_review(tx: Tx, record: Review) -> bool:
    gone = tx.first(
        "SELECT 1 FROM words WHERE record_id = :id", id=f"withdrawal/{record.review_id}"
    )
    row = ReviewRow(
        review_id=record.review_id,
        item_id=record.item_id,
        reviewer=record.reviewer,
        verdict=record.verdict,
        queue=record.queue,
        round=record.round,
        batch=record.batch,
        saved=record.saved,
        seconds=record.seconds,
        gone=gone is not None,
        line=dumped(record).decode(),
    )
    new = bool(tx.add_new(row))
    if new and gone is None:
        # A server that died in the middle of the save left the lease open: it would be given out
        # to its holder again and again, and keep the item from others.
        tx.do(
            "UPDATE leases SET over = 'saved' WHERE over = '' AND reviewer = :who"
            " AND kind != 'adjudicate'"
            " AND number = (SELECT number FROM items WHERE item_id = :item)",
            who=record.reviewer,
            item=record.item_id,
        )
    return new


def records_of(tx: Tx, item_id: str) -> list[LedgerRecord]:
    """Return all that was said of an item."""
    lines = tx.all("SELECT line FROM reviews WHERE item_id = :id ORDER BY saved", id=item_id)
    lines += tx.all("SELECT line FROM words WHERE item_id = :id ORDER BY saved", id=item_id)
    return [read_line(row.line) for row in lines]


def resettle(tx: Tx, item_id: str, policy: ReviewPolicy) -> Settled | None:
    """Write down how far an item is, by all that was said of it; None where it is not known."""
    item = tx.first(f"{_ITEM} WHERE item_id = :id", id=item_id)
    if item is None:
        return None
    records = records_of(tx, item_id)
    double = doubled(item, records, policy)
    settled = settle(item_id, records, policy, doubled=double)
    is_open = item.queue != "none" and settled.state in _OPEN
    tx.do(
        "UPDATE items SET state = :state, verdict = :verdict, labels = :labels, wanted = :wanted,"
        " by = :by, open = :open, known = :known, since = :since WHERE number = :number",
        state=settled.state,
        verdict=settled.verdict or "",
        labels=len(settled.reviews),
        wanted=2 if double or settled.state is ItemState.WAITING else 1,
        by=settled.reviews[0].reviewer if settled.reviews else "",
        open=is_open,
        known=_known(settled),
        since=max((one.saved for one in records), default=""),
        number=item.number,
    )
    if not records:
        return settled
    tx.do(
        "UPDATE reviews SET waiting = :open AND queue != 'gold' WHERE item_id = :id AND gone = 0",
        open=is_open,
        id=item_id,
    )
    return settled


def doubled(item: Fields, records: Iterable[LedgerRecord], policy: ReviewPolicy) -> bool:
    """Whether two labels of an item are wanted; a round that is going on changes nothing here."""
    reviews = [one for one in standing(records) if one.queue is not QueueName.GOLD]
    by_rule = wants_two(
        item.item_id,
        policy.model_copy(update={"round": Round.PRODUCTION}),
        reviews=reviews,
        judged=[] if item.is_pair or not item.panel else [_as_decision(item.item_id, item.panel)],
        about_harm=bool(item.harm),
    )
    return by_rule or (policy.double > 0 and (bool(item.reopened) or _denies_pair(item, reviews)))


def _denies_pair(item: Fields, reviews: Iterable[Review]) -> bool:
    """Whether a label prefers what the judges of a settled pair did not."""
    said = {one.verdict.value for one in reviews} & {"a", "b", "tie"}
    return bool(item.is_pair and item.panel and said - {item.panel})


def harmful(decisions: Iterable[PanelDecision]) -> bool:
    """Whether a panel that was asked about harm found some."""
    return any(Trigger.SAFETY in one.triggers for one in decisions)


def _as_decision(item_id: str, result: str) -> PanelDecision:
    fields = {"task_id": item_id, "trial": 1, "panel": "", "rubric": "", "decides": True}
    return PanelDecision.model_validate(fields | {"result": result, "stage": "A"})


def _known(settled: Settled) -> bool:
    firm = settled.verdict not in _FIRM
    return firm and (settled.adjudication is not None or len(settled.reviews) > 1)
