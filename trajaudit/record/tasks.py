"""The tasks of a run: in its scenario, or, of an imported run, in a file of their own."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from trajaudit.datamodel.imported import ImportedTask, Toolset
from trajaudit.datamodel.run import RunConfig, TrialRecord
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.errors import RunDirError
from trajaudit.record.stored import parse_record, read_records

TASKS = "tasks.jsonl"
TOOLSETS = "toolsets.jsonl"
_KEPT = 64


class TaskBook:
    """Finds the task of a trial, and the scenario with the tools that this trial was offered.

    Of an imported run only the places of the tasks are kept in memory.
    """

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self._folder = folder
        self._scenario = config.scenario
        self._known = {task.id: task for task in config.scenario.tasks}
        self._places: dict[str, tuple[int, int]] = {}
        self._scenario_with = lru_cache(_KEPT)(self._with_toolset)
        if (folder / TASKS).exists():
            self._places = _places(folder / TASKS)

    def task(self, task_id: str) -> Task:
        """Return a task.

        Raises:
            RunDirError: the run has no task of that id.
        """
        if task_id in self._known:
            return self._known[task_id]
        place = self._places.get(task_id)
        if place is None:
            raise RunDirError(f"{self._folder}: no task {task_id!r} in this run")
        with (self._folder / TASKS).open("rb") as stream:
            stream.seek(place[0])
            line = stream.read(place[1]).rstrip(b"\n")
        return parse_record(line, ImportedTask, self._folder / TASKS).task

    def find(self, task_id: str) -> Task | None:
        """Return a task, or None where the run does not have it."""
        known = task_id in self._known or task_id in self._places
        return self.task(task_id) if known else None

    def tasks(self) -> Iterator[Task]:
        """Yield all of them, in the order of the run."""
        yield from self._known.values()
        for task_id in self._places:
            yield self.task(task_id)

    def scenario(self, record: TrialRecord) -> Scenario:
        """Return the scenario of a trial: the run's, with the tools of an imported trial."""
        toolset = record.origin.toolset if record.origin else None
        return self._scenario if toolset is None else self._scenario_with(toolset)

    def _with_toolset(self, sha256: str) -> Scenario:
        for one in read_records(self._folder / TOOLSETS, Toolset):
            if one.sha256 == sha256:
                return self._scenario.model_copy(update={"tools": one.tools})
        raise RunDirError(
            f"{self._folder / TOOLSETS}:1: no tools {sha256[:80]!r}; file was changed"
        )


def _places(path: Path) -> dict[str, tuple[int, int]]:
    places: dict[str, tuple[int, int]] = {}
    offset = 0
    for record, length in _with_lengths(path):
        places[record.task.id] = (offset, length)
        offset += length
    return places


def _with_lengths(path: Path) -> Iterator[tuple[ImportedTask, int]]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            yield parse_record(line.rstrip(b"\n"), ImportedTask, path, number), len(line)
