"""One SQLite file with the answers of models, shared by threads and processes.

Deliberate: a kept answer is a convenience. What is damaged, foreign or not whole is said once and
done without; it is never given as an answer, since each row carries a hash over its key and its
body. A file that cannot be written at all is an error, as it would be paid for without end.
"""

import contextlib
import hashlib
import json
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from trajaudit.errors import StorageError

FILE = "answers.sqlite"
VERSION = 1
"""Raised when a column changes; a file of another version is left alone."""
WAIT_S = 60.0
"""For another process that is writing."""
T = TypeVar("T")
_TABLE = (
    "CREATE TABLE answers (key TEXT PRIMARY KEY, model TEXT NOT NULL, draw INTEGER NOT NULL,"
    " body TEXT NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID"
)
_KEEP = (
    "INSERT INTO answers VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
    " SET model = excluded.model, draw = excluded.draw, body = excluded.body,"
    " sha256 = excluded.sha256"
)


class KeptAnswersWarning(UserWarning):
    """Kept answers cannot be used; models are asked instead."""


class _UnusableError(Exception):
    """The file is no store of ours that can be read."""


class AnswerStore:
    """Answers by their key. Safe for threads and for processes: each access is a connection.

    Args:
        folder: where the file lies; made where it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def find(self, key: str) -> dict[str, Any] | None:
        """Return an answer that was kept whole under exactly this key; None: ask for it."""
        if not self.path.exists():
            return None

        def read(connection: sqlite3.Connection) -> tuple[str, str] | None:
            query = "SELECT body, sha256 FROM answers WHERE key = ?"
            row: tuple[str, str] | None = connection.execute(query, (key,)).fetchone()
            return row

        try:
            row = self._used(read)
        except sqlite3.OperationalError:
            return None  # held, or of a folder that cannot be written: it is asked for again
        if row is None or _sealed(key, str(row[0])) != row[1]:
            return None
        body = json.loads(row[0])
        return body if isinstance(body, dict) else None

    def keep(self, key: str, model_id: str, draw: int, body: dict[str, Any]) -> None:
        """Keep an answer, whole or not at all; a damaged file is left as it is.

        Raises:
            StorageError: it cannot be written.
        """
        text = json.dumps(body)
        row = (key, model_id, draw, text, _sealed(key, text))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._used(lambda connection: connection.execute(_KEEP, row))
        except (OSError, sqlite3.OperationalError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StorageError(f"{self.path}: an answer cannot be kept; {reason}") from error

    def _used(self, use: Callable[[sqlite3.Connection], T]) -> T | None:
        """Return what is done with the file; None, and a warning, where it is of no use."""
        try:
            with _opened(self.path) as connection:
                return use(connection)
        except _UnusableError as error:
            self._warn(str(error))
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self._warn(str(error))
        return None

    def _warn(self, why: str) -> None:
        text = (
            f"{self.path}: kept answers cannot be used; {why}; models are asked again, and "
            "nothing is kept until the file is removed"
        )
        warnings.warn(text, KeptAnswersWarning, stacklevel=2)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    # Without isolation each statement is a transaction of its own.
    connection = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
    try:
        version = _version(connection)
        if version == 0:
            version = _made(connection)
        if version != VERSION:
            raise _UnusableError(f"wanted version {VERSION}; got {version}")
        connection.execute("PRAGMA synchronous = NORMAL")
        yield connection
    finally:
        connection.close()


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is at fault, and not its disk, its folder or another process."""
    if not isinstance(error, sqlite3.OperationalError):
        return True
    # No such table, or a page that ends early.
    return error.sqlite_errorcode in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_IOERR_SHORT_READ)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _made(connection: sqlite3.Connection) -> int:
    """Make the table where there is none; return the version of the file."""
    # Another process may be doing the same; the mode stays with the file.
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    version = _version(connection)
    if version == 0:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            connection.execute("ROLLBACK")
            raise _UnusableError("it is a database of something else")
        connection.execute(_TABLE)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        version = VERSION
    connection.execute("COMMIT")
    return version


def _sealed(key: str, body: str) -> str:
    return hashlib.sha256(f"{key}\0{body}".encode()).hexdigest()
