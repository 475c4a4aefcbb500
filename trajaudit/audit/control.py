"""The control of a run: the same trials with the same seeds, but without the injected faults.

It is a run directory of its own inside the one it belongs to: every file of it means what it
always means, and no trial of it is counted among those of the run.
"""

from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.record.rundir import RunDir
from trajaudit.score.recovery import faults_of


def has_control(scenario: Scenario, task: Task) -> bool:
    """Return whether a task is to be run without its faults as well."""
    wanted = scenario.control if task.control is None else task.control
    return wanted and bool(faults_of(scenario, task))


def control_name(run_id: str, scenario: Scenario) -> str | None:
    """Return the id of a run's control; None where no task is to have one."""
    wanted = any(has_control(scenario, task) for task in scenario.tasks)
    return f"{run_id}-control" if wanted else None


def control_config(config: RunConfig) -> RunConfig:
    """Return the configuration of a run's control: the tasks with faults, without them."""
    scenario = config.scenario
    tasks = tuple(task for task in scenario.tasks if has_control(scenario, task))
    bare = without_faults(scenario.model_copy(update={"tasks": tasks, "control": False}))
    return config.model_copy(
        update={
            "run_id": config.control,
            "scenario": bare,
            "task_ids": tuple(task.id for task in tasks),
            "control": None,
        }
    )


def control_of(run: RunDir) -> RunDir | None:
    """Return the control of a run; None where it has none, or it was not begun."""
    name = run.config.control
    if name is None or not (run.path / name / "run.json").is_file():
        return None
    return RunDir(run.path / name)


def open_control(run: RunDir) -> RunDir | None:
    """Return the control of a run, begun where it was not; None where it is to have none."""
    if run.config.control is None:
        return None
    return control_of(run) or RunDir.create(run.path, control_config(run.config))


def without_faults(scenario: Scenario) -> Scenario:
    """Return the scenario without any fault."""
    tasks = tuple(task.model_copy(update={"faults": None}) for task in scenario.tasks)
    return scenario.model_copy(update={"faults": (), "tasks": tasks})
