"""Tells the lines of a Codex rollout to a builder."""

import re
from collections.abc import Callable
from typing import Any

from trajaudit.datamodel.event import EndReason, RequestedCall, Usage
from trajaudit.record.importers.base import ODD
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.coding import Clock, parts_text
from trajaudit.record.importers.json_source import loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_count, as_dict, as_text, first, json_text

_CONTEXT = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_")
_EXIT = re.compile(r"(?:Exit code|Process exited with code):? (-?\d{1,9})")
_EXIT_LINES = 400
# What the same file tells as an item, or what only the screen needed.
_SILENT_EVENTS = frozenset(
    {"agent_message", "agent_reasoning", "agent_reasoning_raw_content", "task_started"}
    | {"turn_started", "task_complete", "turn_complete", "exec_command_begin", "exec_command_end"}
    | {"patch_apply_begin", "patch_apply_end", "mcp_tool_call_begin", "mcp_tool_call_end"}
    | {"context_compacted", "session_configured", "turn_diff", "web_search_begin"}
    | {"web_search_end", "agent_reasoning_section_break", "thread_rolled_back"}
)
_SILENT_ITEMS = frozenset({"ghost_snapshot", "compaction", "compaction_summary"})


class _Reply:
    """One reply of the model, of which the log holds item after item."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.calls: list[RequestedCall] = []
        self.searched: list[RequestedCall] = []
        """Calls that the provider carried out itself, and whose result no log holds."""

    def __bool__(self) -> bool:
        return bool(self.texts or self.thoughts or self.calls)


class RolloutReader:
    """A session, line by line."""

    def __init__(self, losses: Losses) -> None:
        self.builder = TrialBuilder(losses)
        self.clock = Clock()
        self.meta: dict[str, Any] = {}
        self.prompt = ""
        self.model = ""
        self.started = ""
        self.steps = 0
        self._losses = losses
        self._reply = _Reply()
        self._task_seq: int | None = None
        self._used = Usage()
        self._last: tuple[EndReason, str] = ("infra_error", "the session has no reply")
        self._takers: dict[str, Callable[[dict[str, Any]], None]] = {
            "message": self._message,
            "reasoning": self._reasoning,
            "function_call": self._function_call,
            "custom_tool_call": self._custom_call,
            "local_shell_call": self._shell_call,
            "web_search_call": self._search_call,
            "function_call_output": self._output,
            "custom_tool_call_output": self._output,
        }
        self._lines: dict[str, Callable[[dict[str, Any]], None]] = {
            "response_item": self._item,
            "event_msg": self._event,
            "session_meta": self._session,
            "turn_context": self._turn,
            "compacted": self._compacted,
        }

    def read(self, records: list[dict[str, Any]]) -> None:
        """Take all lines, in their order."""
        self.prompt = _task_of(records)
        for record in records:
            if not self.started and isinstance(record.get("timestamp"), str):
                self.started = record["timestamp"][:40]
            self.builder.t = self.clock.at(record.get("timestamp"))
            self._line(as_text(record.get("type")), as_dict(record.get("payload")))
        self._flush()

    def ending(self) -> tuple[EndReason, str]:
        """Return how the session ended, as far as it tells."""
        if self.builder.unanswered and self._last[0] == "replied":
            return "infra_error", f"calls without a reply: {self.builder.unanswered}"
        return self._last

    def _line(self, kind: str, payload: dict[str, Any]) -> None:
        taker = self._lines.get(kind)
        if taker is not None:
            taker(payload)
        elif kind not in {"state", "world_state"}:
            self._losses.dropped(f"line.{kind or 'untyped'}")

    def _item(self, payload: dict[str, Any]) -> None:
        kind = as_text(payload.get("type"))
        if kind in self._takers:
            self._takers[kind](payload)
        elif kind not in _SILENT_ITEMS:
            self._losses.dropped(f"response_item.{kind or 'untyped'}", payload)

    def _session(self, payload: dict[str, Any]) -> None:
        self.meta = self.meta or payload
        told = first(payload, "instructions", "base_instructions")
        text = as_text(as_dict(told).get("text")) or (told if isinstance(told, str) else "")
        if text and not self.steps:
            self.builder.prompt("system", text)

    def _turn(self, payload: dict[str, Any]) -> None:
        self.model = self.model or as_text(payload.get("model"))

    def _compacted(self, payload: dict[str, Any]) -> None:
        self._flush()
        text = as_text(payload.get("message"))
        self.builder.prompt("user", text, harness=True, rewrites=self._task_seq)

    def _message(self, item: dict[str, Any]) -> None:
        text, role = parts_text(item.get("content")), item.get("role")
        if role == "assistant":
            if self._reply.calls:
                self._flush()
            self._reply.texts.append(text)
            return
        self._flush()
        if role in {"developer", "system"}:
            self.builder.prompt("developer" if role == "developer" else "system", text)
            return
        if role != "user":
            self._losses.malformed("message.role", repr(role))
        context = text.lstrip().startswith(_CONTEXT)
        first_one = self._task_seq is None and not context
        seq = self.builder.prompt("user", text, first=first_one, harness=context)
        if first_one:
            self._task_seq = seq
        if not context:
            self._last = ("infra_error", "the session has no reply to its last message")

    def _reasoning(self, item: dict[str, Any]) -> None:
        if self._reply.calls or self._reply.texts:
            self._flush()
        told = parts_text(item.get("content")) or parts_text(item.get("summary"))
        if told:
            self._reply.thoughts.append(told)
        elif item.get("encrypted_content"):
            self._losses.dropped("reasoning.encrypted_content", "thoughts that cannot be read")

    def _function_call(self, item: dict[str, Any]) -> None:
        name = ".".join(filter(None, (as_text(item.get("namespace")), as_text(item.get("name")))))
        self._call(name, item.get("arguments"), item)

    def _custom_call(self, item: dict[str, Any]) -> None:
        arguments = json_text({"input": as_text(item.get("input"))})
        self._call(as_text(item.get("name")), arguments, item)

    def _shell_call(self, item: dict[str, Any]) -> None:
        action = {key: value for key, value in as_dict(item.get("action")).items() if key != "type"}
        self._call("local_shell", json_text(action), item)

    def _search_call(self, item: dict[str, Any]) -> None:
        action = as_dict(item.get("action"))
        self._losses.truncated("web_search_call", "the log does not hold what was found")
        self._reply.searched.append(self._call("web_search", json_text(action), item))

    def _call(self, name: str, arguments: Any, item: dict[str, Any]) -> RequestedCall:
        call_id = as_text(first(item, "call_id", "id")) or None
        call = self.builder.request(name, arguments, call_id)
        self._reply.calls.append(call)
        return call

    def _output(self, item: dict[str, Any]) -> None:
        self._flush()
        call_id = as_text(item.get("call_id")) or None
        text, failed = _told(item.get("output"))
        self.builder.answer(call_id, text, is_error=failed)

    def _event(self, payload: dict[str, Any]) -> None:
        kind = as_text(payload.get("type"))
        if kind == "token_count":
            self._count(as_dict(payload.get("info")))
        elif kind in {"turn_aborted", "error", "stream_error"}:
            self._flush()
            detail = as_text(first(payload, "message", "reason")) or kind
            full = "context_window" in json_text(payload.get("codex_error_info"))
            if kind != "stream_error":
                self._last = ("context_overflow" if full else "infra_error", detail)
        elif kind == "user_message" or kind in _SILENT_EVENTS:
            return
        else:
            self._losses.dropped(f"event_msg.{kind or 'untyped'}")

    def _count(self, info: dict[str, Any]) -> None:
        """Tell what was used since the last count; the same count comes again and again."""
        total = _usage(info.get("total_token_usage"))
        if total in (Usage(), self._used):
            return
        new = Usage(
            **{
                name: max(value - getattr(self._used, name), 0)
                for name, value in total.model_dump().items()
            }
        )
        self._used = total
        self.builder.model_call(self.model, usage=new)

    def _flush(self) -> None:
        """Tell the reply that was collected."""
        reply, self._reply = self._reply, _Reply()
        if not reply:
            return
        self.steps += 1
        self.builder.assistant(
            "\n".join(reply.texts), calls=reply.calls, reasoning="\n".join(reply.thoughts) or None
        )
        for call in reply.searched:
            self.builder.answer(call.call_id, "")
        done = bool(reply.texts) and not reply.calls
        self._last = ("replied", "") if done else ("infra_error", "the session stops at a call")


def _task_of(records: list[dict[str, Any]]) -> str:
    """Return what the user asked first, without the context that the program puts before it."""
    said: list[str] = []
    for record in records:
        payload = as_dict(record.get("payload"))
        if record.get("type") == "event_msg" and payload.get("type") == "user_message":
            return as_text(payload.get("message"))
        if payload.get("type") == "message" and payload.get("role") == "user":
            said.append(parts_text(payload.get("content")))
    asked = [text for text in said if not text.lstrip().startswith(_CONTEXT)]
    return next(iter([*asked, *said]), "")


def _told(output: Any) -> tuple[str, bool]:
    """Return what a tool gave back, and whether it failed: by its exit status, where it is told."""
    if isinstance(output, list):
        return parts_text(output), False
    if isinstance(output, dict):
        failed = output.get("success") is False
        return as_text(output.get("content")), failed
    text = as_text(output)
    if text.startswith("{"):
        try:
            inner = as_dict(loads(text.encode("utf-8", "replace")))
        except ODD:
            inner = {}
        code = as_dict(inner.get("metadata")).get("exit_code")
        if isinstance(inner.get("output"), str):
            return inner["output"], isinstance(code, int) and code != 0
    code = _EXIT.search(text[:_EXIT_LINES])
    return text, code is not None and int(code[1]) != 0


def _usage(value: Any) -> Usage:
    used = as_dict(value)
    return Usage(
        prompt_tokens=as_count(used.get("input_tokens")),
        completion_tokens=as_count(used.get("output_tokens")),
        reasoning_tokens=as_count(used.get("reasoning_output_tokens")),
        cached_tokens=as_count(used.get("cached_input_tokens")),
    )
