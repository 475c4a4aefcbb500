"""Put what people are to look at into the desk's index: trials of runs, and pairs of trials.

Each journal is read once; what is in the index and did not change is not read again, and an
enqueueing that was interrupted goes on where it stopped.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from trajaudit.datamodel.judging import PanelDecision
from trajaudit.datamodel.review import Framed, ReviewPolicy
from trajaudit.datamodel.run import Outcome
from trajaudit.errors import RunDirError
from trajaudit.record.judged import read_decisions
from trajaudit.record.rundir import RunDir
from trajaudit.review.catch_up import harmful
from trajaudit.review.contents import DEFAULT_RUBRIC, Contents, blind_of
from trajaudit.review.place_rows import Found, drop_others, put_places, update_items
from trajaudit.review.rows import PlaceRow, SourceRow
from trajaudit.review.sample import framed
from trajaudit.review.store import Store

Key = tuple[str, int]
Told = Callable[[str, int, int], None]
"""Run, or `run/other` of a comparison; how many are done; of how many."""
VIEW = 1
"""Raised when what is shown of a trial changes: then every journal is read anew."""
_CHUNK = 100
"""Trials that are written together: what an interruption costs."""
_DECIDES = ("run.json", "outcomes.jsonl", "decisions.jsonl", "findings.jsonl", "sample.json")


@dataclass(frozen=True)
class Enqueued:
    """What became of a run, or of a comparison."""

    source: str
    wanted: int
    """Items that people are to look at, counted by trial."""
    read: int
    """Trials or pairs whose journals had to be read."""
    damaged: tuple[str, ...] = ()
    """Why some could not be put up."""
    unchanged: bool = False


@dataclass
class Sample:
    """What is to be put up of one source, and how to read it."""

    source: str
    run_id: str
    pair: str
    mark: str
    """Changes with anything that decides who is in the sample."""
    rubric: tuple[str, int]
    places: list[list[PlaceRow]]
    """Of a trial one row, of a pair two."""
    read: Callable[[Sequence[PlaceRow]], Found]
    known: dict[Key, str] = field(default_factory=dict)
    """Heads of the journals that were read before."""


def silent(_source: str, _done: int, _total: int) -> None:
    """Say nothing."""


def enqueue(
    store: Store, run: RunDir, policy: ReviewPolicy, contents: Contents, told: Told = silent
) -> Enqueued:
    """Bring a run's sample into the index; a run that did not change is not read.

    Raises:
        UsageError: the run was not scored.
        RunDirError: a file of it, other than a journal, is damaged.
        StorageError: the index cannot be written.
    """
    mark = fingerprint(run, _DECIDES)
    if is_enqueued(store, run.run_id, mark):
        return Enqueued(run.run_id, count_wanted(store, run.run_id, ""), 0, unchanged=True)
    shown = contents.rubric(_rubric(run), is_pair=False)
    rubric = (shown.name, shown.version)
    sample = Sample(
        source=run.run_id,
        run_id=run.run_id,
        pair="",
        mark=mark,
        rubric=rubric,
        places=[[place] for place in _places(run, mark)],
        read=lambda rows: Found(
            rows=rows,
            shown=blind_of(run, rows[0].task_id, rows[0].trial),
            rubric=rubric[0],
            rubric_version=rubric[1],
        ),
    )
    return put_up(store, sample, policy, told)


def put_up(store: Store, sample: Sample, policy: ReviewPolicy, told: Told) -> Enqueued:
    """Bring a sample into the index, some at a time; the source counts as enqueued at the end."""
    known = _heads(store, sample)
    read, damaged = 0, []
    for at in range(0, len(sample.places), _CHUNK):
        chunk = sample.places[at : at + _CHUNK]
        found: list[Found] = []
        for rows in chunk:
            try:
                found.append(_found(sample, rows, known))
            except RunDirError as error:
                damaged.append(str(error))
        read += sum(one.shown is not None for one in found)
        with store.write() as tx:
            touched = set().union(*(put_places(tx, one) for one in found))
            update_items(tx, sorted(touched), policy)
        told(sample.source, at + len(chunk), len(sample.places))
    with store.write() as tx:
        gone = drop_others(tx, sample.run_id, sample.pair, sample.mark)
        update_items(tx, sorted(gone), policy)
        tx.add_new(SourceRow(run_id=sample.source))
        tx.do(
            "UPDATE sources SET fingerprint = :mark WHERE run_id = :source",
            mark=sample.mark,
            source=sample.source,
        )
    return Enqueued(sample.source, len(sample.places), read, tuple(damaged))


def fingerprint(run: RunDir, names: Iterable[str]) -> str:
    """Return what changes with files of a run."""
    parts = [f"view:{VIEW}"]
    for name in names:
        try:
            info = (run.path / name).stat()
        except OSError:
            continue
        parts.append(f"{name}:{info.st_size}:{info.st_mtime_ns}")
    return " ".join(parts)


def is_enqueued(store: Store, source: str, mark: str) -> bool:
    """Whether a source is in the index as it is now."""
    with store.read() as tx:
        row = tx.first("SELECT fingerprint FROM sources WHERE run_id = :s", s=source)
    return row is not None and row.fingerprint == mark


def count_wanted(store: Store, run_id: str, pair: str) -> int:
    """Return how many places of a source are in a queue."""
    with store.read() as tx:
        return tx.number(
            "SELECT count(*) FROM places WHERE run_id = :r AND pair = :p AND queue != 'none'",
            r=run_id,
            p=pair,
        )


def turns_of(queued: Iterable[tuple[Key, str, str, float]]) -> dict[Key, float]:
    """Return when each comes: in the resolve queue by rank, in the audit queue by the share of
    its stratum that comes before it, so that all strata are worked off alike.

    Args:
        queued: key, queue, stratum and rank.
    """
    strata: dict[tuple[str, str], list[tuple[float, Key]]] = defaultdict(list)
    for key, queue, stratum, rank in queued:
        strata[queue, stratum].append((rank, key))
    found: dict[Key, float] = {}
    for (queue, _), members in strata.items():
        for at, (rank, key) in enumerate(sorted(members)):
            found[key] = rank if queue == "resolve" else (at + 0.5) / len(members)
    return found


def journal_head(run: RunDir, task_id: str, trial: int) -> str:
    """Return what changes with what a trial shows."""
    record = run.read_trial(task_id, trial)
    if record is not None and record.head:
        return record.head
    return fingerprint(
        run,
        (str(run.journal_path(task_id, trial).relative_to(run.path)),),
    )


def _heads(store: Store, sample: Sample) -> dict[Key, str]:
    with store.read() as tx:
        rows = tx.all(
            "SELECT task_id, trial, head FROM places WHERE run_id = :r AND pair = :p",
            r=sample.run_id,
            p=sample.pair,
        )
    return {(row.task_id, row.trial): row.head for row in rows}


def _found(sample: Sample, rows: list[PlaceRow], known: dict[Key, str]) -> Found:
    """Return what is put up; a journal whose head is known is not read again."""
    first = rows[0]
    if known.get((first.task_id, first.trial)) == first.head:
        return Found(
            rows=rows, shown=None, rubric=sample.rubric[0], rubric_version=sample.rubric[1]
        )
    return sample.read(rows)


def _rubric(run: RunDir) -> str:
    """Return the question: that of the panel whose result decides, where one was asked."""
    names = (one.rubric for one in read_decisions(run) if one.decides)
    return next(names, DEFAULT_RUBRIC)


def _places(run: RunDir, mark: str) -> Iterator[PlaceRow]:
    outcomes = {(one.task_id, one.trial): one for one in run.read_outcomes()}
    judged: dict[Key, list[PanelDecision]] = defaultdict(list)
    for decision in read_decisions(run):
        judged[decision.task_id, decision.trial].append(decision)
    queued = [one for one in framed(run) if one.queue != "none"]
    turns = turns_of(((one.task_id, one.trial), one.queue, one.stratum, one.rank) for one in queued)
    urgent: dict[str, float] = defaultdict(float)
    for one in queued:
        urgent[one.stratum] = max(urgent[one.stratum], one.priority)
    for one in queued:
        key = (one.task_id, one.trial)
        yield _place(run, one, mark, (turns[key], urgent[one.stratum])).model_copy(
            update=_as_seen(outcomes.get(key), judged.get(key, []))
        )


def _place(run: RunDir, one: Framed, mark: str, when: tuple[float, float]) -> PlaceRow:
    resolve = one.queue == "resolve"
    return PlaceRow(
        run_id=run.run_id,
        task_id=one.task_id,
        trial=one.trial,
        number=0,
        head=journal_head(run, one.task_id, one.trial),
        queue=one.queue,
        lane=one.stratum if resolve else "",
        priority=-when[1] if resolve else 0.0,
        turn=when[0],
        seen=mark,
    )


def _as_seen(outcome: Outcome | None, judged: Sequence[PanelDecision]) -> dict[str, object]:
    """Return what the panel, else the rules say of a trial."""
    settled = next((o for o in judged if o.decides and o.queue != "resolve"), None)
    panel = "" if settled is None or settled.result == "undecided" else settled.result
    lenient = None if outcome is None else outcome.lenient
    ruled = "" if lenient is None else "pass" if lenient else "fail"
    return {"expected": panel or ruled, "panel": panel, "harm": harmful(judged)}
