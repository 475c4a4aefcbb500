"""One short dialogue as spans of five dialects."""

import json
from typing import Any

CALL = {"id": "c1", "name": "add", "arguments": '{"a": 2, "b": 2}'}
OPENAI_CALL = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
LATEST = (
    {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m1",
        "gen_ai.input.messages": json.dumps(
            [{"role": "user", "parts": [{"type": "text", "content": "2 + 2?"}]}]
        ),
        "gen_ai.output.messages": json.dumps(
            [
                {
                    "role": "assistant",
                    "parts": [{"type": "tool_call", **CALL}],
                    "finish_reason": "tool_call",
                }
            ]
        ),
        "gen_ai.tool.definitions": json.dumps(
            [{"type": "function", "name": "add", "parameters": {"type": "object"}}]
        ),
    },
    {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m1",
        "gen_ai.input.messages": json.dumps(
            [
                {"role": "user", "parts": [{"type": "text", "content": "2 + 2?"}]},
                {"role": "assistant", "parts": [{"type": "tool_call", **CALL}]},
                {
                    "role": "tool",
                    "parts": [{"type": "tool_call_response", "id": "c1", "response": "4"}],
                },
            ]
        ),
        "gen_ai.output.messages": json.dumps(
            [
                {
                    "role": "assistant",
                    "parts": [{"type": "text", "content": "It is 4."}],
                    "finish_reason": "stop",
                }
            ]
        ),
    },
)
LLMETRY = (
    {
        "llm.request.type": "chat",
        "gen_ai.request.model": "m1",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "2 + 2?",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "add",
        "gen_ai.completion.0.tool_calls.0.arguments": "{}",
    },
    {
        "llm.request.type": "chat",
        "gen_ai.request.model": "m1",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "2 + 2?",
        "gen_ai.prompt.1.role": "assistant",
        "gen_ai.prompt.1.tool_calls.0.id": "c1",
        "gen_ai.prompt.1.tool_calls.0.name": "add",
        "gen_ai.prompt.1.tool_calls.0.arguments": "{}",
        "gen_ai.prompt.2.role": "tool",
        "gen_ai.prompt.2.tool_call_id": "c1",
        "gen_ai.prompt.2.content": "4",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "It is 4.",
    },
)
_IN, _OUT = "llm.input_messages", "llm.output_messages"
_CALLED = "message.tool_calls.0.tool_call"
INFERENCE = (
    {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m1",
        f"{_IN}.0.message.role": "user",
        f"{_IN}.0.message.content": "2 + 2?",
        f"{_OUT}.0.message.role": "assistant",
        f"{_OUT}.0.{_CALLED}.id": "c1",
        f"{_OUT}.0.{_CALLED}.function.name": "add",
        f"{_OUT}.0.{_CALLED}.function.arguments": "{}",
    },
    {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m1",
        f"{_IN}.0.message.role": "user",
        f"{_IN}.0.message.content": "2 + 2?",
        f"{_IN}.1.message.role": "assistant",
        f"{_IN}.1.{_CALLED}.id": "c1",
        f"{_IN}.1.{_CALLED}.function.name": "add",
        f"{_IN}.1.{_CALLED}.function.arguments": "{}",
        f"{_IN}.2.message.role": "tool",
        f"{_IN}.2.message.tool_call_id": "c1",
        f"{_IN}.2.message.content": "4",
        f"{_OUT}.0.message.role": "assistant",
        f"{_OUT}.0.message.contents.0.message_content.type": "text",
        f"{_OUT}.0.message.contents.0.message_content.text": "It is 4.",
    },
)


def as_events(*events: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, "attributes": as_attributes(found)} for name, found in events]


def as_attributes(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in found.items()]


OLD = (
    as_events(
        ("gen_ai.user.message", {"content": "2 + 2?"}),
        (
            "gen_ai.choice",
            {
                "finish_reason": "tool_calls",
                "message": json.dumps({"tool_calls": [OPENAI_CALL]}),
            },
        ),
    ),
    as_events(
        ("gen_ai.user.message", {"content": "2 + 2?"}),
        ("gen_ai.assistant.message", {"tool_calls": json.dumps([OPENAI_CALL])}),
        ("gen_ai.tool.message", {"id": "c1", "content": "4"}),
        ("gen_ai.choice", {"message": json.dumps({"content": "It is 4."})}),
    ),
)
