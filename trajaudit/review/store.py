"""The desk's index: one SQLite file that many threads and processes write.

Deliberate: it holds no label that is not in a run's `reviews.jsonl`. A file that is damaged or of
another version is made anew; only leases, deferrals and drafts are lost with it. Every change is
one transaction that takes the write lock before it reads, so that nothing is decided on what
another process is changing. Import this module where it is used: sqlmodel is slow to import.
"""

import contextlib
import sqlite3
import threading
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol
from zlib import crc32

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlmodel import SQLModel

from trajaudit.errors import StorageError
from trajaudit.review.rows import SHAPES, TABLES, TRIGGERS

FILE = "desk.sqlite"
_WAIT_S = 30
_CACHE_KB = 64 * 1024
Value = str | int | float | None


def version_of(shapes: Sequence[object]) -> int:
    """Return a number that other tables do not have: an index of another one is made anew."""
    return crc32(repr(shapes).encode()) % (2**31 - 1) + 1


VERSION = version_of([SHAPES, TRIGGERS])


class Fields(Protocol):
    """A row of a query: a tuple whose fields have the names of its columns."""

    def __getattr__(self, name: str) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def _asdict(self) -> dict[str, Any]: ...


class Tx:
    """One transaction; statements name their parameters.

    They go to the driver itself: what SQLAlchemy would wrap around each costs several times as
    much as the statement.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, **values: Value) -> list[Fields]:
        """Return the rows of a query."""
        return self._connection.execute(sql, values).fetchall()

    def first(self, sql: str, **values: Value) -> Fields | None:
        """Return the first row of a query."""
        found: Fields | None = self._connection.execute(sql, values).fetchone()
        return found

    def number(self, sql: str, **values: Value) -> int:
        """Return the one number of a query; 0 where there is none."""
        row = self._connection.execute(sql, values).fetchone()
        return int(row[0] or 0) if row else 0

    def do(self, sql: str, **values: Value) -> int:
        """Change something; return how many rows were."""
        return self._connection.execute(sql, values).rowcount

    def add(self, *rows: SQLModel) -> None:
        """Insert rows of one table, over those of the same key."""
        self._insert(rows, "OR REPLACE")

    def add_new(self, *rows: SQLModel) -> int:
        """Insert rows of one table whose keys are not there; return how many were."""
        return self._insert(rows, "OR IGNORE")

    def _insert(self, rows: Sequence[SQLModel], over: str) -> int:
        if not rows:
            return 0
        sql, names = _insertion(type(rows[0]), over)
        values = [{name: getattr(row, name) for name in names} for row in rows]
        return self._connection.executemany(sql, values).rowcount


@lru_cache(64)
def _insertion(model: type[SQLModel], over: str) -> tuple[str, tuple[str, ...]]:
    names = tuple(model.model_fields)
    values = ", ".join(f":{name}" for name in names)
    table, columns = model.__tablename__, ", ".join(f'"{name}"' for name in names)
    return f"INSERT {over} INTO {table} ({columns}) VALUES ({values})", names  # noqa: S608 (ours)


class Store:
    """The index of one folder of runs."""

    def __init__(self, folder: Path) -> None:
        """Open the index, made anew where it is missing, damaged or old.

        Raises:
            StorageError: it cannot be opened or made.
        """
        self.path = folder / FILE
        self.is_new = False
        """Made now: what runs and their reviews say has yet to be read."""
        self._writing = threading.Lock()
        self._engine = create_engine(
            f"sqlite:///{self.path}",
            connect_args={"timeout": _WAIT_S},
            pool_size=8,
            max_overflow=64,
        )
        event.listen(self._engine, "connect", _prepare)
        self._open()

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    @contextlib.contextmanager
    def write(self) -> Iterator[Tx]:
        """Do several things at once, or none of them; nobody else writes meanwhile.

        Raises:
            StorageError: the index cannot be written.
        """
        # Threads of one process wait in line here; SQLite would let them poll.
        with self._writing, self._failures(), self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield Tx(_driver(connection))
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    @contextlib.contextmanager
    def read(self) -> Iterator[Tx]:
        """Read one state of the index; errors as for `write`."""
        with self._failures(), self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                yield Tx(_driver(connection))
            finally:
                connection.exec_driver_sql("ROLLBACK")

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (DatabaseError, sqlite3.DatabaseError) as error:
            raise StorageError(
                f"{self.path}: the index of the desk failed; got {error}; labels are safe in "
                "the runs, and removing this file makes it anew"
            ) from error

    def _open(self) -> None:
        for last in (False, True):
            try:
                if self._made():
                    return
            except DatabaseError as error:
                if last or _is_of_the_disk(str(error.orig)):
                    raise StorageError(f"{self.path}: cannot be opened; {error.orig}") from error
            self._engine.dispose()
            _remove(self.path)
        raise StorageError(f"{self.path}: cannot be made anew")

    def _made(self) -> bool:
        """Make the tables of a new file; False where the file is of another version."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            version = connection.exec_driver_sql("PRAGMA user_version").scalar()
            if version == 0:
                SQLModel.metadata.create_all(connection, tables=TABLES)
                for trigger in TRIGGERS:
                    connection.exec_driver_sql(trigger)
                connection.exec_driver_sql(f"PRAGMA user_version={VERSION}")
                self.is_new = True
            connection.exec_driver_sql("COMMIT")
            if version == VERSION:
                connection.exec_driver_sql("SELECT count(*) FROM counts")
        return version in {0, VERSION}


def _prepare(connection: Any, _: object) -> None:
    # Transactions begin where this module says so, not where the driver guesses.
    connection.isolation_level = None
    connection.row_factory = _named
    for pragma in (
        "synchronous=NORMAL",
        f"cache_size=-{_CACHE_KB}",
        "temp_store=MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _driver(connection: Connection) -> sqlite3.Connection:
    found = connection.connection.driver_connection
    if not isinstance(found, sqlite3.Connection):
        raise StorageError(f"the desk needs the sqlite3 driver; got {type(found).__name__}")
    return found


def _named(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
    return _row_class(tuple(column[0] for column in cursor.description))(*row)


@lru_cache(256)
def _row_class(names: tuple[str, ...]) -> Callable[..., tuple[Any, ...]]:
    return namedtuple("Row", names, rename=True)  # noqa: PYI024 (columns are known by the query)


def _is_of_the_disk(problem: str) -> bool:
    return any(word in problem for word in ("locked", "full", "readonly", "unable to open"))


def _remove(path: Path) -> None:
    try:
        for end in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path}: cannot be removed; {error.strerror}") from error
