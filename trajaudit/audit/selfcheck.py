"""The self-check of a scenario: golden must pass, null must fail, for every task."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from trajaudit.audit.options import RunOptions, Show, apply_options
from trajaudit.audit.run import run_scenario
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Scenario
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import LoadedScenario


def selfcheck(loaded: LoadedScenario, say: Callable[[str], None]) -> list[tuple[str, str]]:
    """Return (task id, fault) for every task whose golden fails or whose null passes."""
    without = [task.id for task in loaded.scenario.tasks if task.golden is None]
    faults = [(task_id, "has no golden trajectory") for task_id in without]
    golden = [task.id for task in loaded.scenario.tasks if task.golden is not None]
    with tempfile.TemporaryDirectory(prefix="trajaudit-check-") as folder:
        if golden:
            run = _trial(loaded, "golden", golden, Path(folder), say)
            faults += [(one.task_id, text) for one in run if (text := _golden_fault(one))]
        run = _trial(loaded, "null", [], Path(folder), say)
        faults += [(one.task_id, text) for one in run if (text := _null_fault(one))]
    return faults


def _trial(
    loaded: LoadedScenario, agent: str, tasks: list[str], folder: Path, say: Callable[[str], None]
) -> list[Outcome]:
    options = RunOptions(agent=agent, tasks=tasks, trials=1, runs_dir=folder)
    scenario = apply_options(loaded, options)
    if agent == "null":
        scenario = without_faults(scenario)
    result = run_scenario(loaded, scenario, options, Show(say=say))
    return list(RunDir(result.run.path).read_outcomes())


def without_faults(scenario: Scenario) -> Scenario:
    """Return the scenario without faults: an agent that does nothing cannot meet them."""
    tasks = tuple(task.model_copy(update={"faults": None}) for task in scenario.tasks)
    return scenario.model_copy(update={"faults": (), "tasks": tasks})


def _golden_fault(outcome: Outcome) -> str | None:
    if outcome.strict and outcome.lenient:
        return None
    said = {name: getattr(outcome, name) for name in ("strict", "lenient")}
    return f"the golden trajectory must pass; got {said} {outcome.status_detail}".rstrip()


def _null_fault(outcome: Outcome) -> str | None:
    if outcome.strict is False and outcome.lenient is False:
        return None
    said = {name: getattr(outcome, name) for name in ("strict", "lenient")}
    return f"the null trajectory must fail; got {said} {outcome.status_detail}".rstrip()
