"""Which of the last steps changed nothing? Drop them one after the other and score again."""

from pydantic import JsonValue

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Step, ToolCall, Trajectory
from trajaudit.datamodel.verdict import Evidence, Verdict
from trajaudit.score.accepted_paths import accept_of, compare_paths
from trajaudit.score.call_reading import tools_of
from trajaudit.score.end_state import end_state
from trajaudit.score.final_answer import final_answer
from trajaudit.score.moment import Moment, answer_moments, state_moments
from trajaudit.score.path_moment import is_plainly_short
from trajaudit.score.verdict_pair import both_modes

NAME = "steps_needed"
_MOST_DROPPED = 20
"""So many last steps are dropped where a path has to be matched again for each."""


def steps_needed(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Tell after which step a passed trial was right for good, and which calls came after it.

    Always passes: what was too much is no failure. Nothing is said of a trial that failed, nor
    where the prefixes cannot be scored.
    """
    needed = _needed(scenario, task, trajectory)
    if needed is None:
        return []
    readers = {tool.name for tool in tools_of(scenario, task) if tool.effect == "read"}
    spare = [
        (step, call)
        for step in trajectory.steps
        if step.number > needed
        for call in step.tool_calls
        if call.executed and call.tool not in readers
    ]
    last = trajectory.steps[-1].number
    unneeded: list[JsonValue] = [*dict.fromkeys(step.number for step, _ in spare)]
    detail: dict[str, JsonValue] = {
        "steps": last,
        "needed": needed,
        "unneeded_call_steps": unneeded,
    }
    return both_modes(
        trajectory,
        NAME,
        passed=True,
        reason=f"right for good after step {needed} of {last}"
        + (f"; {len(spare)} calls after it changed nothing of that" if spare else ""),
        evidence=tuple(_evidence(step, call) for step, call in spare[:20]),
        detail=detail,
    )


def _needed(scenario: Scenario, task: Task, trajectory: Trajectory) -> int | None:
    """Return the step after which every criterion is met for good; None where that is unknown."""
    if not trajectory.steps:
        return None
    found: list[int | None] = []
    if task.target is not None:
        found.append(_by_answer(scenario, task, trajectory))
    accept = accept_of(scenario, task)
    if accept is not None and (accept.paths or accept.state or accept.golden_state):
        if _passes(end_state(scenario, task, trajectory)):
            found.append(_for_good(state_moments(accept, trajectory)))
        else:
            found.append(_by_paths(scenario, task, trajectory))
    known = [step for step in found if step is not None]
    return max(known) if known and len(known) == len(found) and max(known) > 0 else None


def _by_answer(scenario: Scenario, task: Task, trajectory: Trajectory) -> int | None:
    if not _passes(final_answer(scenario, task, trajectory)):
        return None
    if trajectory.submitted:
        return trajectory.final_step
    return _for_good([m for m in answer_moments(scenario, task, trajectory) if m.state != "none"])


def _for_good(moments: list[Moment]) -> int | None:
    """Return the step of the first of the moments that are right without a break up to the end."""
    step: int | None = None
    for moment in reversed(moments):
        if moment.state != "right":
            break
        step = moment.step
    return step


def _by_paths(scenario: Scenario, task: Task, trajectory: Trajectory) -> int | None:
    if not _follows(scenario, task, trajectory):
        return None
    steps = trajectory.steps
    short = is_plainly_short(scenario, task, trajectory)
    for kept in range(len(steps) - 1, max(len(steps) - _MOST_DROPPED, 0) - 1, -1):
        if not steps[kept].tool_calls:
            continue
        prefix = trajectory.model_copy(update={"steps": steps[:kept]})
        if short[kept] or not _follows(scenario, task, prefix):
            return steps[kept].number
    return None


def _follows(scenario: Scenario, task: Task, trajectory: Trajectory) -> bool:
    compared = compare_paths(scenario, task, trajectory)
    return compared is not None and bool(compared.lenient.passed)


def _passes(verdicts: list[Verdict]) -> bool:
    return any(v.mode == "lenient" and v.passed for v in verdicts)


def _evidence(step: Step, call: ToolCall) -> Evidence:
    quote = f"{call.tool} {call.arguments_text}"[:300]
    return Evidence(seq=call.seq, step=step.number, quote=quote, call_id=call.call_id)
