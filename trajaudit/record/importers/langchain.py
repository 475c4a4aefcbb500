"""Messages of LangChain and LangGraph: lists, states and threads, JSON or JSONL.

| here | there |
|---|---|
| step | an AI message |
| call id | `tool_calls[].id` |
| raw arguments | only in `additional_kwargs` and `invalid_tool_calls`; else the value |
| reply of a tool | a tool message, joined on `tool_call_id`; `status: error` |
| cut reply | `response_metadata.finish_reason` |

A record is a list of messages, or an object that holds one under `messages`, `values.messages`
or `output.messages`.
"""

from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import ChatReader, prompt_of, text_of
from trajaudit.record.importers.json_source import head_beginning, is_json_file, records
from trajaudit.record.importers.langchain_messages import chat_message, is_message, usage_of
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_dict,
    as_list,
    as_text,
    first,
    make_task,
    task_id,
)

NAME = "langchain"
_HOLDERS = ("values", "output", "outputs", "state", "kwargs")
_MESSAGE_KEYS = frozenset({"is_error"})


def sniff(source: Source) -> bool:
    """Messages in one of LangChain's own forms, not in OpenAI's."""
    if source.is_folder or not is_json_file(source.path):
        return False
    value = head_beginning(source)
    if isinstance(value, list) and value and not is_message(value[0]):
        value = value[0]
    return any(map(is_message, messages_in(value)[:5]))


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a list of messages."""

    def make(record: Any) -> ForeignTrial | None:
        return _trial(record, losses)

    yield from mapped(records(source, losses, is_message), make, losses, "conversation")


def messages_in(value: Any) -> list[Any]:
    """Return the list of messages that a record is or holds."""
    if isinstance(value, list):
        return value
    fields = as_dict(value)
    if as_list(fields.get("messages")):
        return as_list(fields["messages"])
    inner = (as_list(as_dict(fields.get(name)).get("messages")) for name in _HOLDERS)
    return next((found for found in inner if found), [])


def feed(builder: TrialBuilder, losses: Losses, messages: list[Any]) -> ChatReader:
    """Give messages of either form to a builder; return what read them."""
    reader = ChatReader(builder, losses, _MESSAGE_KEYS)
    for message in messages:
        found = chat_message(message)
        if found is None:
            losses.malformed("message", message)
        elif found.get("role") == "tool" and found.get("is_error"):
            builder.answer(
                as_text(found.get("tool_call_id")) or None,
                text_of(found.get("content"), losses),
                tool=as_text(found.get("name")),
                is_error=True,
            )
        elif found.get("role") == "assistant":
            reader.assistant(found, model_call=_model_call(builder, message))
        else:
            reader.take(found)
    return reader


def _trial(record: Any, losses: Losses) -> ForeignTrial | None:
    messages = messages_in(record)
    builder = TrialBuilder(losses)
    reader = feed(builder, losses, messages)
    if not reader.steps:
        losses.malformed("conversation", "no message of an assistant")
        return None
    fields = as_dict(record)
    name = first(fields, "thread_id", "id", "run_id") or losses.where
    known = [found for found in map(chat_message, messages) if found is not None]
    return ForeignTrial(
        task=make_task(task_id(name), prompt_of(known), losses),
        events=builder.end("replied"),
        origin=Origin(
            source=losses.where,
            format=NAME,
            source_id=as_text(name),
            model_id=_model(messages),
        ),
    )


def _model_call(builder: TrialBuilder, message: Any) -> int | None:
    tokens = usage_of(message)
    if tokens is None:
        return None
    usage = Usage(prompt_tokens=tokens[0], completion_tokens=tokens[1])
    return builder.model_call(_model([message]), usage=usage)


def _model(messages: list[Any]) -> str:
    for message in messages:
        fields = as_dict(message)
        inner = as_dict(first(fields, "kwargs", "data")) or fields
        told = first(as_dict(inner.get("response_metadata")), "model_name", "model")
        if told:
            return as_text(told)
    return ""


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="messages of LangChain and LangGraph: lists, states, threads; JSON or JSONL",
)
