"""Streamed answers: parsed from bytes, put together to a whole one, and cut from a whole one."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trajaudit.llm.base import Endpoint

Chunk = dict[str, Any]
PIECE = 24
"""Characters of a synthesised content chunk."""
_MERGED = frozenset({"role", "content", "tool_calls"})


class CutStreamError(ValueError):
    """The stream ended before the answer did, or is no stream of JSON objects."""


def split_lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Cut bytes into lines as they come; bytes that are not UTF-8 are escaped."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode(errors="backslashreplace")
    if rest:
        yield rest.decode(errors="backslashreplace")


def sse_data(lines: Iterable[str]) -> Iterator[str]:
    """Yield the data of each server-sent event; comments and other fields are left out."""
    data: list[str] = []
    for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line.strip() and data:
            yield "\n".join(data)
            data = []
    if data:
        yield "\n".join(data)


def assemble(chunks: list[Chunk], endpoint: Endpoint, *, done: bool) -> Chunk:
    """Put a whole answer together.

    Args:
        chunks: the payload objects in the order they came.
        endpoint: whose format they are in.
        done: the provider said that this was all.

    Raises:
        CutStreamError: the answer is not whole.
    """
    if endpoint == "responses":
        return _assemble_responses(chunks)
    return _assemble_chat(chunks, done=done)


def _assemble_responses(chunks: list[Chunk]) -> Chunk:
    for chunk in reversed(chunks):
        if chunk.get("type") in ("response.completed", "response.incomplete", "response.failed"):
            response = chunk.get("response")
            if isinstance(response, dict):
                return response
    raise CutStreamError("the stream ended without response.completed")


def _assemble_chat(chunks: list[Chunk], *, done: bool) -> Chunk:
    body: Chunk = {}
    choices: dict[int, Chunk] = {}
    for chunk in chunks:
        body.update({key: value for key, value in chunk.items() if key != "choices" and value})
        for choice in chunk.get("choices") or ():
            index = int(choice.get("index") or 0)
            _merge_choice(choices.setdefault(index, _empty_choice(index)), choice)
    finished = [choice["finish_reason"] for choice in choices.values()]
    if not choices:
        raise CutStreamError("the stream held no choices")
    if not done and not all(finished):
        raise CutStreamError("the stream ended in the middle of the answer")
    body["object"] = "chat.completion"
    body["choices"] = [choices[index] for index in sorted(choices)]
    return body


def _empty_choice(index: int) -> Chunk:
    message: Chunk = {"role": "assistant", "content": None}
    return {"index": index, "message": message, "finish_reason": None}


def _merge_choice(whole: Chunk, part: Mapping[str, Any]) -> None:
    delta = part.get("delta") or {}
    message = whole["message"]
    message["role"] = delta.get("role") or message["role"]
    if delta.get("content") is not None:
        message["content"] = (message["content"] or "") + delta["content"]
    for call in delta.get("tool_calls") or ():
        _merge_call(message.setdefault("tool_calls", []), call)
    for key, value in delta.items():
        if key not in _MERGED and value is not None:
            earlier = message.get(key)
            joins = isinstance(value, (str, list)) and isinstance(earlier, type(value))
            message[key] = earlier + value if joins else value
    for key, value in part.items():
        if key not in ("index", "delta") and value is not None:
            whole[key] = value


def _merge_call(calls: list[Chunk], part: Mapping[str, Any]) -> None:
    index = part.get("index")
    position = len(calls) if index is None else int(index)
    while len(calls) <= position:
        calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
    call = calls[position]
    function = part.get("function") or {}
    call["id"] = call["id"] or part.get("id") or ""
    call["function"]["name"] = call["function"]["name"] or function.get("name") or ""
    call["function"]["arguments"] += function.get("arguments") or ""


def without_usage_chunks(chunks: Iterable[Chunk]) -> list[Chunk]:
    """Leave out chunks that hold usage only: an agent that did not ask for them may trip."""
    return [chunk for chunk in chunks if chunk.get("choices") or "usage" not in chunk]


def to_chunks(body: Mapping[str, Any], endpoint: Endpoint, *, usage: bool = True) -> list[Chunk]:
    """Cut a whole answer into the chunks that a streaming provider would have sent."""
    if endpoint == "responses":
        return list(_response_events(body))
    return list(_chat_chunks(body, usage=usage))


def _chat_chunks(body: Mapping[str, Any], *, usage: bool) -> Iterator[Chunk]:
    left_out = ("choices", "usage")
    head = {key: value for key, value in body.items() if key not in left_out}
    head["object"] = "chat.completion.chunk"
    for choice in body["choices"]:
        for delta, reason in _deltas(choice):
            index = choice.get("index", 0)
            yield {**head, "choices": [{"index": index, "delta": delta, "finish_reason": reason}]}
    if usage and body.get("usage"):
        yield {**head, "choices": [], "usage": body["usage"]}


def _deltas(choice: Mapping[str, Any]) -> Iterator[tuple[Chunk, str | None]]:
    message = choice["message"]
    extra = {key: value for key, value in message.items() if key not in _MERGED}
    yield {"role": "assistant", **extra}, None
    for piece in _pieces(message.get("content") or ""):
        yield {"content": piece}, None
    for position, call in enumerate(message.get("tool_calls") or ()):
        yield {"tool_calls": [{**call, "index": position}]}, None
    yield {}, choice.get("finish_reason") or "stop"


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


def _response_events(body: Mapping[str, Any]) -> Iterator[Chunk]:
    for number, event in enumerate(_unnumbered_events(body)):
        yield {**event, "sequence_number": number}


def _unnumbered_events(body: Mapping[str, Any]) -> Iterator[Chunk]:
    begun = {**body, "status": "in_progress", "output": []}
    yield {"type": "response.created", "response": begun}
    for index, item in enumerate(body["output"]):
        place = {"output_index": index, "item_id": item.get("id", "")}
        yield {"type": "response.output_item.added", "output_index": index, "item": _opened(item)}
        yield from _item_events(item, place)
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    status = body.get("status", "completed")
    yield {"type": f"response.{status}", "response": dict(body)}


def _opened(item: Mapping[str, Any]) -> Chunk:
    empty: Chunk = {"arguments": ""} if item.get("type") == "function_call" else {}
    if item.get("type") == "message":
        empty["content"] = []
    return {**item, **empty, "status": "in_progress"}


def _item_events(item: Mapping[str, Any], place: Chunk) -> Iterator[Chunk]:
    if item.get("type") == "function_call":
        text = item.get("arguments", "")
        kind = "response.function_call_arguments"
        yield {"type": f"{kind}.delta", **place, "delta": text}
        yield {"type": f"{kind}.done", **place, "arguments": text, "name": item.get("name")}
    elif item.get("type") == "message":
        for position, part in enumerate(item.get("content") or ()):
            yield from _part_events(part, {**place, "content_index": position})


def _part_events(part: Mapping[str, Any], place: Chunk) -> Iterator[Chunk]:
    yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
    text = part.get("text", "")
    for piece in _pieces(text):
        yield {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **place, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **place, "part": dict(part)}


def parse_chunk(data: str) -> Chunk:
    """Read one payload object; CutStreamError where it is none."""
    try:
        chunk = json.loads(data)
    except ValueError as error:
        raise CutStreamError(f"not JSON in the stream: {data[:80]!r}") from error
    if not isinstance(chunk, dict):
        raise CutStreamError(f"not an object in the stream: {data[:80]!r}")
    return chunk
