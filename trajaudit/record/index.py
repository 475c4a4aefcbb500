"""Which runs, outcomes and findings are there, over many runs?

Deliberate: the files are the truth. The database holds nothing that is not in them; what changed
is read anew before every answer, and a database that is damaged or old is made anew. Import this
module where it is used: sqlmodel is slow to import.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sqlalchemy import NullPool, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, SQLModel, col, create_engine, select

from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.index_rows import forget, put
from trajaudit.record.rundir import RunDir
from trajaudit.record.runs import list_run_dirs
from trajaudit.record.tables import TABLES, FindingRow, RunRow

T = TypeVar("T")
Tell = Callable[[str], None]

FILE = "index.sqlite"
VERSION = 1
"""Raised when a column changes; an index of another version is made anew."""

_SOURCES = ("run.json", "outcomes.jsonl", "findings.jsonl")


@dataclass(frozen=True, kw_only=True)
class RunEntry:
    """A run as lists show it; the counts are of trials."""

    run_id: str
    created: str
    scenario: str
    agent: str
    model_id: str
    tasks: int
    trials: int
    """Wanted for each task."""
    whole: int
    graded: int
    strict: int
    lenient: int
    final: int
    findings: int


@dataclass(frozen=True, kw_only=True)
class FindingEntry:
    """A finding of any run."""

    run_id: str
    task_id: str
    trial: int
    kind: str
    fault: str
    decided: bool
    reason: str


def _silent(_: str) -> None:
    """Say nothing."""


def update(run: RunDir, tell: Tell = _silent) -> None:
    """Bring one run into the index of its folder.

    Raises:
        RunDirError: the run is damaged.
        StorageError: the index cannot be written.
    """
    _with_index(run.path.parent, tell, lambda session: put(session, run, _fingerprint(run)))


def rebuild(runs_dir: Path, tell: Tell = _silent) -> None:
    """Make the index anew from the run directories; damaged ones are told and left out.

    Raises:
        StorageError: the index cannot be written.
    """
    _remove(runs_dir)
    _with_index(runs_dir, tell, lambda session: _refresh(session, runs_dir, tell))


def list_runs(
    runs_dir: Path,
    *,
    scenario: str | None = None,
    model_id: str | None = None,
    limit: int | None = None,
    tell: Tell = _silent,
) -> list[RunEntry]:
    """Return the runs of a folder, newest first; what changed is read anew.

    Raises:
        StorageError: the index cannot be written.
    """
    if not runs_dir.is_dir():
        return []

    def work(session: Session) -> list[RunEntry]:

        _refresh(session, runs_dir, tell)
        query = select(RunRow).order_by(col(RunRow.created).desc(), col(RunRow.run_id).desc())
        if scenario is not None:
            query = query.where(RunRow.scenario == scenario)
        if model_id is not None:
            query = query.where(RunRow.model_id == model_id)
        return [_entry(row) for row in session.exec(query.limit(limit))]

    return _with_index(runs_dir, tell, work)


def list_findings(
    runs_dir: Path, *, kind: str | None = None, tell: Tell = _silent
) -> list[FindingEntry]:
    """Return the findings of all runs, perhaps of one kind; errors as for `list_runs`."""
    if not runs_dir.is_dir():
        return []

    def work(session: Session) -> list[FindingEntry]:

        _refresh(session, runs_dir, tell)
        query = select(FindingRow).order_by(FindingRow.run_id)
        if kind is not None:
            query = query.where(FindingRow.kind == kind)
        rows = [row.model_dump(exclude={"number"}) for row in session.exec(query)]
        return [FindingEntry(**row) for row in rows]

    return _with_index(runs_dir, tell, work)


def _entry(row: RunRow) -> RunEntry:
    return RunEntry(**row.model_dump(exclude={"fingerprint"}))


def _with_index(runs_dir: Path, tell: Tell, work: Callable[[Session], T]) -> T:
    """Do `work` in one transaction; a damaged or old index is removed, and `work` done again."""
    for last in (False, True):
        try:
            with _session(runs_dir) as session:
                result = work(session)
                session.commit()
                return result
        except _OutdatedError as error:
            tell(f"{runs_dir / FILE}: the index is of another version; got {error}; made anew")
        except DatabaseError as error:
            if last or _is_of_the_disk(str(error.orig)):
                text = f"{runs_dir / FILE}: the index cannot be written; {error.orig}"
                raise StorageError(text) from error
            tell(f"{runs_dir / FILE}: the index is damaged; got {error.orig}; made anew")
        _remove(runs_dir)
    raise StorageError(f"{runs_dir / FILE}: the index cannot be made")


def _is_of_the_disk(text: str) -> bool:
    return any(word in text for word in ("locked", "full", "readonly", "unable to open"))


class _OutdatedError(Exception):
    """The index was written by another version."""


@contextlib.contextmanager
def _session(runs_dir: Path) -> Iterator[Session]:

    url = f"sqlite:///{runs_dir / FILE}"
    engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": 30})
    with engine.connect() as connection:
        version = connection.scalar(text("PRAGMA user_version"))
        if version not in {0, VERSION}:
            raise _OutdatedError(version)
        if version == 0:
            connection.execute(text("PRAGMA journal_mode=WAL"))
            SQLModel.metadata.create_all(connection, tables=TABLES)
            connection.execute(text(f"PRAGMA user_version={VERSION}"))
            connection.commit()
        with Session(connection) as session:
            yield session


def _remove(runs_dir: Path) -> None:
    try:
        for name in (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal"):
            (runs_dir / name).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{runs_dir / FILE}: cannot be removed; {error.strerror}") from error


def _refresh(session: Session, runs_dir: Path, tell: Tell) -> None:
    """Read what changed since it was indexed, and forget what is gone."""
    known = {row.run_id: row for row in session.exec(select(RunRow))}
    runs = {run.run_id: run for run in list_run_dirs(runs_dir)}
    for run_id in known.keys() - runs.keys():
        forget(session, run_id)
    for run_id, run in runs.items():
        fingerprint = _fingerprint(run, known.get(run_id))
        if run_id in known and known[run_id].fingerprint == fingerprint:
            continue
        try:
            put(session, run, fingerprint)
        except RunDirError as error:
            forget(session, run_id)
            tell(str(error))


def _fingerprint(run: RunDir, row: RunRow | None = None) -> str:
    """Return what changes with the files of a run; whole trials of a whole run are not counted."""
    complete = row is not None and row.whole >= row.tasks * row.trials
    parts = [str(row.whole if row is not None and complete else _count_whole(run))]
    for name in _SOURCES:
        with contextlib.suppress(OSError):
            info = (run.path / name).stat()
            parts.append(f"{name}:{info.st_size}:{info.st_mtime_ns}")
    return " ".join(parts)


def _count_whole(run: RunDir) -> int:
    return sum(1 for path in run.path.glob("trials/*/*/trial.json") if path.parent.name.isdecimal())
