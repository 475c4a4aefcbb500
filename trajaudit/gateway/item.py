"""One entry of a conversation, the same in whichever of OpenAI's formats an agent wrote it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from trajaudit.datamodel.event import RequestedCall
from trajaudit.record.event_line import escaped
from trajaudit.record.raw_json import parsed

Role = Literal["system", "developer", "user", "assistant", "tool"]
ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
NAME_CHARS = 200
"""Of a tool's name or a call's id, which an agent or a model may choose."""
LEGACY_ID = "function_call:"
"""Before the name: the call id of a `function_call`, which has none of its own."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A message as it is compared and journalled."""

    role: Role
    content: str
    calls: tuple[RequestedCall, ...] = ()
    call_id: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    key: bytes = field(init=False, repr=False)
    """Equal for items that differ in form only: ids, spelling of JSON, outer blanks, reasoning."""

    def __post_init__(self) -> None:
        role = "system" if self.role == "developer" else self.role
        calls = [[call.tool, canonical(call.arguments_text)] for call in self.calls]
        content = escaped(self.content.strip())[0]
        text = json.dumps([role, content, calls, self.refusal])
        object.__setattr__(self, "key", hashlib.sha256(text.encode()).digest())


def canonical(arguments_text: str) -> str:
    """Return JSON text in one spelling; text that is no JSON stays as it is."""
    value, fault = parsed(arguments_text)
    return arguments_text if fault else json.dumps(value, sort_keys=True)


def text_of(content: Any) -> str:
    """Return the text of a `content`: a string, a list of parts, or nothing.

    A part that is no text is written as compact JSON, so that nothing is lost unseen.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_part_text(part) for part in content)
    return _json(content)


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping):
        for name in ("text", "refusal"):
            if isinstance(part.get(name), str):
                return str(part[name])
    return _json(part)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def chat_items(messages: Iterable[Any]) -> list[Item]:
    """Return the items of chat messages; what is no message at all is kept as a user's text."""
    return [chat_item(message) for message in messages]


def chat_item(message: Any) -> Item:
    """Return the item of one chat message."""
    if not isinstance(message, Mapping):
        return Item(role="user", content=_json(message))
    role = ROLES.get(str(message.get("role")), "user")
    content = text_of(message.get("content"))
    if role == "tool":
        name = _string(message.get("name"))
        call_id = _string(message.get("tool_call_id")) or (LEGACY_ID + name if name else "")
        return Item(role=role, content=content, call_id=call_id[:NAME_CHARS] or None)
    return Item(
        role=role,
        content=content,
        calls=tuple(_chat_calls(message)) if role == "assistant" else (),
        reasoning=_string(message.get("reasoning_content") or message.get("reasoning")) or None,
        refusal=_string(message.get("refusal")) or None,
    )


def _chat_calls(message: Mapping[str, Any]) -> Iterable[RequestedCall]:
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if not isinstance(call, Mapping):
            continue
        asked = call.get("function") or call.get("custom")
        if isinstance(asked, Mapping):
            text = asked.get("arguments", asked.get("input"))
            yield _requested(_string(call.get("id")), asked.get("name"), text)
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        name = _string(legacy.get("name"))
        yield _requested(LEGACY_ID + name, name, legacy.get("arguments"))


def _requested(call_id: str, name: Any, arguments: Any) -> RequestedCall:
    # Some servers send the arguments as an object instead of its text.
    text = arguments if isinstance(arguments, str) else _json(arguments)
    text = "" if arguments is None else text
    tool = _string(name)[:NAME_CHARS]
    return RequestedCall(call_id=call_id[:NAME_CHARS], tool=tool, arguments_text=text)


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def response_items(entries: Iterable[Any]) -> list[Item]:
    """Return the items of Responses input or output.

    A reasoning entry, a message and the calls that follow it are one assistant's item.
    """
    items: list[Item] = []
    reasoning = ""
    for entry in entries:
        if not isinstance(entry, Mapping):
            items.append(Item(role="user", content=text_of(entry)))
            continue
        kind = _string(entry.get("type")) or "message"
        if kind == "reasoning":
            reasoning += _reasoning(entry)
        elif kind in ("function_call", "custom_tool_call"):
            text = entry.get("arguments", entry.get("input"))
            call = _requested(_string(entry.get("call_id")), entry.get("name"), text)
            _add_call(items, call, reasoning)
            reasoning = ""
        else:
            items.append(_response_item(kind, entry, reasoning))
            reasoning = ""
    if reasoning:
        items.append(Item(role="assistant", content="", reasoning=reasoning))
    return items


def _add_call(items: list[Item], call: RequestedCall, reasoning: str) -> None:
    if items and items[-1].role == "assistant" and not reasoning:
        items[-1] = replace(items[-1], calls=(*items[-1].calls, call))
    else:
        items.append(Item(role="assistant", content="", calls=(call,), reasoning=reasoning or None))


def _response_item(kind: str, entry: Mapping[str, Any], reasoning: str) -> Item:
    if kind in ("function_call_output", "custom_tool_call_output"):
        content = text_of(entry.get("output"))
        call_id = _string(entry.get("call_id"))[:NAME_CHARS]
        return Item(role="tool", content=content, call_id=call_id or None)
    if kind != "message":
        return Item(role="assistant", content=_json(entry), reasoning=reasoning or None)
    role = ROLES.get(str(entry.get("role")), "user")
    content = text_of(entry.get("content"))
    return Item(role=role, content=content, reasoning=reasoning or None)


def _reasoning(entry: Mapping[str, Any]) -> str:
    parts = [entry.get("summary"), entry.get("content")]
    return "".join(text_of(part) for part in parts if isinstance(part, list))
