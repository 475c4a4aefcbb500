"""Trials, rubrics and replies for the tests of judges."""

import json
from typing import Any, Literal

from trajaudit.datamodel.judging import Criterion, Overall, ReplyStatus, Rubric, Vote
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory

RUBRIC = Rubric(
    name="task_success",
    version=1,
    description="Was it done?",
    criteria=(
        Criterion(id="done", text="It was done."),
        Criterion(id="clean", text="Nothing else.", choices=("bad", "fair", "good"), passes="fair"),
    ),
)
TASK = Task(id="late", prompt="Order A-17 never came. I want my money back.")


def message(text: str, reasoning: str | None = None) -> Message:
    return Message(role="assistant", content=text, reasoning=reasoning)


def trajectory(
    reply: str = "Refunded 42.50 EUR.", seen: str = '{"ok": true}', model: str = "openai/gpt-9"
) -> Trajectory:
    call = ToolCall(call_id="c1", tool="refund_order", arguments_text='{"order_id": "A-17"}')
    steps = (
        Step(
            number=1,
            message=message("I think a refund is right.", "secret thought"),
            tool_calls=(call,),
            observations=(Observation(call_id="c1", tool="refund_order", content=seen),),
        ),
        Step(number=2, message=message(reply)),
    )
    return Trajectory(
        task_id="late", steps=steps, final_reply=reply, final_step=2, model_id=model, agent="graph"
    )


def said(verdict: str = "pass", **changed: Any) -> dict[str, Any]:
    """A reply in the form of the contract."""
    quote = [{"step": 1, "quote": '{"ok": true}'}]
    done = {"pass": "met", "fail": "unmet", "abstain": "cannot_assess"}[verdict]
    criteria = [
        {"id": "clean", "evidence": quote, "reasoning": "", "verdict": "good", "missing": ""},
        {"id": "done", "evidence": quote, "reasoning": "", "verdict": done, "missing": ""},
    ]
    return {"criteria": criteria, "conflicts": [], "overall": verdict, **changed}


def reply(verdict: str = "pass", **changed: Any) -> str:
    return json.dumps(said(verdict, **changed))


def vote(
    family: str,
    order: Literal[1, 2],
    overall: Overall | None = "pass",
    *,
    status: ReplyStatus | None = None,
    **more: Any,
) -> Vote:
    default = ReplyStatus.OK if overall else ReplyStatus.UNPARSED
    return Vote(
        task_id="late",
        trial=1,
        rubric="task_success",
        judge=f"openai/{family}",
        family=family,
        order=order,
        status=status or default,
        overall=overall,
        raw=("x",),
        view_sha256="v",
        prompt_sha256="p",
        **more,
    )
