"""OpenAI chat messages: JSONL or JSON, one conversation a record.

| here | there |
|---|---|
| step | message of role assistant |
| call id, raw arguments | `tool_calls[].id`, `.function.arguments` (a text); `function_call` |
| reply of a tool | message of role tool (or function), joined on `tool_call_id` |
| tools | `tools[].function` of the record |
| prompt | the last user message before the first assistant message |
| cut reply | `finish_reason` length, on the record or its `choices[0]` |
| refusal | `refusal` |

A record is a list of messages, or an object with `messages` and, where it is a stored completion,
`choices` or `response`.
"""

from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import ChatReader, prompt_of, tools_of
from trajaudit.record.importers.json_source import head_beginning, is_json_file, records
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_count,
    as_dict,
    as_list,
    as_text,
    first,
    make_task,
    task_id,
)

NAME = "openai_chat"
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_KNOWN = frozenset(
    {"id", "messages", "tools", "functions", "choices", "response", "model", "usage", "created"}
    | {"object", "request", "conversation_id", "custom_id"}
)


def sniff(source: Source) -> bool:
    """One conversation, or a list of them, or one a line."""
    if source.is_folder or not is_json_file(source.path):
        return False
    value = head_beginning(source)
    if value is None:
        return False
    if isinstance(value, list) and value and not _is_message(value[0]):
        value = value[0]
    return bool(_messages(value))


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a conversation."""

    def make(record: Any) -> ForeignTrial | None:
        return _trial(record, losses)

    yield from mapped(records(source, losses, _is_message), make, losses, "conversation")


def _trial(record: Any, losses: Losses) -> ForeignTrial | None:
    messages = _messages(record)
    if not messages:
        losses.malformed("conversation", "no messages")
        return None
    fields = as_dict(record)
    losses.unknown("", fields, _KNOWN)
    completion = as_dict(fields.get("response")) or fields
    choice = as_dict(next(iter(as_list(completion.get("choices"))), None))
    answer = as_dict(choice.get("message"))
    prompt = prompt_of(messages)
    builder = TrialBuilder(losses)
    reader = ChatReader(builder, losses)
    reader.read(messages)
    if answer:
        call = builder.model_call(as_text(completion.get("model")), usage=_usage(completion))
        reader.assistant(answer, finish_reason=choice.get("finish_reason"), model_call=call)
    if reader.steps == 0:
        losses.malformed("conversation", "no message of an assistant")
        return None
    name = first(fields, "custom_id", "conversation_id", "id") or losses.where
    return ForeignTrial(
        task=make_task(task_id(name), prompt, losses),
        events=builder.end("replied"),
        origin=Origin(
            source=losses.where,
            format=NAME,
            source_id=as_text(name),
            model_id=as_text(first(completion, "model")),
        ),
        tools=tools_of(
            first(fields, "tools", "functions") or as_dict(fields.get("request")).get("tools"),
            losses,
        ),
    )


def _usage(completion: dict[str, Any]) -> Usage:
    found = as_dict(completion.get("usage"))
    return Usage(
        prompt_tokens=as_count(found.get("prompt_tokens")),
        completion_tokens=as_count(found.get("completion_tokens")),
    )


def _messages(value: Any) -> list[Any]:
    found = as_list(value) or as_list(as_dict(value).get("messages"))
    found = found or as_list(as_dict(as_dict(value).get("request")).get("messages"))
    return found if found and _is_message(found[0]) else []


def _is_message(value: Any) -> bool:
    role = as_dict(value).get("role")
    return isinstance(role, str) and role in _ROLES


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="OpenAI chat messages, JSON or JSONL, one conversation a record",
)
