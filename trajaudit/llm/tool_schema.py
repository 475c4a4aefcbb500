"""Tool calls of a model that has none: asked for through a JSON schema and read back."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_CALL = re.compile(r'\s*\{\s*"tool"\s*:\s*"([^"\\]*)"\s*,\s*"arguments"\s*:\s*')
_REPLY = re.compile(r'\s*\{\s*"reply"\s*:\s*"')
_KEPT = frozenset(
    {"type", "properties", "required", "enum", "const", "items", "anyOf", "oneOf", "allOf"}
    | {"minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"}
    | {"exclusiveMinimum", "exclusiveMaximum", "additionalProperties", "$ref", "$defs"}
)
"""What llama.cpp turns into a grammar; a pattern it cannot express would fail the request."""


def with_tools(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request without tools: they stand in the system message and the schema."""
    tools = list(_chosen(body))
    must_call = body.get("tool_choice") not in (None, "auto", "none")
    left_out = ("tools", "tool_choice", "parallel_tool_calls")
    plain = {key: value for key, value in body.items() if key not in left_out}
    messages = [_plain_message(message, body["messages"]) for message in body["messages"]]
    if not tools:
        return {**plain, "messages": messages}
    return {
        **plain,
        "messages": _with_system(messages, _describe(tools, must_call=must_call)),
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "step", "schema": step_schema(tools, must_call=must_call)},
        },
    }


def _chosen(body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    choice = body.get("tool_choice", "auto")
    named = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    for tool in body.get("tools") or ():
        function = tool.get("function", tool)
        if choice != "none" and named in (None, function.get("name")):
            yield function


def step_schema(tools: Sequence[Mapping[str, Any]], *, must_call: bool) -> dict[str, Any]:
    """Return the schema of one step: a call of one of the tools, or a reply."""
    steps: list[dict[str, Any]] = [
        _closed({"tool": {"const": tool["name"]}, "arguments": _arguments(tool)}) for tool in tools
    ]
    if not must_call:
        steps.append(_closed({"reply": {"type": "string"}}))
    return {"anyOf": steps}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _arguments(tool: Mapping[str, Any]) -> dict[str, Any]:
    schema = _expressible(tool.get("parameters") or {})
    if schema.get("type", "object") != "object":
        return {"type": "object"}
    return {"type": "object", "properties": {}, "additionalProperties": False, **schema}


def _expressible(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_expressible(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs") and isinstance(value, dict):
            kept[key] = {name: _expressible(part) for name, part in value.items()}
        elif key in ("enum", "const"):
            kept[key] = value
        elif key in _KEPT:
            kept[key] = _expressible(value)
    return kept


def _describe(tools: Sequence[Mapping[str, Any]], *, must_call: bool) -> str:
    lines = ["You can use these tools:"]
    lines += [_signature(tool) for tool in tools]
    example = {"tool": tools[0]["name"], "arguments": _example(tools[0])}
    lines.append(f"Use a tool by writing JSON like this: {json.dumps(example)}")
    if not must_call:
        lines.append('When you know the answer, write it like this: {"reply": "the answer"}')
    return "\n".join(lines)


def _signature(tool: Mapping[str, Any]) -> str:
    properties = (tool.get("parameters") or {}).get("properties") or {}
    arguments = ", ".join(properties)
    return f"- {tool['name']}({arguments}): {tool.get('description') or ''}".rstrip(": ")


def _example(tool: Mapping[str, Any]) -> dict[str, str]:
    parameters = tool.get("parameters") or {}
    names = parameters.get("required") or list(parameters.get("properties") or {})[:1]
    return dict.fromkeys(names, "...")


def _with_system(messages: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    if messages and messages[0]["role"] == "system":
        first = {"role": "system", "content": f"{messages[0]['content']}\n\n{text}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": text}, *messages]


def _plain_message(message: Mapping[str, Any], all_messages: Any) -> dict[str, Any]:
    role = message.get("role")
    text = _text(message.get("content"))
    if role == "tool":
        name = _name_of(message.get("tool_call_id"), all_messages)
        return {"role": "user", "content": f"Result of {name}: {text}"}
    if role == "assistant" and message.get("tool_calls"):
        calls = [_written(call["function"]) for call in message["tool_calls"]]
        return {"role": "assistant", "content": "\n".join([text, *calls] if text else calls)}
    return {"role": "system" if role == "developer" else role, "content": text}


def _written(function: Mapping[str, Any]) -> str:
    return f'{{"tool": "{function.get("name")}", "arguments": {function.get("arguments") or "{}"}}}'


def _name_of(call_id: Any, messages: Any) -> str:
    for message in messages:
        for call in message.get("tool_calls") or ():
            if call.get("id") == call_id:
                return str(call["function"]["name"])
    return "the tool"


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else str(content)


def read_step(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer with the tool call, or the reply, that the model wrote as JSON.

    A call's arguments keep the text that the model wrote, cut where the answer was cut.
    """
    return {**body, "choices": [_read_choice(choice, body) for choice in body["choices"]]}


def _read_choice(choice: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    text = choice["message"].get("content") or ""
    call = _CALL.match(text)
    if call is None:
        return {**choice, "message": {**choice["message"], "content": _read_reply(text)}}
    arguments = text[call.end() :]
    if _is_json(text):
        arguments = arguments.rstrip().removesuffix("}").rstrip()
    number = str(body.get("id", "")).removeprefix("chatcmpl-")
    asked = {
        "id": f"call_{number}_{choice.get('index', 0)}",
        "type": "function",
        "function": {"name": call.group(1), "arguments": arguments},
    }
    reason = choice.get("finish_reason")
    return {
        **choice,
        "message": {**choice["message"], "content": None, "tool_calls": [asked]},
        "finish_reason": "tool_calls" if reason == "stop" else reason,
    }


def _read_reply(text: str) -> str:
    reply = _REPLY.match(text)
    if reply is None:
        return text
    if _is_json(text):
        return str(json.loads(text)["reply"])
    # Cut in the middle: an escape that is not whole cannot be read and is left out.
    for end in range(len(text), max(reply.end(), len(text) - 12), -1):
        quoted = f'"{text[reply.end() : end]}"'
        if _is_json(quoted):
            return str(json.loads(quoted))
    return text[reply.end() :]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
