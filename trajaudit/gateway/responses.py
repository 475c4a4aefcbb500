"""Responses requests for models that only chat: converted there, and the answers back."""

import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from trajaudit.gateway.item import text_of

_SAME = (
    "temperature",
    "top_p",
    "parallel_tool_calls",
    "user",
    "metadata",
    "service_tier",
    "seed",
    "stop",
    "model",
)
_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}
Messages = list[dict[str, Any]]


def chat_request(body: Mapping[str, Any], messages: Messages) -> tuple[dict[str, Any], list[str]]:
    """Return a chat request for a Responses request, and what of it had to be left out.

    Args:
        body: the Responses request.
        messages: the whole conversation as chat messages.
    """
    chat = {name: body[name] for name in _SAME if body.get(name) is not None}
    chat["messages"] = messages
    if body.get("max_output_tokens") is not None:
        chat["max_tokens"] = body["max_output_tokens"]
    left_out = []
    tools = body.get("tools") or []
    kept = [_chat_tool(tool) for tool in tools if tool.get("type") == "function"]
    left_out += [f"tool of type {tool.get('type')!r}" for tool in tools if _chat_tool(tool) == {}]
    if kept:
        chat["tools"] = kept
        if body.get("tool_choice") is not None:
            chat["tool_choice"] = _chat_choice(body["tool_choice"])
    if body.get("reasoning"):
        left_out.append("reasoning")
    form = (body.get("text") or {}).get("format") or {}
    if form.get("type") == "json_schema":
        schema = {key: form[key] for key in ("name", "schema", "strict") if form.get(key)}
        chat["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif form.get("type") == "json_object":
        chat["response_format"] = {"type": "json_object"}
    return chat, left_out


def _chat_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    if tool.get("type") != "function":
        return {}
    names = ("name", "description", "parameters", "strict")
    function = {key: tool[key] for key in names if tool.get(key) is not None}
    return {"type": "function", "function": function}


def _chat_choice(choice: Any) -> Any:
    if isinstance(choice, Mapping) and choice.get("type") == "function":
        return {"type": "function", "function": {"name": choice.get("name")}}
    return choice


def chat_messages(entries: list[Any]) -> tuple[Messages, list[str]]:
    """Return chat messages for Responses items, and what of them had to be left out."""
    messages: Messages = []
    left_out: list[str] = []
    for entry in entries:
        kind = entry.get("type") or "message"
        if kind == "message":
            messages.append(_chat_message(entry))
        elif kind == "function_call":
            _add_call(messages, entry)
        elif kind == "function_call_output":
            content = text_of(entry.get("output"))
            messages.append(
                {"role": "tool", "tool_call_id": entry.get("call_id"), "content": content}
            )
        else:
            left_out.append(f"item of type {kind!r}")
    return messages, left_out


def _chat_message(entry: Mapping[str, Any]) -> dict[str, Any]:
    role = entry.get("role", "user")
    content = entry.get("content")
    if role != "user" or not isinstance(content, list):
        return {"role": role, "content": text_of(content)}
    return {"role": role, "content": [_chat_part(part) for part in content]}


def _chat_part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part.get("type") == "input_image" and part.get("image_url"):
        return {"type": "image_url", "image_url": {"url": part["image_url"]}}
    return {"type": "text", "text": text_of([part])}


def _add_call(messages: Messages, entry: Mapping[str, Any]) -> None:
    function = {"name": entry.get("name"), "arguments": entry.get("arguments") or ""}
    call = {"id": entry.get("call_id"), "type": "function", "function": function}
    if messages and messages[-1]["role"] == "assistant":
        messages[-1].setdefault("tool_calls", []).append(call)
    else:
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})


def response_body(chat: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Responses answer that says what a chat answer says."""
    choice = chat["choices"][0]
    reason = _INCOMPLETE.get(choice.get("finish_reason") or "")
    return {
        "id": f"resp_{uuid.uuid4().hex}",
        "object": "response",
        "created_at": int(chat.get("created") or time.time()),
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "error": None,
        "instructions": request.get("instructions"),
        "metadata": request.get("metadata") or {},
        "model": chat.get("model") or request.get("model"),
        "output": list(_output(choice["message"])),
        "parallel_tool_calls": request.get("parallel_tool_calls", True),
        "previous_response_id": request.get("previous_response_id"),
        "temperature": request.get("temperature"),
        "top_p": request.get("top_p"),
        "tool_choice": request.get("tool_choice", "auto"),
        "tools": request.get("tools") or [],
        "usage": _usage(chat.get("usage")),
    }


def _output(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    thought = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(thought, str) and thought:
        summary = [{"type": "summary_text", "text": thought}]
        yield {"type": "reasoning", "id": f"rs_{uuid.uuid4().hex}", "summary": summary}
    content = text_of(message.get("content"))
    calls = message.get("tool_calls") or []
    parts: list[dict[str, Any]] = []
    if content or not (calls or message.get("refusal")):
        parts.append({"type": "output_text", "text": content, "annotations": [], "logprobs": []})
    if message.get("refusal"):
        parts.append({"type": "refusal", "refusal": message["refusal"]})
    if parts:
        head = {"type": "message", "id": f"msg_{uuid.uuid4().hex}", "role": "assistant"}
        yield {**head, "status": "completed", "content": parts}
    for call in calls:
        function = call.get("function") or {}
        yield {
            "type": "function_call",
            "id": f"fc_{uuid.uuid4().hex}",
            "call_id": call.get("id") or f"call_{uuid.uuid4().hex}",
            "name": function.get("name") or "",
            "arguments": function.get("arguments") or "",
            "status": "completed",
        }


def _usage(usage: Any) -> dict[str, Any] | None:
    if not isinstance(usage, Mapping):
        return None
    given, made = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    thought = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
    return {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": made,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": given + made,
    }
