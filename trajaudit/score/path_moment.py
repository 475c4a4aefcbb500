"""After which steps was an accepted path complete? The calls up to each step, matched again."""

from typing import Literal

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.accepted_paths import accepted_paths
from trajaudit.score.moment import Moment


def path_moments(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Moment]:
    """Return whether the calls so far followed a path leniently, after each step with a call.

    Empty where the task lists no path, or where the matching of some prefix stays open.
    """
    moments: list[Moment] = []
    for kept, step in enumerate(trajectory.steps, start=1):
        if not any(call.executed for call in step.tool_calls):
            continue
        prefix = trajectory.model_copy(update={"steps": trajectory.steps[:kept]})
        verdicts = accepted_paths(scenario, task, prefix)
        lenient = next((one for one in verdicts if one.mode == "lenient"), None)
        if lenient is None or lenient.passed is None:
            return []
        seq = step.tool_calls[0].seq
        state: Literal["right", "wrong"] = "right" if lenient.passed else "wrong"
        moments.append(Moment(step.number, state, quote=lenient.reason, seq=seq))
    return moments
