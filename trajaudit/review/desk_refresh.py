"""Bring the index up to what the files say, when the desk opens and whenever somebody asks."""

from collections.abc import Iterable, Sequence

from trajaudit.datamodel.review import Adjudication, LedgerRecord, Review, ReviewPolicy
from trajaudit.errors import UsageError
from trajaudit.record.reviews import ReviewLedger
from trajaudit.record.rundir import RunDir
from trajaudit.review import catch_up, gold, rounds
from trajaudit.review.desk_core import Core, places_of
from trajaudit.review.desk_save import reopen_failed
from trajaudit.review.enqueue import Enqueued, Told, enqueue
from trajaudit.review.enqueue_pairs import enqueue_pairs
from trajaudit.review.rows import SourceRow
from trajaudit.review.store import Tx

_POLICY = "/policy"
"""In place of a run among the sources: by which policy the states of items were said."""


def enqueue_all(core: Core, runs: Iterable[RunDir], told: Told) -> list[Enqueued]:
    """Put up what people are to look at of runs and comparisons, and copy labels to where they
    are missing.
    """
    found: list[Enqueued] = []
    chosen = list(runs)
    policy = core.policy
    for run in chosen:
        found.append(enqueue(core.store, run, policy, core.contents, told))
        found += enqueue_pairs(core.store, run, policy, core.contents, told)
    changed = any(not one.unchanged for one in found)
    _catch_up(core, chosen, policy, anyhow=changed)
    with core.store.write() as tx:
        rounds.ensure(tx, policy)
    return found


def catch_up_all(core: Core, runs: Sequence[RunDir]) -> int:
    """Read the reviews of runs whose file changed; return how many records were new."""
    policy = core.policy
    _follow_policy(core, policy)
    return _catch_up(core, runs, policy, anyhow=False)


def begin_round(core: Core, size: int | None) -> int:
    """Draw a new calibration or certification, as the policy says; return its items.

    Raises:
        UsageError: the policy says production, or there is no item that nobody labelled.
    """
    policy = core.policy
    if policy.round not in rounds.SIZES:
        raise UsageError(
            f"a round is calibration or certification; got {policy.round.value}; set it first"
        )
    with core.store.write() as tx:
        items = rounds.begin(tx, policy, size)
        if not items:
            raise UsageError("a round needs items that nobody labelled; got none; enqueue more")
    return items


def _catch_up(core: Core, runs: Sequence[RunDir], policy: ReviewPolicy, *, anyhow: bool) -> int:
    new = catch_up.catch_up(core.store, runs, policy)
    if new or anyhow:
        with core.store.write() as tx:
            _copy_missing(core, tx)
            for row in tx.all("SELECT DISTINCT reviewer FROM reviews WHERE queue = 'gold'"):
                failed = gold.standing_of(tx, row.reviewer, policy.gold_least).failed
                reopen_failed(tx, row.reviewer, failed, policy)
    return new


def _follow_policy(core: Core, policy: ReviewPolicy) -> None:
    """Say anew how far items are, where the policy doubles others than before."""
    mark = f"{policy.seed} {policy.double}"
    with core.store.read() as tx:
        row = tx.first("SELECT fingerprint FROM sources WHERE run_id = :p", p=_POLICY)
        if row is not None and row.fingerprint == mark:
            return
        items = [one.item_id for one in tx.all("SELECT item_id FROM items")]
    for at in range(0, len(items), 500):
        with core.store.write() as tx:
            for item_id in items[at : at + 500]:
                catch_up.resettle(tx, item_id, policy)
    with core.store.write() as tx:
        tx.add(SourceRow(run_id=_POLICY, fingerprint=mark))


def _copy_missing(core: Core, tx: Tx) -> None:
    """Write what was said of an item to the runs that hold it and do not have it yet.

    A label that does not name a place of the run is written once more with all places, under the
    same id: it is one label all the same.
    """
    for row in tx.all(_MISSING_LABELS):
        record = catch_up.read_line(row.line)
        if isinstance(record, Review | Adjudication):
            places = tuple(dict.fromkeys([*record.places, *places_of(tx, row.number)]))
            _copy(core, tx, row.run_id, record.model_copy(update={"places": places}))
    for row in tx.all(_MISSING_WORDS):
        _copy(core, tx, row.run_id, catch_up.read_line(row.line))


def _copy(core: Core, tx: Tx, run_id: str, record: LedgerRecord) -> None:
    run = RunDir(core.runs / run_id)
    if not run.path.is_dir():
        return
    current = catch_up.reviews_seen(tx, run_id) == catch_up.reviews_mark(run)
    ReviewLedger(run).append(record)
    catch_up.note_line(tx, run_id, record)
    if current:
        catch_up.note_reviews(tx, run_id, catch_up.reviews_mark(run))


_MISSING_LABELS = """SELECT p.run_id, p.number, count(*) AS held, s.line FROM (
    SELECT review_id AS id, item_id, line, saved FROM reviews WHERE gone = 0
    UNION ALL SELECT record_id, item_id, line, saved FROM words WHERE kind = 'adjudication') s
  JOIN items i ON i.item_id = s.item_id JOIN places p ON p.number = i.number
  GROUP BY s.id, p.run_id HAVING held > coalesce((SELECT l.places FROM lines l
    WHERE l.record_id = s.id AND l.run_id = p.run_id), 0) ORDER BY s.saved"""
_MISSING_WORDS = """SELECT DISTINCT p.run_id, w.line, w.saved FROM words w
  JOIN items i ON i.item_id = w.item_id JOIN places p ON p.number = i.number
  WHERE w.kind != 'adjudication' AND NOT EXISTS (SELECT 1 FROM lines l
    WHERE l.record_id = w.record_id AND l.run_id = p.run_id)
  AND (w.kind != 'withdrawal' OR EXISTS (SELECT 1 FROM lines l WHERE l.run_id = p.run_id
    AND 'withdrawal/' || l.record_id = w.record_id)) ORDER BY w.saved"""
