"""Messages of LangChain and LangGraph."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_to_dict,
)

from tests.record.importers.fuzzing import as_bytes, assert_survives, fuzzed, mutated
from trajaudit.datamodel.event import MessageEvent, ModelCall, ObservationEvent
from trajaudit.record.importers import IMPORTERS, langchain
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise

MESSAGES: list[BaseMessage] = [
    SystemMessage("be kind"),
    HumanMessage("2 + 2?"),
    AIMessage("", tool_calls=[{"name": "add", "args": {"a": 2, "b": 2}, "id": "c1"}]),
    ToolMessage("no such tool", tool_call_id="c1", name="add", status="error"),
    AIMessage(
        "It is 4.",
        usage_metadata={"input_tokens": 9, "output_tokens": 3, "total_tokens": 12},
        response_metadata={"finish_reason": "stop", "model_name": "m1"},
    ),
]
FORMS: dict[str, list[Any]] = {
    "serialised": [dumpd(message) for message in MESSAGES],
    "dict": messages_to_dict(MESSAGES),
    "dump": [message.model_dump() for message in MESSAGES],
}


def _read(folder: Path, value: Any) -> list[ForeignTrial]:
    path = folder / "messages.json"
    path.write_text(json.dumps(value))
    source = open_source(path, folder)
    assert recognise(source, IMPORTERS) is langchain.IMPORTER
    return list(langchain.read(source, Losses()))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_tells_the_same(tmp_path: Path, form: str) -> None:
    (trial,) = _read(tmp_path, FORMS[form])

    told = [(e.role, e.content) for e in trial.events if isinstance(e, MessageEvent)]
    assert told == [
        ("system", "be kind"),
        ("user", "2 + 2?"),
        ("assistant", ""),
        ("assistant", "It is 4."),
    ]
    (reply,) = [event for event in trial.events if isinstance(event, ObservationEvent)]
    assert (reply.tool, reply.content, reply.is_error) == ("add", "no such tool", True)
    (call,) = [event for event in trial.events if isinstance(event, ModelCall)]
    assert call.usage is not None
    assert (call.model_id, call.usage.completion_tokens) == ("m1", 3)


@pytest.mark.parametrize("wrapped", ["messages", "values"])
def test_a_state_and_a_thread_hold_their_messages(tmp_path: Path, wrapped: str) -> None:
    state: dict[str, Any] = {"messages": FORMS["dump"]}
    value = state if wrapped == "messages" else {"thread_id": "t1", "values": state}

    (trial,) = _read(tmp_path, value)

    assert trial.task.prompt == "2 + 2?"


def test_raw_arguments_are_kept_where_they_are(tmp_path: Path) -> None:
    message = AIMessage(
        "", invalid_tool_calls=[{"name": "add", "args": '{"a": 2,', "id": "c1", "error": "cut"}]
    )

    (trial,) = _read(tmp_path, [dumpd(HumanMessage("go")), dumpd(message)])

    asked = [event for event in trial.events if isinstance(event, MessageEvent)][-1]
    assert [call.arguments_text for call in asked.tool_calls] == ['{"a": 2,']


@fuzzed
@given(mutated(json.loads(json.dumps(FORMS["serialised"]))))
def test_broken_messages_survive(broken: Any) -> None:
    assert_survives(langchain.IMPORTER, {"messages.json": as_bytes(broken)})
