"""The dialogue of a tau2-bench simulation, message by message."""

from datetime import datetime
from typing import Any

from trajaudit.datamodel.event import Usage
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_count,
    as_dict,
    as_list,
    as_number,
    as_text,
    json_text,
)

_KNOWN = frozenset(
    {"role", "content", "tool_calls", "reasoning", "turn_idx", "timestamp", "cost", "usage"}
    | {"raw_data", "errors", "id", "requestor", "error", "tool_messages", "generation_time_seconds"}
    | {"is_final_chunk", "contains_speech"}
)


class Dialogue:
    """Feeds the messages of one simulation to a builder."""

    def __init__(
        self, builder: TrialBuilder, losses: Losses, model_id: str, start_time: str
    ) -> None:
        self.tools: set[str] = set()
        """Names of the tools that the agent called."""
        self._builder = builder
        self._losses = losses
        self._model_id = model_id
        self._start = start_time

    def take(self, message: dict[str, Any]) -> None:
        """Take one message of any role."""
        self._losses.unknown("messages", message, _KNOWN)
        self._builder.t = max(seconds_between(self._start, message.get("timestamp")), 0.0)
        role = message.get("role")
        if as_list(message.get("tool_messages")):
            for part in map(as_dict, as_list(message["tool_messages"])):
                self._tool(part)
        elif role == "assistant":
            self._assistant(message)
        elif role == "tool":
            self._tool(message)
        elif role in {"user", "system"}:
            self._user(message, role)
        else:
            self._losses.malformed("messages.role", repr(role))

    def _assistant(self, message: dict[str, Any]) -> None:
        raw = as_dict(message.get("raw_data"))
        usage = as_dict(message.get("usage"))
        made = None
        reason = raw.get("finish_reason")
        if usage:
            made = self._builder.model_call(
                self._model_id,
                usage=Usage(
                    prompt_tokens=as_count(usage.get("prompt_tokens")),
                    completion_tokens=as_count(usage.get("completion_tokens")),
                ),
                cost_usd=as_number(message.get("cost")),
                finish_reason=reason if isinstance(reason, str) else None,
            )
        texts = _raw_arguments(raw)
        calls = []
        for call in map(as_dict, as_list(message.get("tool_calls"))):
            call_id, name = as_text(call.get("id")), as_text(call.get("name"))
            self.tools.add(name)
            arguments = texts.get(call_id, call.get("arguments"))
            calls.append(self._builder.request(name, arguments, call_id or None))
        self._builder.assistant(
            as_text(message.get("content")),
            calls=calls,
            reasoning=as_text(message.get("reasoning")) or None,
            finish_reason=reason if isinstance(reason, str) else None,
            model_call=made,
        )

    def _tool(self, message: dict[str, Any]) -> None:
        if message.get("requestor") == "user":
            self._builder.prompt("user", f"[its tool answers] {as_text(message.get('content'))}")
            return
        self._builder.answer(
            as_text(message.get("id")) or None,
            message.get("content"),
            is_error=message.get("error") is True,
        )

    def _user(self, message: dict[str, Any], role: Any) -> None:
        said = [as_text(message.get("content"))]
        for call in map(as_dict, as_list(message.get("tool_calls"))):
            self._losses.dropped("messages.tool_calls of the user", as_text(call.get("name")))
            said.append(
                f"[it calls {as_text(call.get('name'))} {json_text(call.get('arguments'))}]"
            )
        self._builder.prompt(role, "\n".join(filter(None, said)))


def _raw_arguments(raw: dict[str, Any]) -> dict[str, str]:
    """Return the text of each call's arguments as the model wrote it, by call id."""
    found: dict[str, str] = {}
    for call in map(as_dict, as_list(as_dict(raw.get("message")).get("tool_calls"))):
        text = as_dict(call.get("function")).get("arguments")
        if isinstance(text, str) and as_text(call.get("id")):
            found[as_text(call["id"])] = text
    return found


def seconds_between(start: Any, end: Any) -> float:
    """Return the seconds between two ISO times; 0 where they cannot be told."""
    try:
        return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    except (TypeError, ValueError):
        return 0.0
