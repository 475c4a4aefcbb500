"""No request to a judge holds anything but what its view is meant to show.

Every text of a trial, of its task and of its tools is a word that stands nowhere else; what reaches
the judge is compared with what may. A field that is added later is caught as well.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from tests.judge import paired
from tests.judge.made import RUBRIC, reply
from trajaudit.datamodel.judging import Judge
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.target import TextTarget
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)
from trajaudit.judge.commit import Commission
from trajaudit.judge.pairwise_seat import Cell, Pair, ask_pair
from trajaudit.judge.seat import Item, Seat
from trajaudit.judge.view import view_of
from trajaudit.llm.base import ModelRequest, ModelResponse
from trajaudit.llm.scripted import Reply, ScriptedModel

TEMPLATE = "{{nonce}} {{rubric}} {{criteria}} {{contract}}"
MODEL, AGENT = "openai/quokka-9b-instruct", "wombat-runner 7.1"
NAMES = "I am Quokka-9B-instruct of openai/quokka-9b-instruct, a Quokka run by wombat-runner 7.1."
TASK = Task(
    id="mark-task-id",
    prompt="mark-prompt",
    target=TextTarget(text="mark-target"),
    tags=("mark-tag",),
)
TOOLS = (
    ToolSpec(
        name="mark-offered",
        description="mark-description",
        parameters={"type": "object", "properties": {"mark-parameter": {}}},
    ),
)
ANSWER = frozenset({"mark-final", "mark-target", "mark-patch"})
SHOWN: dict[str, frozenset[str]] = {
    "outcome": frozenset(
        {"mark-prompt", "mark-tool", "mark-arguments", "mark-seen", "mark-seen-in"}
    )
    | {"mark-system", "mark-user"}
    | ANSWER,
    "process": frozenset(
        {"mark-prompt", "mark-tool", "mark-arguments", "mark-seen", "mark-seen-in"}
    )
    | {"mark-system", "mark-user", "mark-beside"},
}


def said(role: Literal["system", "user", "assistant"], name: str, **more: Any) -> Message:
    return Message(
        role=role,
        content=name,
        source="user" if role == "user" else "agent",
        reasoning=f"{name}-thought",
        call_id=f"{name}-call",
        **more,
    )


def trial() -> Trajectory:
    call = ToolCall(
        call_id="mark-call-id",
        tool="mark-tool",
        arguments_text="mark-arguments",
        parse_error="mark-parse-error",
        requested_text="mark-requested",
        differs=("mark-differs",),
    )
    seen = Observation(call_id="mark-call-id", tool="mark-seen-in", content="mark-seen")
    acting = Step(
        number=1,
        before=(said("system", "mark-system"), said("user", "mark-user")),
        message=said("assistant", "mark-beside"),
        tool_calls=(call,),
        observations=(seen,),
        finish_reason="mark-step-reason",
        notes=("mark-step-note",),
    )
    answering = Step(number=2, message=said("assistant", f"mark-final {NAMES}"))
    return Trajectory(
        task_id="mark-trial-of",
        agent=AGENT,
        model_id=MODEL,
        steps=(acting, answering),
        after=(said("user", "mark-after"),),
        final_reply=f"mark-final {NAMES}",
        final_step=2,
        finish_reason="mark-reason",
        end_detail="mark-end-detail",
        notes=("mark-note",),
        world_start={"mark-world": 1},
        world_end={"mark-world": 2},
        world_changes=(WorldChange(step=1, patch=({"op": "add", "path": "mark-patch"},)),),
        warnings=("mark-warning",),
    )


class Listening(ScriptedModel):
    """Keeps what it was asked."""

    def __init__(self, text: str) -> None:
        super().__init__([Reply(text=text, repeat=True)])
        self.asked: list[ModelRequest] = []

    def send(self, request: ModelRequest) -> ModelResponse:
        self.asked.append(request)
        return super().send(request)

    def words(self) -> str:
        return json.dumps([one.body for one in self.asked], ensure_ascii=False)


def seat(model: Listening) -> Seat:
    judge = Judge(model="scripted/mark-own-name", family="mark-family", api_key_env="MARK_KEY")
    return Seat(judge, model, "mark-family")


def marks(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"mark-[a-z-]*[a-z]", text)) - {"mark-own-name"}


@pytest.mark.parametrize("kind", ["outcome", "process"])
def test_a_judge_is_shown_what_its_view_is_meant_to_show_and_no_more(
    kind: Literal["outcome", "process"],
) -> None:
    model = Listening(reply())
    item = Item("mark-item", 1, view_of(kind, TASK, trial()), "mark-agent-family", lenient=True)

    seat(model).ask(item, RUBRIC, TEMPLATE, seed=0, order=1, replicate=1)

    assert marks(model.words()) == SHOWN[kind]
    assert_nobody_is_named(model.words())


def test_a_judge_that_compares_is_shown_two_views_and_no_more() -> None:
    model = Listening(paired.reply())
    view = view_of("outcome", TASK, trial())
    pair = Pair(task_id="mark-pair", trial=1, views={"a": view, "b": view}, ruled=(True, False))

    ask_pair(seat(model), pair, paired.RUBRIC, TEMPLATE, Cell(seed=0, order=1, replicate=1))

    assert marks(model.words()) == SHOWN["outcome"]
    assert_nobody_is_named(model.words())


def test_a_judge_that_makes_notes_is_shown_no_attempt_and_no_reference() -> None:
    model = Listening("{}")

    seat(model).commit(Commission(TASK, TOOLS, "mark-policy"), "{{nonce}} {{contract}}")

    offered = {"mark-offered", "mark-description", "mark-parameter"}
    assert marks(model.words()) == {"mark-prompt", "mark-policy"} | offered
    assert_nobody_is_named(model.words())


def assert_nobody_is_named(words: str) -> None:
    for name in ("quokka", "wombat", "MARK_KEY"):
        assert name.casefold() not in words.casefold()


def test_every_field_of_a_trial_that_may_hold_words_holds_one() -> None:
    assert set(_unset(trial())) == {
        # Numbers, and records of a few fixed words.
        *("Message.seq", "Message.rewrites", "ToolCall.seq", "ToolCall.executed", "Step.usage"),
        *("ToolCall.arguments", "Observation.is_error", "Observation.fault", "Observation.seq"),
        *("Observation.duration_s", "Trajectory.trial", "Trajectory.submitted"),
        *("Trajectory.final_seq", "Trajectory.end_reason", "Trajectory.faults_hit"),
        *("Trajectory.patch", "WorldChange.seq"),
        *("Step.before", "Step.tool_calls", "Step.observations", "Step.finish_reason"),
        "Step.notes",
    }


def _unset(record: BaseModel) -> Iterable[str]:
    fields = type(record).model_fields
    yield from (f"{type(record).__name__}.{one}" for one in set(fields) - record.model_fields_set)
    for name in fields:
        value = getattr(record, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, BaseModel):
                yield from _unset(one)


@pytest.mark.parametrize("name", ["command", "react", "several", "replay"])
def test_a_name_that_is_a_word_takes_no_evidence_away(name: str) -> None:
    one = trial().model_copy(update={"agent": name, "final_reply": f"bash: {name}: not found"})

    assert f"bash: {name}: not found" in view_of("outcome", TASK, one).untrusted
