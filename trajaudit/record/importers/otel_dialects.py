"""Five ways in which spans tell what a model was asked and what it said; all become chat messages.

GenAI conventions (attributes `gen_ai.input.messages`, or the event
`gen_ai.client.inference.operation.details`), their older form (one event a message), OpenLLMetry
(`gen_ai.prompt.0.content`), OpenInference (`llm.input_messages.0.message.content`).
"""

import re
from typing import Any

from trajaudit.record.importers.json_source import loads
from trajaudit.record.importers.otlp import Span
from trajaudit.record.importers.shapes import as_dict, as_list, as_text, first, json_text

Message = dict[str, Any]
_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
_DETAILS = "gen_ai.client.inference.operation.details"


def messages_of(span: Span) -> tuple[list[Message], list[Message]]:
    """Return what the model got and what it gave, as OpenAI chat messages; empty: not recorded."""
    attributes = dict(span.attributes)
    for name, of_event in span.events:
        if name == _DETAILS:
            attributes.update(of_event)
    for read in (_latest, _openinference, _openllmetry):
        given, made = read(attributes)
        if given or made:
            return given, made
    return _by_events(span)


def _latest(attributes: dict[str, Any]) -> tuple[list[Message], list[Message]]:
    system = parsed(attributes.get("gen_ai.system_instructions"))
    given: list[Message] = []
    if isinstance(system, str) and system:
        given.append({"role": "system", "content": system})
    elif as_list(system):
        given.append({"role": "system", "content": _text_of_parts(as_list(system))})
    for message in as_list(parsed(attributes.get("gen_ai.input.messages"))):
        given += _from_parts(as_dict(message))
    made: list[Message] = []
    for message in as_list(parsed(attributes.get("gen_ai.output.messages"))):
        made += _from_parts(as_dict(message))
    return given, made


def _from_parts(message: Message) -> list[Message]:
    """Turn a message of parts into chat messages: each tool reply is one of its own."""
    parts = [as_dict(part) for part in as_list(message.get("parts"))]
    if not parts:
        return [message] if message.get("role") else []
    calls = [
        {
            "id": part.get("id"),
            "function": {"name": part.get("name"), "arguments": part.get("arguments")},
        }
        for part in parts
        if part.get("type") == "tool_call"
    ]
    replies = [
        {
            "role": "tool",
            "tool_call_id": part.get("id"),
            "content": as_text(first(part, "response", "result")),
        }
        for part in parts
        if part.get("type") == "tool_call_response"
    ]
    thoughts = [as_text(part.get("content")) for part in parts if part.get("type") == "reasoning"]
    text = _text_of_parts(parts)
    made: list[Message] = []
    if text or calls or thoughts or not replies:
        role = message.get("role") or "assistant"
        made.append(
            {
                "role": role,
                "content": text,
                **({"tool_calls": calls} if calls else {}),
                **({"reasoning": "\n".join(thoughts)} if thoughts else {}),
                **({"finish_reason": _finish(message)} if message.get("finish_reason") else {}),
            }
        )
    return made + replies


def _finish(message: Message) -> str:
    reason = as_text(message.get("finish_reason"))
    return "tool_calls" if reason == "tool_call" else reason


def _text_of_parts(parts: list[Any]) -> str:
    texts = [
        as_text(as_dict(part).get("content"))
        for part in parts
        if as_dict(part).get("type") == "text"
    ]
    return "\n".join(texts)


def _openinference(attributes: dict[str, Any]) -> tuple[list[Message], list[Message]]:
    tree = as_dict(nested(attributes, "llm"))
    return (
        [_inference(as_dict(one)) for one in as_list(tree.get("input_messages"))],
        [_inference(as_dict(one)) for one in as_list(tree.get("output_messages"))],
    )


