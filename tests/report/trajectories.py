"""What the trials of the made-up run did, and what a hostile agent might."""

import json
from collections.abc import Iterator

from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)

SCRIPT = '"><script>document.title="owned"</script><img src=http://evil.test/x onerror=alert(1)>'
HOSTILE = (
    f"{SCRIPT}\x1b[31mred\x1b[0m \u202egnp.exe\u202c \x00 ]]> </pre></details></style> {{{{7*7}}}}"
)
RIGHT_TO_LEFT = "מספר ההזמנה הוא A-17, תודה (42.50 EUR)"


def trajectories(tasks: tuple[str, ...], trials: int = 3) -> Iterator[Trajectory]:
    for task in tasks:
        for trial in range(1, trials + 1):
            yield refund(task, trial)


_CHANGES = (
    WorldChange(
        step=4,
        patch=(
            {"op": "replace", "path": "/orders/A-17/status", "value": "refunded"},
            {"op": "add", "path": "/orders/A-17/refund", "value": 42.5},
        ),
    ),
    WorldChange(step=6, patch=({"op": "remove", "path": "/orders/A-17/refund"},)),
)


def refund(task: str, trial: int) -> Trajectory:
    """Looks the order up, refunds it, answers; reverses it at step 6."""
    system = Message(role="system", content="You help customers of a shop.", source="task", seq=2)
    user = Message(role="user", content="Order A-17 never came.", source="task", seq=3)
    order = {"id": "A-17", "status": "lost", "total": 42.5, "lines": [{"sku": "cup", "n": 2}]}
    steps = [
        _step(1, "Let me look that up.", "get_order", {"order_id": "A-17"}, json.dumps(order)),
        _step(2, "", "get_policy", {}, "A lost parcel is refunded in full. " * 90),
        _step(3, "I will check the stock.", "get_stock", {"sku": "cup"}, "timed out", error=True),
        _step(4, "", "refund_order", {"order_id": "A-17", "amount": "42.50"}, '{"ok": true}'),
        _step(
            5, "Refunded 42.50 EUR.", "get_order", {"order_id": "A-17"}, '{"status": "refunded"}'
        ),
        _step(6, "On second thought, a voucher is better.", "reverse_refund", {"id": 7}, "{}"),
        Step(number=7, message=Message(role="assistant", content="You get a voucher.", seq=40)),
    ]
    first = steps[0].model_copy(update={"before": (system, user)})
    fourth = steps[3].model_copy(update={"notes": ("refund before answering",)})
    return Trajectory(
        task_id=task,
        trial=trial,
        agent="langgraph",
        model_id="local/smollm2",
        steps=(first, *steps[1:3], fourth, *steps[4:]),
        final_reply="You get a voucher.",
        final_step=7,
        final_seq=40,
        finish_reason="stop",
        world_start={"orders": {"A-17": order}},
        world_end={"orders": {"A-17": {**order, "status": "lost"}}},
        world_changes=_CHANGES,
    )


def _step(
    number: int,
    content: str,
    tool: str,
    arguments: dict[str, object],
    reply: str,
    *,
    error: bool = False,
) -> Step:
    seq, call_id = number * 4, f"call_{number}"
    message = Message(role="assistant", content=content, source="model", seq=seq)
    if number == 1:
        thought = "The customer wants money, not a voucher."
        message = message.model_copy(update={"reasoning": thought})
    call = {"call_id": call_id, "tool": tool, "arguments_text": json.dumps(arguments)}
    observation = Observation(
        call_id=call_id,
        tool=tool,
        content=reply,
        is_error=error,
        fault="timeout" if error else None,
        duration_s=0.02,
        seq=seq + 2,
    )
    return Step(
        number=number,
        message=message,
        tool_calls=(ToolCall.model_validate({**call, "arguments": arguments, "seq": seq + 1}),),
        observations=(observation,),
        finish_reason="tool_calls",
        usage=Usage(prompt_tokens=300, completion_tokens=35),
    )


def hostile(task: str, trial: int) -> Trajectory:
    """Every text is an attack, a huge line, or hard to set."""
    patch = {"op": "add", "path": HOSTILE, "value": {"x": HOSTILE}}
    return Trajectory.model_validate(
        {
            "task_id": task,
            "trial": trial,
            "agent": HOSTILE,
            "model_id": HOSTILE,
            "steps": (_hostile_step(),),
            "after": (Message(role="user", content=HOSTILE, source="user"),),
            "final_reply": HOSTILE,
            "finish_reason": HOSTILE,
            "end_detail": HOSTILE,
            "notes": (HOSTILE,),
            "warnings": (f"code: {HOSTILE}",),
            "world_start": {"x": HOSTILE},
            "world_changes": (
                WorldChange(step=1, patch=(patch,)),
                WorldChange(step=99, patch=(patch,)),
            ),
        }
    )


def _hostile_step() -> Step:
    huge = json.dumps({f"key_{n}": {"value": n, "text": "x" * 40} for n in range(400)})
    unread = ToolCall(
        call_id=HOSTILE,
        tool=HOSTILE,
        arguments_text='{"a": ' + HOSTILE,
        parse_error=HOSTILE,
        differs=(HOSTILE,),
        requested_text=HOSTILE,
        executed=False,
    )
    arguments = {HOSTILE: HOSTILE, "big": json.loads(huge), "id": 2**60, "none": None}
    big = ToolCall(call_id="c2", tool="big", arguments_text=huge, arguments=arguments)
    return Step(
        number=1,
        before=(Message(role="user", content=RIGHT_TO_LEFT, source="user"),),
        message=Message(role="assistant", content=HOSTILE, reasoning=HOSTILE, seq=4, rewrites=2),
        tool_calls=(unread, big),
        observations=(
            Observation(call_id=HOSTILE, tool=HOSTILE, content=HOSTILE, is_error=True),
            Observation(call_id="c2", tool="big", content=huge),
            Observation(call_id="stray", tool="x", content="nobody asked" + "w" * 6000),
        ),
        finish_reason=HOSTILE,
        notes=(HOSTILE,),
    )
