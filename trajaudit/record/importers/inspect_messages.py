"""Turns messages of an Inspect sample into the messages, calls and replies of a journal."""

from collections.abc import Iterable
from typing import Any

from trajaudit.datamodel.event import RequestedCall
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.inspect_call import unparsed
from trajaudit.record.importers.inspect_history import History
from trajaudit.record.importers.inspect_text import Texts
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_text


class MessageReader:
    """Feeds messages to a builder, and keeps what the end of a sample is read from."""

    def __init__(
        self, builder: TrialBuilder, losses: Losses, texts: Texts, history: History
    ) -> None:
        self._builder = builder
        self._losses = losses
        self._texts = texts
        self._history = history
        self._task_seen = False
        self._requested: set[str] = set()
        self._answered: set[str] = set()
        self.steps = 0
        """Messages of the assistant so far."""
        self.said = ""
        """Text of the last of them."""
        self.asked = False
        """It asked for tool calls."""
        self.submitted: str | None = None
        """What the last tool named `submit` gave back."""

    def read(self, messages: Iterable[Any]) -> None:
        """Take all messages of a sample that has no events."""
        for message in messages:
            self.new(as_dict(message), None)

    def require_requested(self, call_id: str, tool: str, arguments: Any) -> None:
        """Let the agent itself ask for a call that no model asked for."""
        if call_id not in self._requested:
            self._losses.guessed("events.tool.requested", f"{tool}: no model asked for it")
            self._builder.assistant("", calls=[self._request(call_id, tool, arguments)])
            self.steps += 1

    def answer(
        self, call_id: str, text: str, tool: str, *, is_error: bool, duration_s: float = 0.0
    ) -> None:
        """Take what a tool gave back."""
        self._answered.add(call_id)
        self._builder.answer(
            call_id or None, text, tool=tool, is_error=is_error, duration_s=duration_s
        )
        if tool == "submit" and not is_error:
            self.submitted = text

    def new(self, message: dict[str, Any], gone: int | None) -> None:
        """Tell a message that stood in an input, or in a log without events."""
        role = message.get("role")
        if role == "assistant":
            seq = self.assistant(message, gone=gone)
        elif role == "tool":
            self._tool_message(message)
            return
        elif role in {"system", "user", "developer"}:
            first = role == "user" and not self._task_seen
            self._task_seen |= first
            seq = self._builder.prompt(
                role,
                self._texts.content(message.get("content"))[0],
                first=first,
                harness=message.get("source") not in ("input", "operator"),
                rewrites=gone,
            )
        else:
            self._losses.malformed("message.role", repr(role)[:80])
            return
        self._history.told(message, seq)

    def _tool_message(self, message: dict[str, Any]) -> None:
        call_id = as_text(message.get("tool_call_id"))
        if call_id in self._answered:
            return
        error = as_dict(message.get("error"))
        text = self._texts.content(message.get("content"))[0]
        if error:
            text = self._texts.text(error.get("message")) or text
        self.answer(call_id, text, as_text(message.get("function")), is_error=bool(error))

    def assistant(
        self,
        message: dict[str, Any],
        *,
        raw: dict[str, str] | None = None,
        finish_reason: str | None = None,
        call: int | None = None,
        gone: int | None = None,
    ) -> int:
        text, reasoning = self._texts.content(message.get("content"))
        calls = [
            self._asked_for(as_dict(one), raw or {}) for one in as_list(message.get("tool_calls"))
        ]
        self.steps += 1
        self.said, self.asked = text, bool(calls)
        return self._builder.assistant(
            text,
            calls=calls,
            reasoning=reasoning or self._texts.text(message.get("reasoning")),
            finish_reason=finish_reason,
            model_call=call,
            rewrites=gone,
        )

    def _asked_for(self, call: dict[str, Any], raw: dict[str, str]) -> RequestedCall:
        call_id, tool = as_text(call.get("id")), as_text(call.get("function"))
        arguments: Any = call.get("arguments")
        if call_id in raw:
            arguments = self._texts.text(raw[call_id])
        elif call.get("parse_error"):
            told = self._texts.text(call["parse_error"])
            arguments = unparsed(told) or arguments
        return self._request(call_id, tool, arguments)

    def _request(self, call_id: str, tool: str, arguments: Any) -> RequestedCall:
        self._requested.add(call_id)
        if isinstance(arguments, str):
            return self._builder.request(tool, arguments, call_id)
        text = "{}" if arguments is None else self._texts.json(arguments)
        return self._builder.request(tool, text, call_id, is_raw=False)
