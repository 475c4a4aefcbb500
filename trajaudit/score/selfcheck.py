"""Does a task tell right from wrong? The golden trajectory passes, and doing nothing fails."""

from collections.abc import Mapping

from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Scenario
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.accepted_paths import accept_of
from trajaudit.score.driver import TrialScores


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


def golden_fault(scores: TrialScores) -> str | None:
    """Return what is wrong with a task whose golden trajectory does not pass in both modes."""
    outcome = scores.outcome
    if outcome.strict and outcome.lenient:
        return None
    said = f"strict {outcome.strict}, lenient {outcome.lenient}, {outcome.status.value}"
    reasons = [v.reason for v in scores.verdicts if v.passed is not True and v.mode == "strict"]
    why = "; ".join([*reasons, *(failure.error for failure in scores.failures)][:3])
    return f"the golden trajectory does not pass; got {said}: {why or outcome.status_detail}"


def null_fault(outcome: Outcome) -> str | None:
    """Return what is wrong with a task that doing nothing does not fail in both modes."""
    passed = [mode for mode in ("strict", "lenient") if getattr(outcome, mode)]
    if passed:
        return f"doing nothing passes ({' and '.join(passed)}); it has to demand something"
    if outcome.strict is False and outcome.lenient is False:
        return None
    why = outcome.status_detail or outcome.status.value
    return f"doing nothing is not graded; got {why}; a task has to tell that it is wrong"
