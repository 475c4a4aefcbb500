"""Does a task tell right from wrong? The golden trajectory passes, and doing nothing fails."""

from collections.abc import Mapping
from dataclasses import dataclass

from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.accepted_paths import accept_of
from trajaudit.score.driver import TrialScores


@dataclass(frozen=True)
class TaskScores:
    """The scores of the two trajectories whose outcome is known; None where there is none."""

    golden: TrialScores | None
    null: TrialScores | None


def null_trajectory(scenario: Scenario, task: Task) -> Trajectory:
    """Return the trajectory that does and says nothing; the world stays as it was."""
    world = task.world if task.world is not None else scenario.world
    return Trajectory(
        task_id=task.id, agent="null", final_reply="", world_start=world, world_end=world
    )


def with_golden_world(scenario: Scenario, golden: Mapping[str, Trajectory]) -> Scenario:
    """Return the scenario with the end states of the golden trajectories (task id → trajectory).

    Only tasks that accept the golden end state take it; done once, when a run is frozen.
    """
    tasks = []
    for task in scenario.tasks:
        accept = accept_of(scenario, task)
        run = golden.get(task.id)
        if accept is not None and accept.golden_state and run is not None:
            known = accept.model_copy(update={"golden_world": run.world_end})
            tasks.append(task.model_copy(update={"accept": known}))
        else:
            tasks.append(task)
    return scenario.model_copy(update={"tasks": tuple(tasks)})


def check_scores(scores: Mapping[str, TaskScores]) -> list[str]:
    """Return what is wrong with the tasks (task id → scores), one line a fault.

    A golden trajectory passes strictly and leniently; a null trajectory passes in neither mode.
    """
    faults: list[str] = []
    for task_id, both in scores.items():
        if both.golden is not None:
            faults += _golden(task_id, both.golden)
        if both.null is not None:
            faults += _null(task_id, both.null.outcome)
    return faults


def _golden(task_id: str, scores: TrialScores) -> list[str]:
    outcome = scores.outcome
    if outcome.strict and outcome.lenient:
        return []
    said = f"strict {outcome.strict}, lenient {outcome.lenient}, {outcome.status.value}"
    reasons = [v.reason for v in scores.verdicts if v.passed is not True and v.mode == "strict"]
    why = "; ".join([*reasons, *(failure.error for failure in scores.failures)][:3])
    why = why or outcome.status_detail
    return [f"task {task_id!r}: the golden trajectory does not pass; got {said}: {why}"]


def _null(task_id: str, outcome: Outcome) -> list[str]:
    passed = [mode for mode in ("strict", "lenient") if getattr(outcome, mode)]
    if not passed:
        return []
    modes = " and ".join(passed)
    return [f"task {task_id!r}: doing nothing passes ({modes}); it has to demand something"]
