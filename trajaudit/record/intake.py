"""Writes the trials of a foreign log as a run directory, which is there whole or not at all."""

import os
import shutil
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from trajaudit.datamodel.imported import ImportRecord
from trajaudit.datamodel.run import RunConfig
from trajaudit.errors import RunDirError
from trajaudit.record.apart import lay_apart
from trajaudit.record.intake_trial import Claim, Place, TrialWriter
from trajaudit.record.redaction import Redactor
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped, storing, write_atomic
from trajaudit.record.tasks import TASKS, TOOLSETS


class IntakeWriter:
    """Collects one import; `finish` gives it its place. Use `with`: else nothing is left.

    Raises:
        StorageError: it cannot be written.
    """

    def __init__(self, runs_dir: Path, run_id: str) -> None:
        self.run_id = run_id
        self._target = runs_dir / run_id
        self.draft = runs_dir / f".{run_id}.import-{os.getpid()}"
        """Where it grows."""
        self._ids: dict[str, dict[str, str]] = {}
        """Id in the log → hash of a task → id here."""
        self._trials: Counter[str] = Counter()
        self._known_toolsets: set[bytes] = set()
        with storing(self.draft):
            _remove_dead(runs_dir, run_id)
            runs_dir.mkdir(parents=True, exist_ok=True)
            lay_apart(runs_dir)
            (self.draft / "trials").mkdir(parents=True)
            self._tasks: BinaryIO = (self.draft / TASKS).open("wb")
            self._tools: BinaryIO = (self.draft / TOOLSETS).open("wb")
        self._writer = TrialWriter(self.draft, run_id, Redactor.of_environment())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tasks.close()
        self._tools.close()
        shutil.rmtree(self.draft, ignore_errors=True)

    @property
    def trials(self) -> int:
        """Trials written so far."""
        return self._trials.total()

    @property
    def task_ids(self) -> tuple[str, ...]:
        """Tasks written so far, in their order."""
        return tuple(self._trials)

    @property
    def trial_writer(self) -> TrialWriter:
        """What writes a trial that has its place."""
        return self._writer

    def number(self, claim: Claim) -> Place:
        """Give a trial its place: the next one of its task, under an id that no other task has."""
        known = self._ids.setdefault(claim.task_id, {})
        found = known.get(claim.digest)
        version_of = None
        if found is None:
            found, version = claim.task_id, len(known) + 1
            while found in self._trials:
                version_of, version = claim.task_id, max(version, 2)
                found = f"{claim.task_id[:90]}.v{version}"
                version += 1
            known[claim.digest] = found
        self._trials[found] += 1
        trial = self._trials[found]
        return Place(found, trial, is_new=trial == 1, version_of=version_of)

    def keep(self, task_line: bytes | None, toolset_line: bytes | None) -> None:
        """Keep what was said of a trial's task and tools; call it in the order of the trials."""
        if task_line is not None:
            self._tasks.write(task_line + b"\n")
        if toolset_line is not None and toolset_line not in self._known_toolsets:
            self._known_toolsets.add(toolset_line)
            self._tools.write(toolset_line + b"\n")

    def finish(self, config: RunConfig, report: ImportRecord) -> RunDir:
        """Write what is known of the whole, and put the run in its place.

        Raises:
            RunDirError: there is a run of this id already.
        """
        self._tasks.close()
        self._tools.close()
        write_atomic(self.draft / "import.json", [dumped(report)], named=False)
        write_atomic(self.draft / "run.json", [dumped(config)])
        with storing(self._target):
            if self._target.exists():
                raise RunDirError(f"{self._target}: there is a run of this id already")
            self.draft.rename(self._target)
        return RunDir(self._target)


def _remove_dead(runs_dir: Path, run_id: str) -> None:
    """Remove what an import of the same run left when it was killed."""
    for left in runs_dir.glob(f".{run_id}.import-*"):
        pid = left.name.rsplit("-", 1)[1]
        if not pid.isdecimal() or int(pid) == os.getpid() or not Path("/proc", pid).exists():
            shutil.rmtree(left, ignore_errors=True)
