"""Trials, reviews and runs for the tests of reviewing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.report.sample import config
from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.judging import PanelDecision, Trigger
from trajaudit.datamodel.review import (
    Adjudication,
    Place,
    Review,
    Withdrawal,
)
from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.target import TextTarget
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall, Trajectory
from trajaudit.record.rundir import RunDir

TASK = Task(id="late", prompt="Order A-17 never came.", target=TextTarget(text="refunded"))
SCENARIO = Scenario(trajaudit=1, tools=(ToolSpec(name="refund_order"),), tasks=(TASK,))
ITEM = "a" * 64


def trajectory(
    reply: str = "It is refunded.",
    *,
    agent: str = "careful bot",
    model: str = "openai/gpt-9-mini",
    trial: int = 1,
    call_id: str = "call_7",
    first_seq: int = 1,
    seconds: float = 0.5,
) -> Trajectory:
    """A trial of two steps."""
    refund = _refund(call_id, first_seq, seconds)
    last = Message(role="assistant", content=reply, seq=first_seq + 4)
    return Trajectory(
        task_id="late",
        trial=trial,
        agent=agent,
        model_id=model,
        steps=(refund, Step(number=2, message=last)),
        final_reply=reply,
        final_step=2,
        final_seq=first_seq + 4,
        end_detail=f"after {seconds} s",
        warnings=(f"slow: {seconds}",),
    )


def _refund(call_id: str, first_seq: int, seconds: float) -> Step:
    call = ToolCall(
        call_id=call_id,
        tool="refund_order",
        arguments_text='{"order_id": "A-17"}',
        arguments={"order_id": "A-17"},
        seq=first_seq + 2,
    )
    seen = Observation(
        call_id=call_id,
        tool="refund_order",
        content='{"ok": true}',
        duration_s=seconds,
        seq=first_seq + 3,
    )
    return Step(
        number=1,
        before=(Message(role="system", content="Be kind.", source="harness", seq=first_seq),),
        message=Message(role="assistant", content="A refund.", seq=first_seq + 1),
        tool_calls=(call,),
        observations=(seen,),
        finish_reason="tool_calls",
        usage=Usage(prompt_tokens=int(seconds * 1000), completion_tokens=first_seq),
    )


def run_dir(runs: Path, name: str = "r1", **changed: Any) -> RunDir:
    """A run directory with a configuration and no trial."""
    made = config(tasks=("late",), trials=1).model_copy(update={"run_id": name, **changed})
    return RunDir.create(runs, made)


def record(run_id: str = "r1", trial: int = 1, **changed: Any) -> TrialRecord:
    return TrialRecord(run_id=run_id, task_id="late", trial=trial, end_reason="replied", **changed)


def review(
    who: str, verdict: str = "pass", number: int = 1, *, item: str = ITEM, **changed: Any
) -> Review:
    """A label; `number` tells it from another of the same person, and orders them."""
    fields: dict[str, Any] = {
        "review_id": f"{who}-{number}",
        "item_id": item,
        "places": (Place(run_id="r1", task_id="late", trial=1),),
        "reviewer": who,
        "verdict": verdict,
        "opened": "2026-11-29T10:00:00Z",
        "saved": f"2026-11-29T10:{number:02d}:00Z",
        "seconds": 30,
    }
    return Review.model_validate(fields | changed)


def withdrawal(one: Review, who: str | None = None) -> Withdrawal:
    return Withdrawal(
        item_id=one.item_id,
        review_id=one.review_id,
        reviewer=who or one.reviewer,
        saved="2026-11-29T11:00:00Z",
    )


def adjudication(verdict: str, number: int = 1, **changed: Any) -> Adjudication:
    fields: dict[str, Any] = {
        "adjudication_id": f"d{number}",
        "item_id": ITEM,
        "places": (Place(run_id="r1", task_id="late", trial=1),),
        "adjudicator": "cleo",
        "reviews": (),
        "verdict": verdict,
        "opened": "2026-11-29T12:00:00Z",
        "saved": f"2026-11-29T12:{number:02d}:00Z",
        "seconds": 30,
    }
    return Adjudication.model_validate(fields | changed)


def decision(
    result: str,
    queue: str = "audit",
    *,
    triggers: Sequence[Trigger] = (),
    task_id: str = "late",
    trial: int = 1,
) -> PanelDecision:
    return PanelDecision.model_validate(
        {
            "task_id": task_id,
            "trial": trial,
            "panel": "default",
            "rubric": "task_success",
            "decides": True,
            "result": result,
            "stage": "A",
            "queue": queue,
            "triggers": tuple(triggers),
            "stratum": f"{result}/rules",
        }
    )
