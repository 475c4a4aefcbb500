"""What lies in a run directory, and how is it written so that a crash leaves it readable?"""

import fcntl
import hashlib
import os
import random
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Self
from urllib.parse import quote

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.run import Outcome, RunConfig, ScorerFailure, TrialRecord
from trajaudit.datamodel.verdict import Verdict
from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.stored import (
    dumped,
    read_record,
    read_records,
    storing,
    sync_folder,
    write_atomic,
)
from trajaudit.record.tasks import TaskBook

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,120}")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_NAME_LENGTH = 120


def new_run_id(now: datetime, rng: random.Random, runs_dir: Path | None = None) -> str:
    """Return an id like `20261129-101500-7f3a` that no run in `runs_dir` has."""
    while True:
        run_id = f"{now:%Y%m%d-%H%M%S}-{rng.getrandbits(16):04x}"
        if runs_dir is None or not (runs_dir / run_id).exists():
            return run_id


def folder_name(name: str) -> str:
    """Return a name from a log as one path segment; different names give different segments."""
    # Percent-encoding leaves dots alone, and a segment of dots would leave the folder.
    safe = quote(name.encode("utf-8", "surrogatepass"), safe="")
    if not safe.strip("."):
        safe = safe.replace(".", "%2E") or "%"
    if len(safe) > _NAME_LENGTH:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        safe = f"{safe[:60]}%~{digest}"
    return safe


