"""Items go to teams that label elsewhere, and their labels come back into the same ledger."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.review import Place, QueueName, Review, Round
from trajaudit.errors import ScenarioError
from trajaudit.record.reviews import ReviewLedger, read_reviews
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import write_atomic
from trajaudit.review.blind import BlindTrial, blind_trial
from trajaudit.review.desk_records import PUBLIC
from trajaudit.review.exchange import CELL, lines_of, require_form, row_of
from trajaudit.review.labels import Label, read_labels
from trajaudit.review.people import Names, known_names
from trajaudit.review.sample import framed
from trajaudit.review.settle import human_decisions

Key = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class Exported:
    """What was written for people elsewhere."""

    path: Path
    items: int
    settled: int
    """Items that were left out: people said enough of them."""
    longest: int
    """Characters of the longest transcript."""

    @property
    def too_long(self) -> bool:
        """Whether a cell of a spreadsheet cannot hold all of it."""
        return self.path.suffix.casefold() == ".csv" and self.longest > CELL


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What came of a file of labels."""

    path: Path
    added: int
    known: int
    """Labels that were there already."""
    blank: int
    """Items that nobody labelled."""
    late: int
    """Labels of items that were settled before; they are kept."""
    open: int
    """Items that were labelled and wait for another person, or for an adjudicator."""
    by: dict[str, int]
    """Reviewer → labels that were added."""
    runs: tuple[RunDir, ...]
    """Those that hold new labels."""


@dataclass
class _Item:
    """An item of the runs, wherever it lies."""

    places: list[Place] = field(default_factory=list)
    steps: int = 0
    queue: QueueName = QueueName.RESOLVE
    reviews: list[Review] = field(default_factory=list)
    settled: bool = False
    """People said enough of it before."""


def export_items(runs: Sequence[RunDir], path: Path) -> Exported:
    """Write the items of the runs that people have to look at, each once, in random order.

    Raises:
        UsageError: a run was not scored, or the form of the file is not known.
        StorageError: it cannot be written; an earlier one stays.
    """
    require_form(path)
    wanted, settled = _wanted(runs)
    lengths: list[int] = []

    def rows() -> Iterator[dict[str, str]]:
        seen: set[str] = set()
        for run, key in wanted:
            item = _blind(run, key)
            if item is not None and item.item_id not in seen:
                seen.add(item.item_id)
                row = row_of(item)
                lengths.append(len(row["transcript"]))
                yield row

    write_atomic(path, lines_of(rows(), path.suffix))
    longest = max(lengths, default=0)
    return Exported(path=path, items=len(lengths), settled=settled, longest=longest)


def _wanted(runs: Sequence[RunDir]) -> tuple[list[tuple[RunDir, Key]], int]:
    """Return the trials to look at, in an order that tells of no queue, and how many are done."""
    found: list[tuple[str, RunDir, Key]] = []
    settled = 0
    for run in runs:
        done = human_decisions(run)
        for one in framed(run):
            key = (one.task_id, one.trial)
            if one.queue != "none" and key in done:
                settled += 1
            elif one.queue != "none":
                # Not the rank of the sample: those to audit have the lowest.
                order = hashlib.sha256(f"export\0{run.run_id}\0{key}".encode()).hexdigest()
                found.append((order, run, key))
    return [(run, key) for _, run, key in sorted(found, key=lambda one: one[0])], settled


def _blind(run: RunDir, key: Key) -> BlindTrial | None:
    record = run.read_trial(*key)
    if record is None:
        return None
    task, scenario = run.tasks.task(key[0]), run.tasks.scenario(record)
    return blind_trial(run, record, task, scenario, trajectory_of(run, *key))


def import_labels(runs: Sequence[RunDir], path: Path, now: str, *, reviewer: str = "") -> Imported:
    """Take labels into the ledgers of the runs; all of them, or none where a line is wrong.

    Args:
        runs: where the items lie.
        path: `.jsonl`, `.json` or `.csv`.
        now: ISO 8601 in UTC.
        reviewer: whose labels these are where a row does not say.

    Raises:
        ScenarioError: lines are wrong; every one is named.
        UsageError: the file cannot be read, or a run was not scored.
        StorageError: a ledger cannot be written.
    """
    found = read_labels(path, reviewer=reviewer)
    names = Names(known_names(runs))
    taking = _Taking(_items(runs, every=False), now, names)
    if not all(taking.knows(label) for label in found.labels):
        # Drawn anew since, perhaps: what is drawn no more takes longer to find.
        taking = _Taking(_items(runs, every=True), now, names)
    for label in found.labels:
        if fault := taking.take(label):
            found.faults.append(f"{label.place}: {fault}")
    if found.faults:
        raise ScenarioError(sorted(found.faults, key=_line))
    touched = _append(runs, taking.reviews)
    by: dict[str, int] = defaultdict(int)
    for one in taking.reviews:
        by[one.reviewer] += 1
    return Imported(
        path=path,
        added=len(taking.reviews),
        known=taking.known,
        blank=found.blank,
        late=taking.late,
        open=_open(touched, taking.reviews),
        by=dict(by),
        runs=touched,
    )


