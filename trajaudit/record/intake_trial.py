"""Writes one trial of a foreign log into the draft of a run.

Apart from the numbering, which needs to know all trials before: `claim` says what a trial asks for,
`write` is told what it got. So trials can be written by several processes at once.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from trajaudit.datamodel._base import checked, typed, varied
from trajaudit.datamodel.event import End, Event, EventBase, ModelCall, Start, ToolCallEvent
from trajaudit.datamodel.imported import ImportedTask, Origin, Toolset
from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.record.bulk_journal import Written, write_journal
from trajaudit.record.importers.base import ForeignTrial, Totals
from trajaudit.record.journal import read_events
from trajaudit.record.redaction import Redactor
from trajaudit.record.rundir import folder_name
from trajaudit.record.stored import dumped, dumped_plain, storing, write_new
from trajaudit.record.trajectory import read_trajectory

VERSION_OF = "version_of"
"""In the metadata of a task: the id that a different task of the same import had already."""
_HASH_CHARS = 24
_start, _record, _with = checked(Start), typed(TrialRecord), varied(Origin)


@dataclass(frozen=True)
class Claim:
    """What a trial asks for: a place under its task's id."""

    task_id: str
    digest: str
    """Of the task: a different task gets an id of its own."""


@dataclass(frozen=True)
class Place:
    """What a trial got."""

    task_id: str
    trial: int
    is_new: bool
    """The task was not seen before."""
    version_of: str | None = None
    """The id that a different task had already."""


@dataclass(frozen=True, slots=True)
class WrittenTrial:
    """A trial that was written, with what has to be kept of it beside."""

    record: TrialRecord
    task: Task
    tools: tuple[ToolSpec, ...]
    task_line: bytes | None
    """The task, where it is new."""
    toolset_line: bytes | None
    """Its tools, where this writer met them first."""
    events: tuple[Event, ...] | None
    """What the journal says, where that is still at hand; None: read it."""
    folder: str

    def trajectory(self) -> Trajectory:
        """Return what the journal says."""
        if self.events is None:
            return read_trajectory(read_events(Path(self.folder, "events.jsonl")))
        return read_trajectory(self.events, numbered=False)


class TrialWriter:
    """Writes trials into a draft of a run."""

    def __init__(self, draft: Path, run_id: str, redactor: Redactor) -> None:
        self._trials = draft / "trials"
        self._run_id = run_id
        self._redactor = redactor
        self._toolsets: dict[tuple[int, ...], tuple[tuple[ToolSpec, ...], str]] = {}
        """Identities of tools → the tools, which keep them alive, and the hash of the set."""
        self._written: set[str] = set()

    def claim(self, foreign: ForeignTrial) -> Claim:
        """Return what a trial asks for."""
        task = foreign.task
        digest = hashlib.sha256(dumped(task)).hexdigest()[:_HASH_CHARS]
        return Claim(task.id, digest)

    def write(self, foreign: ForeignTrial, place: Place) -> WrittenTrial:
        """Write the journal and the record of a trial.

        Raises:
            StorageError: they cannot be written.
        """
        task = _as_read(_placed(foreign.task, place))
        home = f"{self._trials}/{folder_name(task.id)}"
        folder = f"{home}/{place.trial}"
        events = [self._start(foreign, task, place.trial), *foreign.events]
        with storing(folder):
            # No objects of paths: they would cost as much again.
            with suppress(FileExistsError):
                os.mkdir(home)  # noqa: PTH102
            os.mkdir(folder)  # noqa: PTH102
            written = write_journal(folder, events, self._redactor)
            toolset, toolset_line = self._toolset(foreign.tools)
            record = self._record(foreign, place, written, toolset)
            write_new(f"{folder}/trial.json", dumped_plain(record))
        return WrittenTrial(
            record=record,
            task=task,
            tools=foreign.tools,
            task_line=dumped(ImportedTask(task=task)) if place.is_new else None,
            toolset_line=toolset_line,
            events=cast("tuple[Event, ...]", tuple(events)) if written.is_plain else None,
            folder=folder,
        )

    def _start(self, foreign: ForeignTrial, task: Task, trial: int) -> Start:
        return _start(
            seq=0,
            t=0.0,
            prev="",
            escaped=False,
            kind="start",
            run_id=self._run_id,
            task_id=task.id,
            trial=trial,
            agent=foreign.origin.agent,
            model_id=foreign.origin.model_id,
            prompt=task.prompt,
            tools=tuple(tool.name for tool in foreign.tools),
            seed=0,
            time=foreign.started,
        )

    def _record(
        self, foreign: ForeignTrial, place: Place, written: Written, toolset: str | None
    ) -> TrialRecord:
        counted = _counted(foreign.events) | _summed(foreign.totals)
        make = _record if foreign.totals is None else TrialRecord
        return make(
            run_id=self._run_id,
            task_id=place.task_id,
            trial=place.trial,
            started=foreign.started,
            duration_s=float(foreign.duration_s),
            events=written.events,
            head=written.head,
            origin=_with(foreign.origin, toolset=toolset),
            **counted,
        )

    def _toolset(self, tools: tuple[ToolSpec, ...]) -> tuple[str | None, bytes | None]:
        if not tools:
            return None, None
        key = tuple(map(id, tools))
        known = self._toolsets.get(key)
        if known is not None:
            return known[1], None
        draft = Toolset(sha256="", tools=tools)
        digest = hashlib.sha256(dumped(draft)).hexdigest()[:_HASH_CHARS]
        if len(self._toolsets) < _MOST_TOOLSETS:
            self._toolsets[key] = tools, digest
        if digest in self._written:
            return digest, None
        self._written.add(digest)
        return digest, dumped(draft.model_copy(update={"sha256": digest}))


_MOST_TOOLSETS = 256


def _as_read(task: Task) -> Task:
    """Return the task as it will be read: arguments of references may hold what JSON cannot."""
    return task if task.accept is None else Task.model_validate_json(dumped(task))


def _placed(task: Task, place: Place) -> Task:
    """Return the task under the id that it got."""
    if place.task_id == task.id:
        return task
    update: dict[str, object] = {"id": place.task_id}
    if place.version_of is not None:
        update["metadata"] = {**task.metadata, VERSION_OF: place.version_of}
    return task.model_copy(update=update)


def _counted(events: list[EventBase]) -> dict[str, object]:
    calls: list[ModelCall] = []
    tool_calls = 0
    end: End | None = None
    for event in events:
        # Not `isinstance`: of a record it is slow where the answer is no.
        if type(event) is ModelCall:
            calls.append(event)
        elif type(event) is ToolCallEvent:
            tool_calls += 1
        elif type(event) is End:
            end = event
    used = [call.usage for call in calls if call.usage is not None]
    costs = [call.cost_usd for call in calls]
    return {
        "end_reason": end.reason if end else "infra_error",
        "end_detail": end.detail if end else "the log has no end",
        "model_calls": len(calls),
        "tool_calls": tool_calls,
        "prompt_tokens": sum([usage.prompt_tokens for usage in used]),
        "completion_tokens": sum([usage.completion_tokens for usage in used]),
        "cost_usd": sum(cost for cost in costs if cost is not None)
        if costs and None not in costs
        else None,
    }


def _summed(totals: Totals | None) -> dict[str, object]:
    return {} if totals is None else asdict(totals)
