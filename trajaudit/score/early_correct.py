"""Was it right before it was wrong? The step that had it, and the step that lost it.

Only a failed trial is looked at. What counts is what the agent concluded or brought about: a value
that it mentions, quotes, denies or reads in a tool's reply is none of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import ToolCall, Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict
from trajaudit.score.accepted_paths import accept_of, compare_paths
from trajaudit.score.end_state import end_state
from trajaudit.score.final_answer import final_answer
from trajaudit.score.moment import Moment, answer_moments, effect_moments, state_moments
from trajaudit.score.path_moment import path_moments
from trajaudit.score.verdict_pair import both_modes

NAME = "early_correct"
K = FailureKind
_LIMITS = frozenset({"step_limit", "time_limit", "token_limit", "context_overflow"})
_CUT = frozenset({"length", "max_tokens", "model_length", "incomplete"})


@dataclass(frozen=True)
class Loss:
    """A criterion that was met and is not met in the end."""

    criterion: str
    """`answer`, `state` or `path`."""
    first: int
    last: int
    """First and last step at which it was met; 0: the world was right from the start."""
    lost_at: int
    cause: str
    """overwritten, retracted, truncated, tool_error, never_in_final_reply, undone_by_call or
    spoiled_by_call."""
    right: Evidence
    wrong: Evidence
    reason: str
    by_harness: bool = False

    @property
    def kind(self) -> FailureKind:
        return K.RETRACTED if self.cause == "retracted" else K.EARLY_CORRECT_LATE_FAIL

    @property
    def fault(self) -> Fault:
        return Fault.HARNESS if self.by_harness else Fault.AGENT

    def to_json(self) -> dict[str, JsonValue]:
        """Write it for a verdict's detail."""
        return {
            "criterion": self.criterion,
            "first_correct_step": self.first,
            "last_correct_step": self.last,
            "lost_at_step": self.lost_at,
            "cause": self.cause,
            "reason": self.reason,
            "fault": self.fault.value,
        }