class _Taking:
    """Makes reviews of labels, one after the other."""

    def __init__(self, items: Mapping[str, _Item], now: str, names: Names) -> None:
        self._items = items
        self._names = names
        self._ids: dict[str, list[str]] = defaultdict(list)
        for item_id in items:
            self._ids[item_id[:PUBLIC]].append(item_id)
        self._now = now
        self.reviews: list[Review] = []
        self.known = 0
        self.late = 0

    def knows(self, label: Label) -> bool:
        """Whether there is one item that a label can be of."""
        return len(self._like(label)) == 1

    def _like(self, label: Label) -> list[str]:
        alike = self._ids.get(label.item_id[:PUBLIC], [])
        return [one for one in alike if one.startswith(label.item_id)]

    def take(self, label: Label) -> str:
        """Take a label in; return what is wrong with it, empty where nothing is."""
        ids = self._like(label)
        if len(ids) != 1:
            return (
                f"item_id: is of no item of these runs; got {label.item_id!r}; export them anew, "
                "or name the run that it came from"
            )
        if other := self._names.other(label.reviewer):
            return f"reviewer: may be {other}; got {label.reviewer!r}; give one person one name"
        item = self._items[ids[0]]
        beyond = [str(step) for step in label.steps if step > item.steps]
        if beyond:
            return f"steps: lie beyond the trial; got {', '.join(beyond)}; its last is {item.steps}"
        return self._take(item, self._review(ids[0], item, label))

    def _take(self, item: _Item, review: Review) -> str:
        before = [one for one in item.reviews if one.reviewer == review.reviewer]
        if any(one.review_id == review.review_id for one in before):
            self.known += 1
            return ""
        if before:
            return (
                f"verdict: {review.reviewer} labelled this item before; got {review.verdict} after "
                f"{before[-1].verdict}, or another reason; a label is not changed: leave the line "
                "out, or let another person label it"
            )
        item.reviews.append(review)
        self.reviews.append(review)
        self.late += item.settled
        return ""

    def _review(self, item_id: str, item: _Item, label: Label) -> Review:
        return Review(
            review_id=_review_id(item_id, label),
            item_id=item_id,
            places=tuple(item.places),
            reviewer=label.reviewer,
            round=Round.PRODUCTION,
            queue=item.queue,
            batch="import",
            verdict=label.verdict,
            failure_kind=label.failure_kind,
            steps=label.steps,
            reason=label.reason,
            opened=self._now,
            saved=self._now,
            seconds=label.seconds,
        )


def _review_id(item_id: str, label: Label) -> str:
    """Return what the same label always has, so that a file that comes twice adds nothing."""
    said = (
        item_id,
        label.reviewer,
        label.verdict.value,
        label.failure_kind,
        label.steps,
        label.reason,
    )
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]


def _items(runs: Sequence[RunDir], *, every: bool) -> dict[str, _Item]:
    """Return the items that people are to look at, or every one, with what was said of them.

    A desk that is opened later finds the same content among trials that were not drawn.
    """
    found: dict[str, _Item] = defaultdict(_Item)
    for run in runs:
        done = human_decisions(run)
        for one in framed(run):
            key = (one.task_id, one.trial)
            blind = _blind(run, key) if every or one.queue != "none" else None
            if blind is not None:
                item = found[blind.item_id]
                item.places.append(Place(run_id=run.run_id, task_id=key[0], trial=key[1]))
                item.steps = len(blind.trajectory.steps)
                item.settled |= key in done
                if one.queue == "audit":
                    item.queue = QueueName.AUDIT
    for run in runs:
        for record in read_reviews(run):
            if isinstance(record, Review) and record.item_id in found:
                found[record.item_id].reviews.append(record)
    return dict(found)


def _append(runs: Sequence[RunDir], reviews: Sequence[Review]) -> tuple[RunDir, ...]:
    touched: list[RunDir] = []
    for run in runs:
        own = [one for one in reviews if any(p.run_id == run.run_id for p in one.places)]
        if own:
            ReviewLedger(run).append(*own)
            touched.append(run)
    return tuple(touched)


def _open(runs: Sequence[RunDir], reviews: Sequence[Review]) -> int:
    done = {(run.run_id, *key) for run in runs for key in human_decisions(run)}
    places = {one.item_id: one.places for one in reviews}
    return sum(
        not any((place.run_id, place.task_id, place.trial) in done for place in own)
        for own in places.values()
    )


def _line(fault: str) -> tuple[int, str]:
    number = fault.rsplit("/", 1)[-1].split(":")
    return (int(number[1]) if len(number) > 1 and number[1].isdigit() else 0, fault)
