"""Writes the trials of a foreign log as a run directory, which is there whole or not at all."""

import hashlib
import os
import shutil
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from trajaudit.datamodel.event import End, EventBase, ModelCall, Start, ToolCallEvent
from trajaudit.datamodel.imported import ImportedTask, ImportRecord, Toolset
from trajaudit.datamodel.run import RunConfig, TrialRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import RunDirError
from trajaudit.record.bulk_journal import write_journal
from trajaudit.record.importers.base import ForeignTrial, Totals
from trajaudit.record.redaction import Redactor
from trajaudit.record.rundir import RunDir, folder_name
from trajaudit.record.stored import dumped, storing, write_atomic
from trajaudit.record.tasks import TASKS, TOOLSETS

VERSION_OF = "version_of"
"""In the metadata of a task: the id that a different task of the same import had already."""
_HASH_CHARS = 24


class IntakeWriter:
    """Collects one import; `finish` gives it its place. Use `with`: else nothing is left.

    Raises:
        StorageError: it cannot be written.
    """

    def __init__(self, runs_dir: Path, run_id: str) -> None:
        self.run_id = run_id
        self._target = runs_dir / run_id
        self._draft = runs_dir / f".{run_id}.import-{os.getpid()}"
        self._redactor = Redactor.of_environment()
        self._ids: dict[str, dict[str, str]] = {}
        """Id in the log → hash of a task → id here."""
        self._trials: Counter[str] = Counter()
        self._known_toolsets: set[str] = set()
        with storing(self._draft):
            _remove_dead(runs_dir, run_id)
            (self._draft / "trials").mkdir(parents=True)
            self._tasks: BinaryIO = (self._draft / TASKS).open("wb")
            self._tools: BinaryIO = (self._draft / TOOLSETS).open("wb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tasks.close()
        self._tools.close()
        shutil.rmtree(self._draft, ignore_errors=True)

    @property
    def trials(self) -> int:
        """Trials written so far."""
        return self._trials.total()

    @property
    def task_ids(self) -> tuple[str, ...]:
        """Tasks written so far, in their order."""
        return tuple(self._trials)

    def add(self, foreign: ForeignTrial) -> TrialRecord:
        """Write one trial: its task where it is new, its journal and its record."""
        task = self._task(foreign.task)
        self._trials[task.id] += 1
        trial = self._trials[task.id]
        folder = self._draft / "trials" / folder_name(task.id) / str(trial)
        start = Start(
            run_id=self.run_id,
            task_id=task.id,
            trial=trial,
            agent=foreign.origin.agent,
            model_id=foreign.origin.model_id,
            prompt=task.prompt,
            tools=tuple(tool.name for tool in foreign.tools),
            time=foreign.started,
        )
        with storing(folder):
            folder.mkdir(parents=True)
            written = write_journal(folder, [start, *foreign.events], self._redactor)
            toolset = self._toolset(foreign.tools)
            record = TrialRecord(
                run_id=self.run_id,
                task_id=task.id,
                trial=trial,
                started=foreign.started,
                duration_s=foreign.duration_s,
                events=written.events,
                head=written.head,
                origin=foreign.origin.model_copy(update={"toolset": toolset}),
                **_counted(foreign.events) | _summed(foreign.totals),
            )
            (folder / "trial.json").write_bytes(dumped(record))
        return record

    def finish(self, config: RunConfig, report: ImportRecord) -> RunDir:
        """Write what is known of the whole, and put the run in its place.

        Raises:
            RunDirError: there is a run of this id already.
        """
        self._tasks.close()
        self._tools.close()
        write_atomic(self._draft / "import.json", [dumped(report)])
        write_atomic(self._draft / "run.json", [dumped(config)])
        with storing(self._target):
            if self._target.exists():
                raise RunDirError(f"{self._target}: there is a run of this id already")
            self._draft.rename(self._target)
        return RunDir(self._target)

    def _task(self, task: Task) -> Task:
        """Return the task under an id that no different task has."""
        digest = hashlib.sha256(dumped(task)).hexdigest()[:_HASH_CHARS]
        known = self._ids.setdefault(task.id, {})
        if digest in known:
            return task.model_copy(update={"id": known[digest]})
        new = task
        if known:
            metadata = {**task.metadata, VERSION_OF: task.id}
            new_id = f"{task.id[:90]}.v{len(known) + 1}"
            new = task.model_copy(update={"id": new_id, "metadata": metadata})
        known[digest] = new.id
        self._tasks.write(dumped(ImportedTask(task=new)) + b"\n")
        return new

    def _toolset(self, tools: tuple[ToolSpec, ...]) -> str | None:
        if not tools:
            return None
        draft = Toolset(sha256="", tools=tools)
        digest = hashlib.sha256(dumped(draft)).hexdigest()[:_HASH_CHARS]
        if digest not in self._known_toolsets:
            self._known_toolsets.add(digest)
            self._tools.write(dumped(draft.model_copy(update={"sha256": digest})) + b"\n")
        return digest


def _counted(events: list[EventBase]) -> dict[str, object]:
    calls = [event for event in events if isinstance(event, ModelCall)]
    costs = [call.cost_usd for call in calls]
    ends = [event for event in events if isinstance(event, End)]
    return {
        "end_reason": ends[-1].reason if ends else "infra_error",
        "end_detail": ends[-1].detail if ends else "the log has no end",
        "model_calls": len(calls),
        "tool_calls": sum(isinstance(event, ToolCallEvent) for event in events),
        "prompt_tokens": sum(call.usage.prompt_tokens for call in calls if call.usage),
        "completion_tokens": sum(call.usage.completion_tokens for call in calls if call.usage),
        "cost_usd": sum(cost for cost in costs if cost is not None)
        if costs and None not in costs
        else None,
    }


def _summed(totals: Totals | None) -> dict[str, object]:
    return {} if totals is None else asdict(totals)


def _remove_dead(runs_dir: Path, run_id: str) -> None:
    """Remove what an import of the same run left when it was killed."""
    for left in runs_dir.glob(f".{run_id}.import-*"):
        pid = left.name.rsplit("-", 1)[1]
        if not pid.isdecimal() or int(pid) == os.getpid() or not Path("/proc", pid).exists():
            shutil.rmtree(left, ignore_errors=True)