def _inference(entry: Message) -> Message:
    message = as_dict(entry.get("message"))
    content = message.get("content")
    if content is None:
        inner = [
            as_dict(as_dict(one).get("message_content")) for one in as_list(message.get("contents"))
        ]
        content = "\n".join(as_text(one.get("text")) for one in inner if one.get("type") == "text")
    calls = []
    for one in as_list(message.get("tool_calls")):
        call = as_dict(as_dict(one).get("tool_call"))
        calls.append({"id": call.get("id"), "function": as_dict(call.get("function"))})
    return {
        "role": message.get("role") or "assistant",
        "content": content,
        **({"tool_calls": calls} if calls else {}),
        **({"tool_call_id": message["tool_call_id"]} if message.get("tool_call_id") else {}),
        **({"name": message["name"]} if message.get("name") else {}),
    }


def _openllmetry(attributes: dict[str, Any]) -> tuple[list[Message], list[Message]]:
    tree = as_dict(nested(attributes, "gen_ai"))
    return (
        [_llmetry(as_dict(one), "user") for one in as_list(tree.get("prompt"))],
        [_llmetry(as_dict(one), "assistant") for one in as_list(tree.get("completion"))],
    )


def _llmetry(message: Message, role: str) -> Message:
    calls = [
        {
            "id": as_dict(one).get("id"),
            "function": {
                "name": as_dict(one).get("name"),
                "arguments": as_dict(one).get("arguments"),
            },
        }
        for one in as_list(message.get("tool_calls"))
    ]
    return {
        "role": message.get("role") or role,
        "content": _plain(message.get("content")),
        **({"tool_calls": calls} if calls else {}),
        **({"tool_call_id": message["tool_call_id"]} if message.get("tool_call_id") else {}),
        **({"finish_reason": message["finish_reason"]} if message.get("finish_reason") else {}),
    }


def _plain(content: Any) -> Any:
    """Content that is a list of parts comes as its JSON."""
    if isinstance(content, str) and content.startswith("[{"):
        value = parsed(content)
        if isinstance(value, list) and all("type" in as_dict(part) for part in value):
            return value
    return content


def _by_events(span: Span) -> tuple[list[Message], list[Message]]:
    given: list[Message] = []
    made: list[Message] = []
    for name, attributes in span.events:
        fields = {**attributes, **as_dict(parsed(attributes.get("body")))}
        match = _EVENT.fullmatch(name)
        if match:
            calls = parsed(fields.get("tool_calls"))
            message = {"role": match[1], "content": _plain(fields.get("content"))}
            if as_list(calls):
                message["tool_calls"] = calls
            if match[1] == "tool":
                message["tool_call_id"] = fields.get("id")
            given.append(message)
        elif name == "gen_ai.choice":
            inner = as_dict(parsed(fields.get("message"))) or fields
            message = {"role": "assistant", "content": _plain(inner.get("content"))}
            calls = parsed(first(inner, "tool_calls") or fields.get("tool_calls"))
            if as_list(calls):
                message["tool_calls"] = calls
            if isinstance(fields.get("finish_reason"), str):
                message["finish_reason"] = fields["finish_reason"]
            made.append(message)
    return given, made


def parsed(value: Any) -> Any:
    """Return the value of a JSON text; anything else as it is."""
    if isinstance(value, str) and value[:1] in "[{":
        try:
            return loads(value.encode("utf-8", "surrogatepass"))
        except (ValueError, UnicodeError):
            return value
    return value


def nested(attributes: dict[str, Any], prefix: str) -> Any:
    """Return dotted attributes below a prefix as a tree; numbered keys become lists."""
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        parts = key.split(".")
        if parts[0] != prefix or len(parts) > 20:
            continue
        place = tree
        for part in parts[1:-1]:
            inner = place.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            place = inner
        else:
            place.setdefault(parts[-1], value)
    return _listed(tree)


def _listed(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    inner = {key: _listed(value) for key, value in tree.items()}
    if inner and all(key.isdecimal() and len(key) < 9 for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def key_of(message: Message) -> str:
    """Return what makes two messages the same: role, text and call ids."""
    ids = [as_dict(call).get("id") for call in as_list(message.get("tool_calls"))]
    return json_text(
        [message.get("role"), message.get("content"), ids, message.get("tool_call_id")]
    )
