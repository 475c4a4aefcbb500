"""A run whose every text attacks the reader, and whose every secret is a word to look for."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import JsonValue

from tests.report.sample import config
from trajaudit.datamodel.accept import Accept
from trajaudit.datamodel.event import (
    End,
    Event,
    EventBase,
    MessageEvent,
    ModelCall,
    Note,
    ObservationEvent,
    PatchEvent,
    RequestedCall,
    Start,
    StateEvent,
    Submit,
    ToolCallEvent,
)
from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.judging import (
    Citation,
    CriterionVote,
    PanelDecision,
    ReplyStatus,
    Trigger,
    Vote,
)
from trajaudit.datamodel.review import SamplePlan
from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.datamodel.scenario import LangGraphAgent, Scenario, Task
from trajaudit.datamodel.target import TextTarget
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.verdict import Evidence, Fault, Verdict
from trajaudit.record.artifact import store_artifact
from trajaudit.record.bulk_journal import write_journal
from trajaudit.record.redaction import Redactor
from trajaudit.record.rundir import RunDir
from trajaudit.review.policy import store_plan

MODEL, AGENT, RUN = "zorbl-9000-canary", "Quimby Canarius", "run-canary-7f3a"
TASK = "task-id-canary-{}"
SECRET = {
    "model": MODEL,
    "agent": AGENT,
    "run": RUN,
    "task": "task-id-canary",
    "verdict": "VERDICT-REASON-CANARY",
    "finding": "FINDING-REASON-CANARY",
    "vote": "VOTE-RAW-CANARY",
    "reasoning": "JUDGE-REASONING-CANARY",
    "judge": "judge-canary",
    "panel": "panel-canary",
    "stratum": "stratum-canary",
    "scorer": "scorer-canary",
    "end": "END-DETAIL-CANARY",
    "scenario": "scenario-canary",
}
"""What no reviewer may get before an item of theirs is settled."""
SCRIPT = "<script>window.hacked = 1</script>"
SVG = "<svg onload=\"window.hacked = 2\"><animate onbegin='window.hacked = 3'></svg>"
ATTRIBUTE = '" onmouseover="window.hacked = 4" x=\''
BREAKOUT = "</pre></textarea></title></style></script><img src=x onerror=window.hacked=5>"
TEMPLATE = "{{ 7 * 7 }}{% raw %}${7*7}<%= 7*7 %>"
RTL = "\u202egnp.exe\u202c שלום עולם مرحبا بالعالم \u2066isolated\u2069"
ANSI = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J \x9b31m"
LONG = "W" * 30_000 + " and " + "long/path/" * 400
HUGE: JsonValue = {
    f"key {n}": {"list": list(range(20)), "text": f"value {n} {'x' * 60}"} for n in range(600)
}
ATTACKS = (SCRIPT, SVG, ATTRIBUTE, BREAKOUT, TEMPLATE, "javascript:alert(1)", "\x00\ufeff\u200b")
ALL = "\n".join((*ATTACKS, RTL, ANSI))
PATCH = (
    "diff --git a/shop/refund.py b/shop/refund.py\n--- a/shop/refund.py\n+++ b/shop/refund.py\n"
    "@@ -1,3 +1,4 @@ def refund(order):\n     total = order.total\n-    return total\n"
    f"+    # {SCRIPT} {RTL}\n+    return round(total, 2)\n"
)


def hostile_run(
    runs: Path, *, tasks: int = 3, name: str = RUN, long_steps: int = 0, says: str = ""
) -> RunDir:
    """Scored, judged, everything put to people; `long_steps`: of the first task. `says`: in each
    reply, so that two runs differ.
    """
    ids = tuple(TASK.format(number) for number in range(tasks))
    made = config(tasks=ids, trials=1).model_copy(
        update={
            "run_id": name,
            "scenario": _scenario(ids),
            "agent": AGENT,
            "model_id": f"openai/{MODEL}",
        }
    )
    run = RunDir.create(runs, made)
    for number, one in enumerate(ids):
        _trial(run, one, _events(one, number, says, long_steps if number == 0 else 0, run))
    run.write_records("outcomes", [_outcome(one, n) for n, one in enumerate(ids)])
    run.write_records("verdicts", [_verdict(one, n) for n, one in enumerate(ids)])
    run.write_records("findings", [_finding(one) for one in ids])
    run.write_records(
        "votes", [_vote(one, n, order) for n, one in enumerate(ids) for order in (1, 2)]
    )
    run.write_records("decisions", [_decision(one, n) for n, one in enumerate(ids)])
    store_plan(run, SamplePlan(everything=True))
    return run


def _scenario(ids: Sequence[str]) -> Scenario:
    asked = tuple(
        Task(
            id=one,
            prompt=f"Refund order A-{number}.\n{ALL}",
            target=TextTarget(text=f"refunded {SCRIPT}"),
            accept=Accept.model_validate({"state": [{"path": "orders.a.state", "equals": "done"}]}),
        )
        for number, one in enumerate(ids)
    )
    return Scenario(
        trajaudit=1,
        name=SECRET["scenario"],
        tasks=asked,
        agent=LangGraphAgent(system=f"Be kind. {ALL}"),
        tools=(
            ToolSpec(name="refund_order", description=f"Refunds. {ALL}"),
            ToolSpec(name="look_up", description="Looks an order up."),
        ),
    )


def _trial(run: RunDir, task: str, events: Sequence[EventBase]) -> None:
    folder = run.trial_dir(task, 1)
    folder.mkdir(parents=True, exist_ok=True)
    written = write_journal(folder, events, Redactor([]))
    record = TrialRecord(
        run_id=run.run_id,
        task_id=task,
        trial=1,
        end_reason="replied",
        events=written.events,
        head=written.head,
    )
    run.write_trial(record)


def _events(task: str, number: int, says: str, steps: int, run: RunDir) -> list[Event]:
    prompt = f"Refund order A-{number}.\n{ALL}"
    folder = run.trial_dir(task, 1)
    folder.mkdir(parents=True, exist_ok=True)
    patch = store_artifact(folder, PATCH.encode())
    world: JsonValue = {"orders": {"a": {"state": "open", "note": SCRIPT}}, "gone": RTL}
    after: JsonValue = {"orders": {"a": {"state": "done", "note": SCRIPT}}, "new": ANSI}
    events: list[Event] = [
        Start(run_id=run.run_id, task_id=task, trial=1, agent=AGENT, model_id=MODEL, prompt=prompt),
        StateEvent(what="start", value=world),
        MessageEvent(role="system", content=f"Be kind. {ALL}", source="harness"),
        MessageEvent(role="user", content=prompt, source="task"),
    ]
    events += _step(events, "look_up", {"id": f"A-{number}", ATTRIBUTE: SVG}, ALL)
    events += _step(events, "refund_order", {"big": LONG}, json.dumps(HUGE))
    events.append(
        StateEvent(
            what="patch",
            call=len(events) - 1,
            patch=({"op": "replace", "path": "/orders/a/state", "value": SCRIPT},),
        )
    )
    events += _step(events, "refund_order", None, LONG, error=True)
    for more in range(steps):
        events += _step(events, "look_up", {"page": more}, f"page {more} " + "lorem ipsum " * 200)
    reply = f"Order A-{number} is refunded. {says}{ALL} I am {AGENT}, made of {MODEL}."
    events += [
        Note(content=f"a note {ALL}"),
        MessageEvent(role="assistant", content=reply, source="model", reasoning=f"hm {ALL}"),
        Submit(content=reply),
        StateEvent(what="end", value=after),
        PatchEvent(artifact=patch, size=len(PATCH), files=("shop/refund.py",)),
        End(reason="replied", detail=SECRET["end"]),
    ]
    return events


def _step(
    before: Sequence[Event],
    tool: str,
    arguments: dict[str, JsonValue] | None,
    content: str,
    *,
    error: bool = False,
) -> Iterator[Event]:
    call_id, at = f"call_{len(before)}", len(before)
    text = '{"broken": ' if arguments is None else json.dumps(arguments)
    yield ModelCall(model_id=MODEL, finish_reason="tool_calls")
    asked = RequestedCall(call_id=call_id, tool=tool, arguments_text=text)
    yield MessageEvent(
        role="assistant", content=f"I call {tool}. {SCRIPT}", source="model", tool_calls=(asked,)
    )
    yield ToolCallEvent(
        call_id=call_id,
        tool=tool,
        arguments_text=text,
        arguments=arguments,
        parse_error="it ends early" if arguments is None else None,
        via="agent",
        requested=at + 2,
    )
    yield ObservationEvent(call_id=call_id, call=at + 3, tool=tool, content=content, is_error=error)


def _outcome(task: str, number: int) -> Outcome:
    return Outcome(
        task_id=task, trial=1, strict=False, lenient=number % 2 == 0, panel=True, final=True
    )


def _verdict(task: str, number: int) -> Verdict:
    return Verdict(
        task_id=task,
        trial=1,
        scorer=SECRET["scorer"],
        mode="strict",
        passed=number % 2 == 0,
        reason=SECRET["verdict"],
    )


def _finding(task: str) -> Finding:
    return Finding(
        task_id=task,
        trial=1,
        kind=FailureKind.SCHEMA_NEAR_MISS,
        fault=Fault.HARNESS,
        steps=(2,),
        reason=SECRET["finding"],
        evidence=(Evidence(step=2),),
    )


def _vote(task: str, number: int, order: int) -> Vote:
    said = CriterionVote(
        id="goal_reached",
        evidence=(Citation(step=1, quote="I call look_up."),),
        reasoning=f"{SECRET['reasoning']} {ALL}",
        verdict="met",
    )
    return Vote.model_validate(
        {
            "task_id": task,
            "trial": 1,
            "rubric": "task_success",
            "judge": SECRET["judge"],
            "family": "canary",
            "order": order,
            "status": ReplyStatus.OK,
            "overall": "pass" if (number + order) % 2 else "fail",
            "criteria": (said,),
            "raw": (SECRET["vote"],),
            "view_sha256": "0" * 64,
            "prompt_sha256": "0" * 64,
        }
    )


def _decision(task: str, number: int) -> PanelDecision:
    return PanelDecision(
        task_id=task,
        trial=1,
        panel=SECRET["panel"],
        rubric="task_success",
        decides=True,
        result="undecided" if number % 2 else "pass",
        stage="B",
        triggers=(Trigger.ORDER_FLIP,) if number % 2 else (),
        queue="resolve" if number % 2 else "audit",
        stratum=SECRET["stratum"],
        inclusion=1.0,
    )
