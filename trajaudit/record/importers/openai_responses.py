"""OpenAI Responses: stored responses, or lists of items, JSON or JSONL.

| here | there |
|---|---|
| step | reasoning, message and calls of the model up to the next item that is not its own |
| call id, raw arguments | `call_id` (never `id`), `arguments` or `input` (a text) |
| reply of a tool | `function_call_output` and the like, joined on `call_id` |
| call that the provider served itself | `mcp_call`, `code_interpreter_call`, ... |
| cut reply | `incomplete_details.reason` max_output_tokens: finish reason `length` |
| context loss | item `compaction`: the next message rewrites the history |
"""

from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.event import EndReason, Usage
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import tools_of
from trajaudit.record.importers.json_source import head_beginning, is_json_file, records
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.response_items import ItemReader, is_item, prompt_of_items
from trajaudit.record.importers.shapes import (
    as_count,
    as_dict,
    as_list,
    as_text,
    first,
    make_task,
    task_id,
)

NAME = "openai_responses"
_KNOWN = frozenset(
    {"id", "object", "created_at", "completed_at", "status", "error", "incomplete_details"}
    | {"instructions", "model", "output", "input", "tools", "usage", "request", "response"}
    | {"custom_id", "items", "previous_response_id", "output_text"}
)


def sniff(source: Source) -> bool:
    """A response with output items, or a list of items, or one of them a line."""
    if source.is_folder or not is_json_file(source.path):
        return False
    value = head_beginning(source)
    if isinstance(value, list) and value and not is_item(value[0]):
        value = value[0]
    return bool(_items(value))


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a response, or a list of items."""

    def make(record: Any) -> ForeignTrial | None:
        return _trial(record, losses)

    yield from mapped(records(source, losses, is_item), make, losses, "response")


def _trial(record: Any, losses: Losses) -> ForeignTrial | None:
    fields = as_dict(record)
    losses.unknown("", fields, _KNOWN)
    response = as_dict(fields.get("response")) or fields
    request = as_dict(fields.get("request")) or fields
    items = _items(record)
    builder = TrialBuilder(losses)
    reader = ItemReader(builder, losses)
    instructions = first(response, "instructions") or first(request, "instructions")
    if isinstance(instructions, str):
        builder.prompt("system", instructions)
    reader.read(items, usage=_usage(response), model_id=as_text(response.get("model")))
    if not reader.steps:
        losses.malformed("response", "no output of a model")
        return None
    cut = as_dict(response.get("incomplete_details")).get("reason")
    name = first(fields, "custom_id") or first(response, "id") or losses.where
    return ForeignTrial(
        task=make_task(task_id(name), prompt_of_items(items), losses),
        events=builder.end(*_end(response, as_text(cut))),
        origin=Origin(
            source=losses.where,
            format=NAME,
            source_id=as_text(name),
            model_id=as_text(response.get("model")),
        ),
        tools=tools_of(first(response, "tools") or first(request, "tools"), losses),
    )


def _end(response: dict[str, Any], cut: str) -> tuple[EndReason, str]:
    error = as_dict(response.get("error"))
    if response.get("status") == "failed" or error:
        return "infra_error", as_text(error.get("message")) or "the response failed"
    if cut == "max_output_tokens":
        return "token_limit", cut
    return "replied", cut


def _usage(response: dict[str, Any]) -> Usage | None:
    usage = as_dict(response.get("usage"))
    if not usage:
        return None
    return Usage(
        prompt_tokens=as_count(usage.get("input_tokens")),
        completion_tokens=as_count(usage.get("output_tokens")),
        cached_tokens=as_count(as_dict(usage.get("input_tokens_details")).get("cached_tokens")),
        reasoning_tokens=as_count(
            as_dict(usage.get("output_tokens_details")).get("reasoning_tokens")
        ),
    )


def _items(value: Any) -> list[Any]:
    """Return input and output items in their order; a text as input is a user's message."""
    found = as_list(value) or as_list(as_dict(value).get("items"))
    if not found:
        fields = as_dict(value)
        response = as_dict(fields.get("response")) or fields
        given = first(as_dict(fields.get("request")), "input") or fields.get("input")
        output = as_list(response.get("output"))
        if not any(map(is_item, output)):
            return []
        before = as_list(given)
        if isinstance(given, str):
            before = [{"type": "message", "role": "user", "content": given}]
        found = [*before, *output]
    return found if any(map(is_item, found[:5])) else []


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="OpenAI Responses: stored responses or lists of items, JSON or JSONL",
)
