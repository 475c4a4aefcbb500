"""What an item shows, read from the files of the runs that hold it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from trajaudit.datamodel.judging import Rubric
from trajaudit.datamodel.pairwise import PairRubric
from trajaudit.datamodel.review import Place
from trajaudit.errors import RunDirError, TrajauditError
from trajaudit.record.journal import read_events
from trajaudit.record.judges import find_file, load_record
from trajaudit.record.rundir import RunDir
from trajaudit.record.trajectory import read_trajectory
from trajaudit.review.blind import BlindTrial, blind_trial, pair_id
from trajaudit.review.desk_records import RubricShown

Shown = BlindTrial | tuple[BlindTrial, BlindTrial]
"""A trial, or the first and the second of a pair."""
DEFAULT_RUBRIC = "task_success"
"""The question where no panel was asked one."""


class Contents(Protocol):
    """Where the desk gets from what it shows."""

    def show(self, item_id: str, places: Sequence[Place], *, is_pair: bool) -> Shown | None:
        """Return what an item shows; None where no place shows it any more."""
        ...

    def rubric(self, name: str, *, is_pair: bool) -> RubricShown:
        """Return the question of a rubric."""
        ...


class RunContents:
    """Reads from a folder of runs; `start` is where rubrics are looked up from."""

    def __init__(self, runs: Path, start: Path) -> None:
        self._runs = runs
        self._start = start
        self._open: dict[str, RunDir] = {}
        self._rubrics: dict[tuple[str, bool], RubricShown] = {}

    def run(self, run_id: str) -> RunDir:
        """Return a run of the folder; its configuration is read once."""
        return self._open.setdefault(run_id, RunDir(self._runs / run_id))

    def show(self, item_id: str, places: Sequence[Place], *, is_pair: bool) -> Shown | None:
        """Return what an item shows, from the first of its places that still shows it."""
        width = 2 if is_pair else 1
        for at in range(0, len(places) - width + 1, width):
            found = self._shown(places[at : at + width])
            if found is not None and id_of(found) == item_id:
                return found
        return None

    def rubric(self, name: str, *, is_pair: bool) -> RubricShown:
        """Return the question of a rubric.

        Raises:
            ScenarioError: there is none of that name, or it is wrong.
        """
        known = self._rubrics.get((name, is_pair))
        if known is None:
            known = self._rubrics[name, is_pair] = self._load(name, is_pair=is_pair)
        return known

    def _load(self, name: str, *, is_pair: bool) -> RubricShown:
        path = find_file("rubrics", name, self._start)
        model: type[Rubric | PairRubric] = PairRubric if is_pair else Rubric
        rubric, _ = load_record(path, model)
        return RubricShown(
            name=rubric.name,
            version=rubric.version,
            description=rubric.description,
            criteria=tuple(one.text for one in rubric.criteria),
        )

    def _shown(self, places: Sequence[Place]) -> Shown | None:
        try:
            shown = [blind_of(self.run(one.run_id), one.task_id, one.trial) for one in places]
        except TrajauditError:
            # The run is gone or damaged; another one may hold the same content.
            return None
        return shown[0] if len(shown) == 1 else (shown[0], shown[1])


def blind_of(run: RunDir, task_id: str, trial: int) -> BlindTrial:
    """Return what is shown of a trial.

    Raises:
        RunDirError: the trial is not whole, or its files are damaged.
    """
    record = run.read_trial(task_id, trial)
    if record is None:
        raise RunDirError(f"{run.trial_dir(task_id, trial)}: the trial is not whole; run it first")
    trajectory = read_trajectory(read_events(run.journal_path(task_id, trial)))
    scenario = run.tasks.scenario(record)
    return blind_trial(run, record, run.tasks.task(task_id), scenario, trajectory)


def id_of(shown: Shown) -> str:
    """Return the id of what is shown."""
    return pair_id(*shown) if isinstance(shown, tuple) else shown.item_id


def steps_of(shown: Shown) -> int:
    """Return the number of the last step, of a pair the larger."""
    both = shown if isinstance(shown, tuple) else (shown,)
    return max((step.number for one in both for step in one.trajectory.steps), default=0)


def title_of(shown: Shown) -> str:
    """Return the beginning of the task, on one line."""
    first = shown[0] if isinstance(shown, tuple) else shown
    return " ".join(first.task.prompt[:400].split())[:80]