def early_correct(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Fail in both modes if a failed trial was right before; explains, never decides.

    Nothing is said of a trial whose criteria did not fail.
    """
    answer = _failed(final_answer(scenario, task, trajectory))
    state = _state_failed(scenario, task, trajectory)
    path = _path_failed(scenario, task, trajectory)
    if not answer and not state and not path:
        return []
    losses: list[Loss] = []
    losses += _lost_answer(scenario, task, trajectory) if answer else ()
    accept = accept_of(scenario, task)
    if state and accept is not None:
        losses += _lost_state(trajectory, state_moments(accept, trajectory))
    if path and not any(loss.criterion == "state" for loss in losses):
        spoiled = list(_lost_path(scenario, task, trajectory))
        losses += spoiled or _lost_state(trajectory, effect_moments(scenario, task, trajectory))
    all_losses: list[JsonValue] = [loss.to_json() for loss in losses]
    verdicts = both_modes(
        trajectory,
        NAME,
        passed=not losses,
        reason="; ".join(loss.reason for loss in losses) or "it was right at no step",
        evidence=tuple(item for loss in losses for item in (loss.right, loss.wrong)),
        detail={**losses[0].to_json(), "losses": all_losses} if losses else {},
    )
    if not losses:
        return verdicts
    marks = {"label": losses[0].kind.value, "fault": losses[0].fault}
    return [verdict.model_copy(update=marks) for verdict in verdicts]


def _failed(verdicts: Sequence[Verdict]) -> bool:
    return any(v.mode == "lenient" and v.passed is False for v in verdicts)


def _state_failed(scenario: Scenario, task: Task, trajectory: Trajectory) -> bool:
    if not _failed(end_state(scenario, task, trajectory)):
        return False
    compared = compare_paths(scenario, task, trajectory)
    return compared is None or not compared.lenient.passed


def _path_failed(scenario: Scenario, task: Task, trajectory: Trajectory) -> bool:
    """Whether a task whose process is judged by its calls alone failed by them."""
    accept = accept_of(scenario, task)
    if accept is None or accept.state or accept.golden_state:
        return False
    compared = compare_paths(scenario, task, trajectory)
    return compared is not None and compared.lenient.passed is False


def _lost_answer(scenario: Scenario, task: Task, trajectory: Trajectory) -> Iterator[Loss]:
    moments = answer_moments(scenario, task, trajectory)
    right = [number for number, moment in enumerate(moments) if moment.state == "right"]
    if not right or (moments[right[-1]].is_final and not _wants_submission(task, trajectory)):
        return
    had, after = moments[right[-1]], moments[right[-1] + 1 :]
    lost = next((m for m in after if _takes_the_place(m)), None)
    end = lost or next((m for m in after if m.is_final), None)
    last_step = trajectory.steps[-1].number if trajectory.steps else had.step
    at = end.step if end is not None else max(last_step, had.step)
    cause, by_harness = _cause(trajectory, had, lost, end, at)
    yield Loss(
        "answer",
        moments[right[0]].step,
        had.step,
        at,
        cause,
        Evidence(seq=had.seq, step=had.step, quote=had.quote[:300]),
        Evidence(seq=end.seq if end else None, step=at, quote=(end.quote if end else "")[:300]),
        f"the right answer {had.plain[:80]!r} stood at step {had.step}; "
        f"{_TOLD[cause]} at step {at}",
        by_harness,
    )


def _takes_the_place(moment: Moment) -> bool:
    """Whether a later message gives another answer: what it says by the way on its way does not."""
    if moment.state == "wrong":
        return moment.is_announced or moment.is_final
    return moment.state == "retracted"


def _wants_submission(task: Task, trajectory: Trajectory) -> bool:
    return bool(task.target and task.target.requires_submit and not trajectory.submitted)


def _cause(
    trajectory: Trajectory, had: Moment, lost: Moment | None, end: Moment | None, at: int
) -> tuple[str, bool]:
    """Return why the answer was lost, and whether the harness cut it."""
    if lost is not None:
        if lost.state == "retracted":
            return "retracted", False
        return ("tool_error" if _failed_before(trajectory, had.step, at) else "overwritten"), False
    by_limit = trajectory.end_reason in _LIMITS or trajectory.finish_reason in _CUT
    if by_limit or (end is not None and end.is_cut):
        return "truncated", by_limit
    failed = any(_failed_before(trajectory, had.step, number) for number in (at, at + 1))
    crashed = trajectory.end_reason == "agent_error"
    return ("tool_error" if failed or crashed else "never_in_final_reply"), False


def _failed_before(trajectory: Trajectory, had: int, at: int) -> bool:
    """Whether a tool failed in the last step before `at`, and not before the answer stood."""
    before = [step for step in trajectory.steps if had <= step.number < at]
    return bool(before) and any(seen.is_error for seen in before[-1].observations)


_TOLD = {
    "overwritten": "another one took its place",
    "retracted": "it was taken back",
    "truncated": "the trial was cut before it was said for good,",
    "tool_error": "it was given up after a tool had failed,",
    "never_in_final_reply": "the final reply does not say it,",
    "undone_by_call": "a call undid it",
    "spoiled_by_call": "a call that belongs to no path came",
}


def _lost_state(trajectory: Trajectory, moments: Sequence[Moment]) -> Iterator[Loss]:
    right = [number for number, moment in enumerate(moments) if moment.state == "right"]
    if not right or right[-1] + 1 >= len(moments):
        return
    first, had, lost = moments[right[0]], moments[right[-1]], moments[right[-1] + 1]
    call = _call_of(trajectory, lost)
    quote = f"{call.tool} {call.arguments_text}"[:300] if call is not None else lost.quote
    where = f"at step {had.step}" if had.step else "from the start"
    yield Loss(
        "state",
        first.step,
        had.step,
        lost.step,
        "undone_by_call",
        Evidence(seq=had.seq, step=had.step or None, quote="the world is as it should be"),
        Evidence(
            seq=call.seq if call else lost.seq,
            step=lost.step,
            quote=quote,
            call_id=call.call_id if call else None,
        ),
        f"the world was as it should be {where}; {_TOLD['undone_by_call']} at step {lost.step}"
        f" ({lost.quote[:120]})",
    )


def _lost_path(scenario: Scenario, task: Task, trajectory: Trajectory) -> Iterator[Loss]:
    moments = path_moments(scenario, task, trajectory)
    right = [number for number, moment in enumerate(moments) if moment.state == "right"]
    if not right or right[-1] + 1 >= len(moments):
        return
    first, had, lost = moments[right[0]], moments[right[-1]], moments[right[-1] + 1]
    call = _call_of(trajectory, replace(lost, seq=None))
    quote = f"{call.tool} {call.arguments_text}"[:300] if call is not None else lost.quote
    yield Loss(
        "path",
        first.step,
        had.step,
        lost.step,
        "spoiled_by_call",
        Evidence(seq=had.seq, step=had.step, quote=had.quote[:300]),
        Evidence(
            seq=call.seq if call else lost.seq,
            step=lost.step,
            quote=quote,
            call_id=call.call_id if call else None,
        ),
        f"an accepted path was complete at step {had.step}; {_TOLD['spoiled_by_call']} at step "
        f"{lost.step} ({lost.quote[:120]})",
    )


def _call_of(trajectory: Trajectory, lost: Moment) -> ToolCall | None:
    """Return the call that changed the world: the last one of its step before the change."""
    calls = [c for s in trajectory.steps if s.number == lost.step for c in s.tool_calls]
    before = [c for c in calls if lost.seq is None or c.seq is None or c.seq <= lost.seq]
    return before[-1] if before else None
