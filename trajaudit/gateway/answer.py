"""What a model's answer says, in whichever of OpenAI's formats it came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from trajaudit.datamodel.event import Usage
from trajaudit.gateway.item import Item, chat_item, response_items
from trajaudit.llm.base import Endpoint

MAX_TEXT = 500
_PARAMS = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "seed",
    "stop",
    "n",
    "tool_choice",
    "parallel_tool_calls",
    "reasoning_effort",
    "previous_response_id",
)


@dataclass(frozen=True)
class Reply:
    """One reply of a model; a chat answer with `n` choices holds several."""

    items: Sequence[Item]
    finish_reason: str | None


def replies(endpoint: Endpoint, body: Mapping[str, Any]) -> list[Reply]:
    """Return the replies in an answer."""
    if endpoint == "responses":
        output = body.get("output")
        items = response_items(output if isinstance(output, list) else ())
        return [Reply(items or [Item(role="assistant", content="")], _status_reason(body, items))]
    choices = body.get("choices")
    found = []
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping) and isinstance(choice.get("message"), Mapping):
            item = chat_item({**choice["message"], "role": "assistant"})
            found.append(Reply([item], _text(choice.get("finish_reason"))))
    return found


def _status_reason(body: Mapping[str, Any], items: Sequence[Item]) -> str | None:
    """Return the finish reason in the words of the chat format."""
    details = body.get("incomplete_details")
    if isinstance(details, Mapping) and details.get("reason"):
        reason = _text(details["reason"])
        return "length" if reason == "max_output_tokens" else reason
    if body.get("status") == "completed":
        return "tool_calls" if any(item.calls for item in items) else "stop"
    return _text(body.get("status"))


def usage(body: Mapping[str, Any]) -> Usage | None:
    """Return the tokens that an answer reports, of either format; None: it reports none."""
    told = body.get("usage")
    if not isinstance(told, Mapping):
        return None
    inputs = told.get("prompt_tokens_details") or told.get("input_tokens_details")
    outputs = told.get("completion_tokens_details") or told.get("output_tokens_details")
    return Usage(
        prompt_tokens=_count(told, "prompt_tokens", "input_tokens"),
        completion_tokens=_count(told, "completion_tokens", "output_tokens"),
        reasoning_tokens=_count(outputs, "reasoning_tokens"),
        cached_tokens=_count(inputs, "cached_tokens"),
    )


def _count(fields: Any, *names: str) -> int:
    values = [fields.get(name) for name in names] if isinstance(fields, Mapping) else []
    return next((value for value in values if isinstance(value, int) and value >= 0), 0)


def params(body: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return the parameters of a request that are worth a line in the journal."""
    return {name: _short(body[name]) for name in _PARAMS if body.get(name) is not None}


def _short(value: Any) -> JsonValue:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return str(value)[:MAX_TEXT]


def tool_names(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the tools that a request offers to the model, at most 200."""
    tools = body.get("tools")
    names = []
    for tool in tools[:200] if isinstance(tools, list) else ():
        spec = tool.get("function", tool) if isinstance(tool, Mapping) else None
        if isinstance(spec, Mapping) and isinstance(spec.get("name"), str):
            names.append(spec["name"][:200])
    return tuple(names)


def _text(value: Any) -> str | None:
    return value[:MAX_TEXT] if isinstance(value, str) else None
