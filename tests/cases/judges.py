"""Adapters of the operations about judges."""

from typing import Any

from tests.cases.judging import Case, adapted
from tests.cases.outcome import Adapter, Outcome
from trajaudit.datamodel.judging import Criterion, ReplyStatus, Rubric
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.judge.decide import tally
from trajaudit.judge.orders import Shown, across_orders
from trajaudit.judge.parse import parse
from trajaudit.judge.prompt import pointwise
from trajaudit.judge.protocol import Protocol
from trajaudit.judge.view import view_of

_NAMES: dict[ReplyStatus, tuple[str, ...]] = {
    ReplyStatus.OK: ("ok",),
    ReplyStatus.REPAIRED: ("ok", "repaired"),
    ReplyStatus.UNPARSED: ("unparseable",),
    ReplyStatus.OUT_OF_SCALE: ("out_of_range",),
    # Case files tell less apart than the product does.
    ReplyStatus.REFUSED: ("refused", "refusal", "unparseable"),
}


def judge_parse(given: Case, expected: Case) -> Outcome:
    """Read one reply under the protocol of the case."""
    asked = given["protocol"]
    protocol = Protocol(
        kind=asked["kind"],
        labels=tuple(asked.get("labels", ())),
        marker=asked.get("marker", ""),
        low=asked.get("min", 0.0),
        high=asked.get("max", 1.0),
        threshold=asked.get("threshold", 0.5),
    )
    parsed = parse(given["reply"], protocol, given.get("finish_reason"))
    names = _NAMES.get(parsed.status, (str(parsed.status),))
    fits = bool(set(names) & set(expected["accept"]))
    right = not parsed.counts or parsed.value == expected["value"]
    return Outcome(
        names[0],
        accepted=fits and right,
        credited=parsed.counts,
        credit_allowed=fits and right,
        shown={"value": parsed.value, "note": parsed.note},
    )


def judge_two_orders(case: Case) -> Case:
    """Map the labels of both orders back and compare."""
    orders = [
        Shown({key: case[name][key] for key in ("A", "B")}, case[name]["verdict"])
        for name in ("order1", "order2")
    ]
    result = across_orders(*orders, allow_tie=case["allow_tie"])
    return {"winner": result.winner, "escalate": result.escalate}


def judge_panel(case: Case) -> Case:
    """Count the votes of each model."""
    votes: dict[str, list[Any]] = {}
    for vote in case["votes"]:
        votes.setdefault(vote["model"], []).append(vote["verdict"])
    result = tally(votes, quorum=case["quorum"], families=case["min_models"])
    return {"result": result, "escalate": result == "undecided"}


def judge_prompt(case: Case) -> Case:
    """Show a hostile answer and look where it stands in the request."""
    trajectory = Trajectory(task_id="case", final_reply=case["answer"])
    task = Task(id="case", prompt=case["task"])
    rubric = Rubric(
        name="case", version=1, description="x", criteria=(Criterion(id="right", text="right"),)
    )
    view = view_of("outcome", task, trajectory)
    prompt = pointwise(rubric, "{{nonce}}", view, seed="case", order=1)
    user = prompt.messages[-1]["content"]
    start, end = (f"<<{word} UNTRUSTED {prompt.nonce}>>" for word in ("BEGIN", "END"))
    # Further lines of a text are indented: at the margin begins only what is ours.
    user = user.replace("\n    ", "\n")
    inside = user.partition(start)[2].partition(end)[0]
    alone = user.count(start) == user.count(end) == 1 and user.endswith(end)
    return {
        "candidate_stays_inside_data_block": alone and user.count(case["answer"]) == 1,
        "answer_text_preserved": case["answer"] in inside,
    }


ADAPTERS: dict[str, Adapter] = {
    "judge_parse": judge_parse,
    "judge_two_orders": adapted(judge_two_orders, main="winner"),
    "judge_panel": adapted(judge_panel, main="result"),
    "judge_prompt": adapted(judge_prompt),
}
