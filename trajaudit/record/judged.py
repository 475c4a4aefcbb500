"""What lies in a run directory of its judges: votes as they came, and what a panel made of them."""

import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeVar

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.judged import Commitment, QueueEntry, Sitting
from trajaudit.datamodel.judging import PanelDecision, ReplyStatus, Vote
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped, numbered_lines, parse_record, read_records, storing

VOTES = "votes"
DECISIONS = "decisions"
COMMITMENTS = "commitments"
SITTINGS = "sittings"
QUEUE = "queue"
R = TypeVar("R", bound=Record)


class VoteLedger:
    """Appends votes to `votes.jsonl` as they come, and finds those that were cast. Thread-safe.

    A process that dies loses at most the vote that it was writing; the next one goes on from what
    is there.
    """

    def __init__(self, run: RunDir) -> None:
        self._path = run.path / f"{VOTES}.jsonl"
        self._lock = threading.Lock()
        self._stream: IO[bytes] | None = None
        self._cast: dict[tuple[str, int, str], Vote] = {}
        self._places: dict[Vote, int] = {}
        for vote in read_votes(run):
            self._keep(vote)
        self.asked = 0
        """Votes for which a judge had to be asked, and answered."""

    def __enter__(self) -> Self:
        with storing(self._path):
            _mend(self._path)
            self._stream = self._path.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()

    def find(self, task_id: str, trial: int, request_sha256: str) -> Vote | None:
        """Return the vote that was cast on the same question; a failed provider cast none."""
        with self._lock:
            return self._cast.get((task_id, trial, request_sha256))

    def add(self, vote: Vote) -> None:
        """Write a vote down, brought to the disk.

        Raises:
            StorageError: it cannot be written.
        """
        with self._lock, storing(self._path):
            self._keep(vote)
            self.asked += not vote.cached and vote.status is not ReplyStatus.PROVIDER_FAILED
            if self._stream is not None:
                self._stream.write(dumped(vote) + b"\n")
                self._stream.flush()
                os.fsync(self._stream.fileno())

    def in_order(self, votes: Iterable[Vote]) -> list[Vote]:
        """Return votes in the order in which they were written down."""
        last = len(self._places)
        return sorted(votes, key=lambda vote: self._places.get(vote, last))

    def _keep(self, vote: Vote) -> None:
        self._places.setdefault(vote, len(self._places))
        if vote.request_sha256 and vote.status is not ReplyStatus.PROVIDER_FAILED:
            self._cast[vote.task_id, vote.trial, vote.request_sha256] = vote


def _mend(path: Path) -> None:
    """Cut off a line that a dying process left unfinished."""
    if not path.exists():
        return
    with path.open("r+b") as stream:
        content = stream.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            stream.truncate(whole)


def write_judged(
    run: RunDir,
    votes: Iterable[Vote],
    decisions: Iterable[PanelDecision],
    commitments: Iterable[Commitment] = (),
    sittings: Iterable[Sitting] = (),
) -> None:
    """Replace what is said of judging, with history like the verdicts.

    Raises:
        StorageError: one cannot be written; it is as before.
    """
    run.write_records(VOTES, votes)
    run.write_records(COMMITMENTS, commitments)
    run.write_records(SITTINGS, sittings)
    run.write_records(DECISIONS, decisions)


def read_votes(run: RunDir) -> Iterator[Vote]:
    """Yield the votes; none where no judge was asked.

    A last line without its end is still being written, or was left by a process that died: it is
    no vote.

    Raises:
        RunDirError: a line is damaged.
    """
    path = run.path / f"{VOTES}.jsonl"
    for number, line in numbered_lines(path):
        if line.endswith(b"\n"):
            yield parse_record(line.rstrip(b"\n"), Vote, path, number)


def read_decisions(run: RunDir) -> Iterator[PanelDecision]:
    """Yield the decisions; RunDirError when a line is damaged."""
    return _read(run, DECISIONS, PanelDecision)


def read_commitments(run: RunDir) -> Iterator[Commitment]:
    """Yield what judges noted down beforehand; errors as for the decisions."""
    return _read(run, COMMITMENTS, Commitment)


def read_sittings(run: RunDir) -> Iterator[Sitting]:
    """Yield what judging took, one record a rubric; errors as for the decisions."""
    return _read(run, SITTINGS, Sitting)


def read_queue(run: RunDir) -> Iterator[QueueEntry]:
    """Yield the trials that people have to look at; errors as for the decisions."""
    return _read(run, QUEUE, QueueEntry)


def _read(run: RunDir, name: str, model: type[R]) -> Iterator[R]:
    return read_records(run.path / f"{name}.jsonl", model)
