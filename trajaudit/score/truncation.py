"""Was anything cut off: a message at its token limit, or the whole trial at a limit?"""

from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict
from trajaudit.score.verdict_pair import both_modes

NAME = "truncation"
_CUT = frozenset({"length", "max_tokens", "model_length", "incomplete"})
_ENDS = {
    "token_limit": "the trial's tokens ran out",
    "context_overflow": "the context overflowed",
}


def truncation(_scenario: Scenario, _task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Fail in both modes if a message was cut at its token limit, or the trial for its tokens.

    `detail` holds the tokens of the replies that ended by themselves and of those that were cut.
    """
    cut = [step for step in trajectory.steps if step.finish_reason in _CUT]
    reasons = [f"step {step.number} was cut at its token limit" for step in cut]
    if trajectory.finish_reason in _CUT:
        reasons.append("the final reply was cut at its token limit")
    if trajectory.end_reason in _ENDS:
        reasons.append(_ENDS[trajectory.end_reason])
    evidence = tuple(
        Evidence(seq=step.message.seq, step=step.number, quote=step.message.content[-160:])
        for step in cut
    )
    lengths = [(n, step.finish_reason in _CUT) for step, n in _measured(trajectory)]
    return both_modes(
        trajectory,
        NAME,
        passed=not reasons,
        reason="; ".join(reasons[:5]) or "nothing was cut",
        evidence=evidence[:20],
        detail={
            "longest_completion_tokens": max((tokens for tokens, _ in lengths), default=None),
            "cut_steps": [step.number for step in cut[:50]],
            "ended": [tokens for tokens, is_cut in lengths if not is_cut],
            "cut": [tokens for tokens, is_cut in lengths if is_cut],
            "unmeasured": len(trajectory.steps) - len(lengths),
        },
        fault=Fault.HARNESS if reasons else None,
    )


def _measured(trajectory: Trajectory) -> list[tuple[Step, int]]:
    """Return the replies whose length is known, with their tokens, thinking included."""
    return [(step, tokens_of(step.usage)) for step in trajectory.steps if step.usage is not None]


def tokens_of(usage: Usage) -> int:
    """Return the tokens of a reply with its thinking.

    OpenAI's `completion_tokens` hold the thinking; a provider that counts it apart is known by more
    thinking than reply.
    """
    thinking = usage.reasoning_tokens
    whole = usage.completion_tokens
    return whole if thinking <= whole else whole + thinking
