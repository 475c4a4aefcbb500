"""LangChain's messages in the three forms in which they are stored, as chat messages.

`{"lc": 1, "type": "constructor", "id": [..., "AIMessage"], "kwargs": {...}}` (serialised objects),
`{"type": "ai", "data": {...}}` (`messages_to_dict`) and `{"type": "ai", "content": ...}`
(`model_dump`).
"""

from typing import Any

from trajaudit.record.importers.shapes import as_count, as_dict, as_list, as_text, first

Message = dict[str, Any]
_ROLES = {
    "ai": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "human": "user",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "system": "system",
    "systemmessage": "system",
    "tool": "tool",
    "toolmessage": "tool",
    "function": "tool",
    "functionmessage": "tool",
}
_OPENAI_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


def is_message(value: Any) -> bool:
    """Return whether a value is a message in one of LangChain's own forms."""
    fields = as_dict(value)
    if fields.get("lc") == 1 and as_list(fields.get("id")):
        return as_text(fields["id"][-1]).lower() in _ROLES
    has_text = "content" in fields or "content" in as_dict(fields.get("data"))
    return has_text and _role(fields) is not None and "role" not in fields


def chat_message(value: Any) -> Message | None:
    """Return a message in OpenAI's form; None where it is none of either form."""
    fields = as_dict(value)
    if as_text(fields.get("role")) in _OPENAI_ROLES:
        return fields
    role = _role(fields)
    inner = as_dict(first(fields, "kwargs", "data")) or fields
    if role is None:
        return None
    extra = as_dict(inner.get("additional_kwargs"))
    made: Message = {"role": role, "content": _content(inner.get("content"))}
    calls = _calls(inner, extra)
    if calls:
        made["tool_calls"] = calls
    if role == "tool":
        made["tool_call_id"] = as_text(inner.get("tool_call_id"))
        made["name"] = as_text(inner.get("name"))
        made["is_error"] = inner.get("status") == "error"
    reason = first(as_dict(inner.get("response_metadata")), "finish_reason", "stop_reason")
    if isinstance(reason, str):
        made["finish_reason"] = {"max_tokens": "length"}.get(reason, reason)
    if extra.get("reasoning_content"):
        made["reasoning_content"] = as_text(extra["reasoning_content"])
    return made


def usage_of(value: Any) -> tuple[int, int] | None:
    """Return the prompt and completion tokens that an AI message tells."""
    fields = as_dict(value)
    inner = as_dict(first(fields, "kwargs", "data")) or fields
    usage = as_dict(inner.get("usage_metadata"))
    if not usage:
        return None
    return as_count(usage.get("input_tokens")), as_count(usage.get("output_tokens"))


def _role(fields: Message) -> str | None:
    if fields.get("lc") == 1:
        names = as_list(fields.get("id"))
        return _ROLES.get(as_text(names[-1]).lower()) if names else None
    return _ROLES.get(as_text(fields.get("type")).lower())


def _content(content: Any) -> Any:
    """Parts that only repeat a tool call are left out: the call stands in `tool_calls`."""
    if not isinstance(content, list):
        return content
    silent = {"tool_use", "tool_call", "function_call", "thinking", "reasoning"}
    return [part for part in content if as_dict(part).get("type") not in silent]


def _calls(inner: Message, extra: Message) -> list[Message]:
    # The raw text of arguments survives only in `additional_kwargs` and in invalid calls.
    raw = as_list(extra.get("tool_calls"))
    if raw and all(as_dict(as_dict(call).get("function")).get("arguments") for call in raw):
        return [as_dict(call) for call in raw]
    found = [*as_list(inner.get("tool_calls")), *as_list(inner.get("invalid_tool_calls"))]
    return [
        {
            "id": as_dict(call).get("id"),
            "function": {
                "name": as_dict(call).get("name"),
                "arguments": as_dict(call).get("args"),
            },
        }
        for call in found
    ]