class RunDir:
    """One run directory; names that come from logs never lead out of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run_id = path.name

    @classmethod
    def create(cls, runs_dir: Path, config: RunConfig) -> Self:
        """Make the directory with its `run.json`, all at once.

        Raises:
            RunDirError: the id is no plain name, or there is such a run already.
            StorageError: it cannot be written.
        """
        if not _RUN_ID.fullmatch(config.run_id):
            raise RunDirError(
                f"a run id is not usable; got {config.run_id!r}; use letters, digits, - and _"
            )
        path = runs_dir / config.run_id
        if path.exists():
            raise RunDirError(f"{path}: there is a run of this id already; choose another")
        with storing(path):
            runs_dir.mkdir(parents=True, exist_ok=True)
            draft = Path(tempfile.mkdtemp(dir=runs_dir, prefix=f".{config.run_id}."))
            try:
                draft.chmod(0o755)
                (draft / "trials").mkdir()
                write_atomic(draft / "run.json", [dumped(config)])
                draft.rename(path)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
        return cls(path)

    @cached_property
    def config(self) -> RunConfig:
        """The frozen configuration; RunDirError when it is damaged or newer than this version."""
        return read_record(self.path / "run.json", RunConfig)

    @cached_property
    def tasks(self) -> TaskBook:
        """The tasks of the run, wherever they lie."""
        return TaskBook(self.path, self.config)

    # Trials

    def trial_dir(self, task_id: str, trial: int) -> Path:
        """Return where a trial lies (it need not exist)."""
        return self.path / "trials" / folder_name(task_id) / str(int(trial))

    def journal_path(self, task_id: str, trial: int) -> Path:
        """Return where a trial's journal lies."""
        return self.trial_dir(task_id, trial) / "events.jsonl"

    def write_trial(self, record: TrialRecord) -> None:
        """Write `trial.json`: from now on the trial is whole.

        Raises:
            StorageError: it cannot be written.
        """
        folder = self.trial_dir(record.task_id, record.trial)
        with storing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / "trial.json", [dumped(record)])

    def read_trial(self, task_id: str, trial: int) -> TrialRecord | None:
        """Return a whole trial, or None; RunDirError when its record is damaged."""
        path = self.trial_dir(task_id, trial) / "trial.json"
        if not path.exists():
            return None
        record = read_record(path, TrialRecord)
        if (record.task_id, record.trial) != (task_id, trial):
            raise RunDirError(
                f"{path}:1: belongs to another trial; got {record.task_id!r}/{record.trial}; "
                f"{task_id!r}/{trial} is wanted"
            )
        return record

    def read_trials(self) -> Iterator[TrialRecord]:
        """Yield the whole trials of the run, in the order of its tasks."""
        for task_id, trial in self.trial_keys():
            record = self.read_trial(task_id, trial)
            if record is not None:
                yield record

    def trial_keys(self) -> Iterator[tuple[str, int]]:
        """Yield task id and number of all trials, whole or not, in the order of the tasks."""
        for task_id in self.config.task_ids:
            names = _names(self.path / "trials" / folder_name(task_id))
            numbers = (int(name) for name in names if _NUMBER.fullmatch(name))
            yield from ((task_id, number) for number in sorted(numbers))

    def missing(
        self, task_ids: Sequence[str] | None = None, trials: int | None = None
    ) -> list[tuple[str, int]]:
        """Return the (task id, trial) pairs that are not whole; by default those of the config."""
        ids = self.config.task_ids if task_ids is None else task_ids
        count = self.config.trials if trials is None else trials
        wanted = [(task_id, trial) for trial in range(1, count + 1) for task_id in ids]
        return [pair for pair in wanted if self.read_trial(*pair) is None]

    def abandon(self, task_id: str, trial: int) -> Path | None:
        """Move an unfinished trial aside, kept for inspection; return where it is now.

        Raises:
            RunDirError: the trial is whole; whole trials are never moved.
        """
        folder = self.trial_dir(task_id, trial)
        if not folder.exists():
            return None
        if (folder / "trial.json").exists():
            raise RunDirError(f"{folder}: the trial is whole; only an unfinished one is abandoned")
        target = folder.with_name(f"{trial}.abandoned-{self.abandoned(task_id, trial) + 1}")
        with storing(folder):
            folder.rename(target)
        return target

    def abandoned(self, task_id: str, trial: int) -> int:
        """Return how often a trial was abandoned; its next attempt is this plus one."""
        folder = self.trial_dir(task_id, trial)
        names = _names(folder.parent)
        found = [re.fullmatch(rf"{int(trial)}\.abandoned-([0-9]{{1,9}})", name) for name in names]
        return max((int(match[1]) for match in found if match), default=0)

    # What is derived from the trials

    def read_verdicts(self) -> Iterator[Verdict]:
        return read_records(self.path / "verdicts.jsonl", Verdict)

    def read_findings(self) -> Iterator[Finding]:
        return read_records(self.path / "findings.jsonl", Finding)

    def read_outcomes(self) -> Iterator[Outcome]:
        return read_records(self.path / "outcomes.jsonl", Outcome)

    def write_failures(self, failures: Iterable[ScorerFailure], *, named: bool = True) -> None:
        """Replace `failures.jsonl` (scorers that raised), with history like the verdicts."""
        lines = (dumped(failure) + b"\n" for failure in failures)
        self.write_lines("failures", lines, named=named)

    def read_failures(self) -> Iterator[ScorerFailure]:
        return read_records(self.path / "failures.jsonl", ScorerFailure)

    def write_records(self, name: str, records: Iterable[Record]) -> None:
        """Replace `<name>.jsonl` as a whole; a different earlier one becomes `<name>.<k>.jsonl`.

        Raises:
            StorageError: it cannot be written; the file is as before, or the new one where only its
                name could not be brought to the disk.
        """
        self.write_lines(name, (dumped(record) + b"\n" for record in records))

    def write_lines(self, name: str, chunks: Iterable[bytes], *, named: bool = True) -> None:
        """As `write_records`, of records that are written out already; each line is whole.

        `named`: as in `write_atomic`.
        """
        path = self.path / f"{name}.jsonl"
        draft = self.path / f".{name}.jsonl.new"
        write_atomic(draft, chunks, named=False)
        with storing(path):
            if path.exists() and _digest(path) == _digest(draft):
                draft.unlink()
            else:
                if path.exists():
                    # A second name, not a move: the file is there at every moment.
                    os.link(path, self._history(name))
                draft.replace(path)
            if named:
                sync_folder(self.path)

    def history(self, name: str) -> list[Path]:
        """Return the earlier versions of `<name>.jsonl`, oldest first."""
        found = [
            (int(match[1]), path)
            for path in self.path.glob(f"{name}.*.jsonl")
            if (match := re.fullmatch(rf"{re.escape(name)}\.([0-9]{{1,9}})\.jsonl", path.name))
        ]
        return [path for _, path in sorted(found)]

    def _history(self, name: str) -> Path:
        earlier = self.history(name)
        number = int(earlier[-1].name.split(".")[-2]) + 1 if earlier else 1
        return self.path / f"{name}.{number}.jsonl"

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the run for this process; the system lets go of it when the process dies.

        Raises:
            RunDirError: another process holds it; the text names its pid.
            StorageError: the lock file cannot be made.
        """
        path = self.path / "lock"
        with storing(path):
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            _take(fd, path)
            yield
        finally:
            os.close(fd)


def _take(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(fd, 20, 0).decode("ascii", "replace").strip() or "unknown"
        raise RunDirError(
            f"{path.parent}: the run is in use; got a lock of process {holder}; wait or end it"
        ) from None
    except OSError as error:
        raise StorageError(f"{path}: cannot be locked; {error.strerror}") from error
    with storing(path):
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()] if folder.is_dir() else []


def _digest(path: Path) -> bytes:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
