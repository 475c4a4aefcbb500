"""Whole answers in OpenAI's two formats, and what a request of either says."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trajaudit.llm.base import ModelRequest

Call = tuple[str, str, str]
"""Id, tool, raw arguments."""


def chat_body(
    request: ModelRequest,
    answer_id: str,
    text: str | None,
    calls: Sequence[Call],
    finish_reason: str | None,
) -> dict[str, Any]:
    """Return an answer of `/chat/completions`."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for call_id, name, arguments in calls
        ]
    reason = finish_reason or ("tool_calls" if calls else "stop")
    prompt, completion = _words(request.body.get("messages")), _words(message)
    return {
        "id": f"chatcmpl-{answer_id}",
        "object": "chat.completion",
        "created": 0,
        "model": str(request.body.get("model", "")),
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }


def responses_body(
    request: ModelRequest,
    answer_id: str,
    text: str | None,
    calls: Sequence[Call],
    finish_reason: str | None,
) -> dict[str, Any]:
    """Return an answer of `/responses`."""
    output = [*_message_items(answer_id, text), *_call_items(calls)]
    is_cut = finish_reason == "length"
    prompt, completion = _words(request.body.get("input")), _words(output)
    return {
        "id": f"resp_{answer_id}",
        "object": "response",
        "created_at": 0,
        "model": str(request.body.get("model", "")),
        "status": "incomplete" if is_cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
        "error": None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": list(request.body.get("tools") or ()),
        "usage": {
            "input_tokens": prompt,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": completion,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": prompt + completion,
        },
    }


def _message_items(answer_id: str, text: str | None) -> list[dict[str, Any]]:
    if text is None:
        return []
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": f"msg_{answer_id}", "role": "assistant", "content": [part]}
    return [{**item, "status": "completed"}]


def _call_items(calls: Sequence[Call]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function_call",
            "id": f"fc_{call_id}",
            "call_id": call_id,
            "name": name,
            "arguments": arguments,
            "status": "completed",
        }
        for call_id, name, arguments in calls
    ]


def _words(value: Any) -> int:
    """A stand-in for tokens, the same on every machine: words of the JSON."""
    return len(json.dumps(value, default=str).split())


def turns(request: ModelRequest) -> int:
    """Return how often the model has answered in the history that the request holds."""
    said = [_is_the_models(item) for item in _items(request)]
    if request.endpoint == "chat":
        return sum(said)
    # One answer of `/responses` is several items; they stand together.
    before = [False, *said][: len(said)]
    return sum(now and not earlier for now, earlier in zip(said, before, strict=True))


def last_text(request: ModelRequest) -> str:
    """Return the text of the last message, which is what the model answers to."""
    items = _items(request)
    return _text(items[-1]) if items else ""


def _items(request: ModelRequest) -> list[Mapping[str, Any]]:
    key = "messages" if request.endpoint == "chat" else "input"
    given = request.body.get(key) or []
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [item for item in given if isinstance(item, Mapping)]


def _is_the_models(item: Mapping[str, Any]) -> bool:
    return item.get("role") == "assistant" or item.get("type") in ("function_call", "reasoning")


def _text(item: Mapping[str, Any]) -> str:
    content = item.get("content", item.get("output"))
    if isinstance(content, str):
        return content
    parts: Iterable[Any] = content if isinstance(content, list) else ()
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))
