"""What lies in a run directory of the people who looked at it: `reviews.jsonl`, only appended to.

Each line goes to the file in one piece and to the disk before the page says that it is saved.
Several processes may append at once; a process that dies loses at most the line it was writing.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from trajaudit.datamodel.review import (
    Adjudication,
    FlagReview,
    LedgerRecord,
    Review,
    Revision,
    Withdrawal,
)
from trajaudit.errors import RunDirError
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped, numbered_lines, parse_record, storing, sync_folder

REVIEWS = "reviews.jsonl"
_KINDS: dict[str, type[LedgerRecord]] = {
    "review": Review,
    "withdrawal": Withdrawal,
    "adjudication": Adjudication,
    "revision": Revision,
    "flag": FlagReview,
}
_BLOCK = 1 << 16


class ReviewLedger:
    """Appends to the reviews of one run; safe for threads and for processes."""

    def __init__(self, run: RunDir) -> None:
        self.path = run.path / REVIEWS

    def append(self, *records: LedgerRecord) -> None:
        """Write records down, all or none of them, brought to the disk.

        Raises:
            StorageError: they cannot be written; the file ends as before.
        """
        lines = b"".join(dumped(one) + b"\n" for one in records)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        with storing(self.path):
            is_new = not self.path.exists()
            fd = os.open(self.path, flags, 0o644)
            try:
                # Held until the file is closed, by whatever ends this process.
                fcntl.flock(fd, fcntl.LOCK_EX)
                _append(fd, lines)
            finally:
                os.close(fd)
            if is_new:
                sync_folder(self.path.parent)


def read_reviews(run: RunDir) -> Iterator[LedgerRecord]:
    """Yield what people said, in the order in which it was written down; nothing where nobody did.

    A last line without its end is still being written, or was left by a process that died: it is
    no record.

    Raises:
        RunDirError: a line is damaged, or of a newer version; `path:line:`.
    """
    path = run.path / REVIEWS
    for number, line in numbered_lines(path):
        if line.endswith(b"\n"):
            yield _record(line.rstrip(b"\n"), path, number)


def standing(records: Iterable[LedgerRecord]) -> list[Review]:
    """Return the reviews that their authors did not take back, in the order given; each once."""
    kept: dict[str, Review] = {}
    gone: set[tuple[str, str]] = set()
    for one in records:
        if isinstance(one, Review):
            kept.setdefault(one.review_id, one)
        elif isinstance(one, Withdrawal):
            gone.add((one.review_id, one.reviewer))
    return [one for one in kept.values() if (one.review_id, one.reviewer) not in gone]


def _append(fd: int, lines: bytes) -> None:
    """Write at the end of a locked file, whose last line a dying process may have left cut."""
    size = _whole(fd)
    os.ftruncate(fd, size)
    try:
        rest = memoryview(lines)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)
    except OSError:
        os.ftruncate(fd, size)
        raise


def _whole(fd: int) -> int:
    """Return where the last whole line ends."""
    end = os.fstat(fd).st_size
    while end:
        start = max(0, end - _BLOCK)
        found = os.pread(fd, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _record(line: bytes, path: Path, number: int) -> LedgerRecord:
    try:
        fields = orjson.loads(line)
        kind = fields["record"] if isinstance(fields, dict) else None
    except (orjson.JSONDecodeError, KeyError):
        kind = None
    model = _KINDS.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise RunDirError(
            f"{path}:{number}: damaged; got record {str(kind)[:40]!r}; "
            f"one of {', '.join(_KINDS)} is wanted"
        )
    return parse_record(line, model, path, number)
