"""OpenAI Responses."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given

from tests.record.importers.fuzzing import as_bytes, assert_survives, fuzzed, mutated
from trajaudit.datamodel.event import MessageEvent, ModelCall, ObservationEvent, ToolCallEvent
from trajaudit.record.importers import IMPORTERS, openai_responses
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise

ITEMS: list[dict[str, Any]] = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "2 + 2?"}]},
    {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "I add."}]},
    {
        "type": "function_call",
        "id": "fc_9",
        "call_id": "c1",
        "name": "add",
        "arguments": '{"a": 2, "b": 2}',
    },
    {"type": "function_call_output", "call_id": "c1", "output": "4"},
]
RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "m1",
    "instructions": "be kind",
    "input": ITEMS,
    "output": [
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "It is 4."}],
        }
    ],
    "tools": [{"type": "function", "name": "add", "parameters": {"type": "object"}}],
    "usage": {"input_tokens": 11, "output_tokens": 5},
}


def _read(folder: Path, value: Any, losses: Losses | None = None) -> list[ForeignTrial]:
    path = folder / "log.json"
    path.write_text(json.dumps(value))
    source = open_source(path, folder)
    assert recognise(source, IMPORTERS) is openai_responses.IMPORTER
    return list(openai_responses.read(source, losses or Losses()))


def _assistant(trial: ForeignTrial) -> list[MessageEvent]:
    return [e for e in trial.events if isinstance(e, MessageEvent) and e.role == "assistant"]


def test_a_stored_response_is_a_trial_with_its_input(tmp_path: Path) -> None:
    losses = Losses()

    (trial,) = _read(tmp_path, RESPONSE, losses)

    first, last = _assistant(trial)
    assert (first.reasoning, [call.call_id for call in first.tool_calls]) == ("I add.", ["c1"])
    assert last.content == "It is 4."
    (call,) = [event for event in trial.events if isinstance(event, ToolCallEvent)]
    assert (call.tool, call.arguments_text) == ("add", '{"a": 2, "b": 2}')
    (model_call,) = [event for event in trial.events if isinstance(event, ModelCall)]
    assert model_call.usage is not None
    assert model_call.usage.completion_tokens == 5
    assert trial.task.prompt == "2 + 2?"
    assert [tool.name for tool in trial.tools] == ["add"]
    assert losses.report() == ()


def test_a_list_of_items_is_a_trial(tmp_path: Path) -> None:
    (trial,) = _read(tmp_path, [*ITEMS, *RESPONSE["output"]])

    assert [message.content for message in _assistant(trial)] == ["", "It is 4."]


def test_calls_join_on_the_call_id_and_not_on_the_item_id(tmp_path: Path) -> None:
    other = {"type": "function_call", "id": "c1", "call_id": "c2", "name": "sub", "arguments": "{}"}

    (trial,) = _read(tmp_path, [ITEMS[0], ITEMS[2], other, ITEMS[3]])

    (reply,) = [event for event in trial.events if isinstance(event, ObservationEvent)]
    assert (reply.call_id, reply.tool) == ("c1", "add")


def test_a_call_that_the_provider_served_has_its_reply_with_it(tmp_path: Path) -> None:
    served = {
        "type": "mcp_call",
        "id": "m1",
        "name": "look",
        "arguments": '{"q": 1}',
        "output": None,
        "error": "not there",
    }

    (trial,) = _read(tmp_path, [ITEMS[0], served, *RESPONSE["output"]])

    (reply,) = [event for event in trial.events if isinstance(event, ObservationEvent)]
    assert (reply.tool, reply.content, reply.is_error) == ("look", "not there", True)


def test_a_response_that_was_cut_ended_at_its_token_limit(tmp_path: Path) -> None:
    cut = {**RESPONSE, "incomplete_details": {"reason": "max_output_tokens"}}

    (trial,) = _read(tmp_path, cut)

    assert trial.events[-1].model_dump()["reason"] == "token_limit"


def test_a_response_that_failed_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    failed = {**RESPONSE, "status": "failed", "error": {"code": "x", "message": "overloaded"}}

    (trial,) = _read(tmp_path, failed)

    end = trial.events[-1].model_dump()
    assert (end["reason"], end["detail"]) == ("infra_error", "overloaded")


def test_a_tool_whose_schema_no_run_could_hold_is_kept_without_it() -> None:
    """The run could not be read: a stored line may be nested 200 times and no more."""
    deep: Any = None
    for _ in range(230):
        deep = [deep]
    tool = {"type": "function", "name": "add", "parameters": {"type": deep}}

    assert_survives(
        openai_responses.IMPORTER, {"log.json": as_bytes({**RESPONSE, "tools": [tool]})}
    )


@fuzzed
@given(mutated(RESPONSE))
def test_a_broken_response_survives(broken: Any) -> None:
    assert_survives(openai_responses.IMPORTER, {"log.json": as_bytes(broken)})
