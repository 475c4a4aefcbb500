"""A case as it lies in a file, and what the rules say to it now."""

from typing import Any

from pydantic import TypeAdapter

from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.target import PatchTarget, Target
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.driver import score_trial

_TARGET: TypeAdapter[Target] = TypeAdapter(Target)
_ENDS = ("finish_reason", "submitted", "end_reason")


def case_input(scenario: Scenario, task: Task, trajectory: Trajectory) -> dict[str, Any]:
    """Return the operation and the input of a case: of `final_answer` where a reply is all."""
    alone = task.accept is None and scenario.accept is None and not scenario.faults
    if trajectory.steps or not alone or task.target is None or task.faults:
        return _trial(scenario, task, trajectory)
    if isinstance(task.target, PatchTarget):
        return _trial(scenario, task, trajectory)
    ends = trajectory.model_dump(mode="json", include=set(_ENDS), exclude_defaults=True)
    return {
        "op": "final_answer",
        "question": task.prompt,
        "response": trajectory.final_reply,
        "target": _written(task.target),
        "options": ends | _rules(scenario),
    }


def replay(given: dict[str, Any]) -> Outcome:
    """Return what the rules say to the input of a case of `final_answer` or `score_trial`.

    Raises:
        ValueError: it is none.
    """
    if "trajectory" in given:
        scenario = Scenario.model_validate(given["scenario"])
        trajectory = Trajectory.model_validate(given["trajectory"])
    else:
        options = dict(given.get("options") or {})
        ends = {name: options.pop(name) for name in _ENDS if name in options}
        target = _TARGET.validate_python(given["target"])
        task = Task(id="case", prompt=given["question"], target=target)
        scenario = Scenario.model_validate({"trajaudit": 1, "tasks": (task,), **options})
        trajectory = Trajectory(task_id="case", final_reply=given["response"], **ends)
    return score_trial(scenario, scenario.tasks[0], trajectory).outcome


def _trial(scenario: Scenario, task: Task, trajectory: Trajectory) -> dict[str, Any]:
    own = task.model_copy(update={"id": "case", "golden": None, "metadata": {}, "files": {}})
    # Faults are numbered by those of the task or of the scenario; both stay where they are.
    shown = {"tools", "faults", "accept", "answer_format", "tolerances", "limits"}
    tools = tuple(tool.model_copy(update={"mock": None}) for tool in scenario.tools)
    kept = _dumped(scenario.model_copy(update={"tools": tools}), include=shown)
    return {
        "op": "score_trial",
        "scenario": {"trajaudit": 1, **kept, "tasks": [_dumped(own)]},
        "trajectory": _dumped(trajectory),
    }


def _rules(scenario: Scenario) -> dict[str, Any]:
    """Return what a scenario says of how answers are read."""
    return _dumped(scenario, include={"answer_format", "tolerances"})


def _written(target: Target) -> dict[str, Any]:
    return _dumped(target)


def _dumped(record: Any, include: set[str] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = record.model_dump(mode="json", include=include, exclude_defaults=True)
    return found
