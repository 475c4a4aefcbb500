"""Pairs of trials, replies and votes for the tests of comparisons."""

import json
from pathlib import Path
from typing import Any, Literal

from tests.judge.made import TASK, trajectory
from trajaudit.datamodel.judging import Judge, Panel, ReplyStatus
from trajaudit.datamodel.pairwise import Choice, PairCriterion, PairRubric, PairVote, Side
from trajaudit.judge.meter import Meter, MeteredModel
from trajaudit.judge.pairwise import PairBench
from trajaudit.judge.pairwise_seat import Pair
from trajaudit.judge.seat import Seat
from trajaudit.judge.view import view_of
from trajaudit.llm.base import ChatModel, ModelRequest, ModelResponse
from trajaudit.llm.scripted import Reply, Script, ScriptedModel

RUBRIC = PairRubric(
    name="pair",
    version=1,
    pairwise=True,
    description="Which did it?",
    criteria=(PairCriterion(id="done", text="Done."), PairCriterion(id="clean", text="Clean.")),
)
TEMPLATE = "{{nonce}} {{rubric}} {{criteria}} {{contract}}"
GOOD, BAD = "Refunded 42.50 EUR.", "I could not find order A-17."


def pair(a: str = GOOD, b: str = BAD, **more: Any) -> Pair:
    views = {
        "a": view_of("outcome", TASK, trajectory(a)),
        "b": view_of("outcome", TASK, trajectory(b)),
    }
    return Pair(**{"task_id": "late", "trial": 1, "views": views, **more})


def said(
    done: str = "A", clean: str = "tie", overall: str | None = None, **changed: Any
) -> dict[str, Any]:
    """A reply in the form of the contract."""
    due = next((one for one in (done, clean) if one != "tie"), "tie")
    quote = [{"trial": "A", "step": 1, "quote": '{"ok": true}'}]
    criteria = [
        {"id": "clean", "evidence": quote, "reasoning": "", "verdict": clean, "missing": ""},
        {"id": "done", "evidence": quote, "reasoning": "", "verdict": done, "missing": ""},
    ]
    return {"criteria": criteria, "conflicts": [], "overall": overall or due, **changed}


def reply(done: str = "A", clean: str = "tie", **changed: Any) -> str:
    return json.dumps(said(done, clean, **changed))


class Preferring(ScriptedModel):
    """A judge that finds the letter of the trial that holds a text; `tie` where none or both do."""

    def __init__(self, text: str) -> None:
        super().__init__([Reply(text="x", repeat=True)])
        self.text = text
        self.requests: list[ModelRequest] = []

    def send(self, request: ModelRequest) -> ModelResponse:
        self.requests.append(request)
        user = request.body["messages"][1]["content"]
        first, _, second = user.partition("\n\nTrial B:\n")
        holds = [self.text in first, self.text in second]
        letter = "tie" if holds[0] == holds[1] else "AB"[holds.index(True)]
        return model(Reply(text=reply(letter))).send(request)


def model(*replies: Reply) -> ScriptedModel:
    return ScriptedModel(Script(replies=replies, count="calls"))


def always(text: str) -> ScriptedModel:
    return model(Reply(text=text, repeat=True))


def bench(
    *models: ChatModel, cache: Path | None = None, meter: Meter | None = None, replicates: int = 1
) -> PairBench:
    judges = tuple(Judge(model="scripted/x", family=name) for name in "stuv"[: len(models)])
    panel = Panel(name="p", version=1, judges=judges, replicates=replicates)
    seats = tuple(
        Seat(judge, MeteredModel(one, meter) if meter else one, str(judge.family), cache)
        for judge, one in zip(judges, models, strict=True)
    )
    return PairBench(
        panel=panel, rubric=RUBRIC, template=TEMPLATE, seats=seats, runs=("one", "two")
    )


def vote(
    family: str,
    order: Literal[1, 2],
    choice: Choice | None = "a",
    *,
    first: Side | None = None,
    status: ReplyStatus | None = None,
    **more: Any,
) -> PairVote:
    default = ReplyStatus.OK if choice else ReplyStatus.UNPARSED
    return PairVote(
        **{
            "task_id": "late",
            "trial": 1,
            "rubric": "pair",
            "judge": f"openai/{family}",
            "family": family,
            "order": order,
            "first": first or ("a" if order == 1 else "b"),
            "status": status or default,
            "choice": choice,
            "raw": ("x",),
            "views_sha256": ("v", "w"),
            "prompt_sha256": "p",
            **more,
        }
    )
