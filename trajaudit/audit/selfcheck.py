"""The self-check of a scenario: golden must pass, null must fail, for every task."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from trajaudit.audit.control import without_faults
from trajaudit.audit.options import RunOptions, Show, apply_options
from trajaudit.audit.run import run_scenario
from trajaudit.audit.testlists import patch_task_faults, with_test_lists
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import LoadedScenario
from trajaudit.score.driver import TrialScores
from trajaudit.score.selfcheck import golden_fault, null_fault


def selfcheck(loaded: LoadedScenario, say: Callable[[str], None]) -> list[tuple[str, str]]:
    """Return (task id, fault) for every task whose golden fails or whose null passes."""
    without = [task.id for task in loaded.scenario.tasks if task.golden is None]
    faults = [(task_id, "has no golden trajectory") for task_id in without]
    loaded = replace(loaded, scenario=with_test_lists(loaded, loaded.scenario, say))
    faults += patch_task_faults(loaded, loaded.scenario, say)
    golden = [task.id for task in loaded.scenario.tasks if task.golden is not None]
    with tempfile.TemporaryDirectory(prefix="trajaudit-check-") as folder:
        if golden:
            run = _trials(loaded, "golden", golden, Path(folder), say)
            faults += [(one.outcome.task_id, text) for one in run if (text := golden_fault(one))]
        run = _trials(loaded, "null", [], Path(folder), say)
        faults += [(one.outcome.task_id, text) for one in run if (text := null_fault(one.outcome))]
    return faults


def _trials(
    loaded: LoadedScenario, agent: str, tasks: list[str], folder: Path, say: Callable[[str], None]
) -> list[TrialScores]:
    options = RunOptions(agent=agent, tasks=tasks, trials=1, runs_dir=folder, control=False)
    scenario = apply_options(loaded, options)
    if agent == "null":
        scenario = without_faults(scenario)
    return _scores(run_scenario(loaded, scenario, options, Show(say=say)).run)


def _scores(run: RunDir) -> list[TrialScores]:
    verdicts, failures = list(run.read_verdicts()), list(run.read_failures())
    return [
        TrialScores(
            verdicts=tuple(one for one in verdicts if one.task_id == outcome.task_id),
            findings=(),
            outcome=outcome,
            failures=tuple(one for one in failures if one.task_id == outcome.task_id),
        )
        for outcome in run.read_outcomes()
    ]
