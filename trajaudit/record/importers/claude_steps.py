"""Tells the records of a Claude Code session to a builder."""

from collections.abc import Callable
from typing import Any

from trajaudit.datamodel.event import EndReason, RequestedCall, Usage
from trajaudit.record.importers.base import Totals
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.claude_records import (
    Record,
    in_order,
    parts_of,
    side_of,
    text_in,
)
from trajaudit.record.importers.coding import Clock, finish_reason, parts_text
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_count, as_dict, as_number, as_text

_KNOWN = frozenset(
    {"type", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "session_id", "timestamp"}
    | {"isSidechain", "parent_tool_use_id", "agentId", "message", "requestId", "toolUseResult"}
    | {"tool_use_result", "cwd", "gitBranch", "version", "userType", "slug", "entrypoint", "isMeta"}
    | {"isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage", "error", "promptId"}
    | {"sourceToolAssistantUUID", "sourceToolUseID", "permissionMode", "isReplay"}
)
_COMMAND = ("<command-name>", "<command-message>", "<local-command-", "<bash-")
_INTERRUPTED = "[Request interrupted by user"
_RESULTS: dict[str, EndReason] = {
    "success": "replied",
    "error_max_turns": "step_limit",
    "error_max_budget_usd": "token_limit",
}
_DEEPEST = 8


class SessionReader:
    """A session, record by record."""

    def __init__(self, losses: Losses, subagent: Callable[[str], list[Record]]) -> None:
        """`subagent` gives the records of a subagent that has a file of its own, by its id."""
        self.builder = TrialBuilder(losses)
        self.clock = Clock()
        self.prompt = ""
        self.session = ""
        self.version = ""
        self.model = ""
        self.started = ""
        self.facts: dict[str, str] = {}
        self.steps = 0
        self.totals: Totals | None = None
        self.duration_s = 0.0
        self._losses = losses
        self._subagent = subagent
        self._told: set[str] = set()
        """Subagents whose own files were read."""
        self._depth = 0
        self._task_seq: int | None = None
        self._last: tuple[EndReason, str] = ("infra_error", "the session has no reply")
        self._result: tuple[EndReason, str] | None = None

    def read(self, records: list[Record]) -> None:
        """Take all records, in their order."""
        self.prompt = _task_of(records)
        self._talk(records)

    def ending(self) -> tuple[EndReason, str]:
        """Return how the session ended, as far as it tells."""
        if self._result is not None:
            return self._result
        if self.builder.unanswered and self._last[0] == "replied":
            return "infra_error", f"calls without a reply: {self.builder.unanswered}"
        return self._last

    def _talk(self, records: list[Record]) -> None:
        for group in in_order(records):
            if not group:
                continue
            head = group[0]
            self._facts(head)
            if side_of(head) and not self._depth:
                self._side(group)
            elif head.get("type") == "assistant":
                self._assistant(group)
            elif head.get("type") == "user":
                self._user(head)
            else:
                self._other(head)

    def _side(self, records: list[Record]) -> None:
        """The conversation of a subagent: steps like any other, but not the last word."""
        if self._depth >= _DEEPEST:
            self._losses.dropped("subagent", "nested too deeply", len(records))
            return
        last, self._depth = self._last, self._depth + 1
        plain = [{**one, "isSidechain": False, "parent_tool_use_id": None} for one in records]
        self._talk(plain)
        self._last, self._depth = last, self._depth - 1

    def _facts(self, record: Record) -> None:
        if record.get("message"):
            self._losses.unknown("record", record, _KNOWN)
        self.builder.t = self.clock.at(record.get("timestamp"))
        if not self.started and isinstance(record.get("timestamp"), str):
            self.started = record["timestamp"][:40]
        self.session = self.session or as_text(record.get("sessionId") or record.get("session_id"))
        self.version = self.version or as_text(record.get("version"))
        for key, name in (("cwd", "cwd"), ("gitBranch", "git_branch")):
            if record.get(key) and name not in self.facts:
                self.facts[name] = as_text(record[key])

    def _assistant(self, group: list[Record]) -> None:
        texts, thoughts, calls = [], [], []
        seen: set[str] = set()
        for part in (part for record in group for part in parts_of(record)):
            kind = part.get("type")
            if kind == "text":
                texts.append(as_text(part.get("text")))
            elif kind == "thinking":
                thoughts.append(as_text(part.get("thinking")))
            elif kind in {"tool_use", "server_tool_use"}:
                call_id = as_text(part.get("id"))
                if call_id not in seen or not call_id:
                    calls.append(self._call(part, call_id))
                seen.add(call_id)
            elif kind != "redacted_thinking":
                self._losses.dropped(f"content.{kind}", part)
        reply = as_dict(group[-1].get("message"))
        text = "\n".join(filter(None, texts))
        self.steps += 1
        self.builder.assistant(
            text,
            calls=calls,
            reasoning="\n".join(filter(None, thoughts)) or None,
            finish_reason=finish_reason(reply.get("stop_reason")),
            model_call=self._model_call(reply),
        )
        self._last = _left_by(group[-1], text, calls)

    def _call(self, part: dict[str, Any], call_id: str) -> RequestedCall:
        return self.builder.request(as_text(part.get("name")), part.get("input"), call_id or None)

    def _model_call(self, reply: dict[str, Any]) -> int | None:
        model = as_text(reply.get("model"))
        if not model or model == "<synthetic>":
            return None
        self.model = self.model or model
        return self.builder.model_call(model, usage=_usage(reply.get("usage")))

    def _user(self, record: Record) -> None:
        said = []
        for part in parts_of(record):
            kind = part.get("type")
            if kind == "tool_result":
                self._answer(part, record)
            elif kind == "text":
                said.append(as_text(part.get("text")))
            else:
                self._losses.dropped(f"content.{kind}", as_text(kind))
        text = "\n".join(filter(None, said))
        if text:
            self._said(text, record)

    def _said(self, text: str, record: Record) -> None:
        inner = self._depth > 0
        first = text == self.prompt and not inner and self._task_seq is None
        summary = record.get("isCompactSummary") is True or "<command-name>/clear<" in text
        seq = self.builder.prompt(
            "user",
            text,
            first=first,
            harness=inner or record.get("isMeta") is True or summary,
            rewrites=self._task_seq if summary else None,
        )
        if first:
            self._task_seq = seq
        if text.startswith(_INTERRUPTED):
            self._last = ("infra_error", "the user interrupted the agent")
        elif not text.startswith(_COMMAND) and record.get("isMeta") is not True:
            self._last = ("infra_error", "the session has no reply to its last message")

    def _answer(self, part: dict[str, Any], record: Record) -> None:
        call_id = as_text(part.get("tool_use_id"))
        told = as_dict(record.get("toolUseResult") or record.get("tool_use_result"))
        agent_id = as_text(told.get("agentId"))
        if agent_id and agent_id not in self._told and not self._depth:
            self._told.add(agent_id)
            self._side(self._subagent(agent_id))
        self.builder.answer(
            call_id or None,
            parts_text(part.get("content")),
            is_error=part.get("is_error") is True,
        )

    def _other(self, record: Record) -> None:
        kind = as_text(record.get("type"))
        if kind == "result":
            self._ended(record)
        elif kind == "system":
            if record.get("subtype") not in {"init", "compact_boundary", None}:
                self._losses.dropped(f"system.{record.get('subtype')}", record.get("content"))
        else:
            self._losses.dropped(f"record.{kind or 'untyped'}")

    def _ended(self, record: Record) -> None:
        subtype = as_text(record.get("subtype"))
        text = as_text(record.get("result"))
        reason = _RESULTS.get(subtype, "infra_error")
        if record.get("is_error") is True and reason == "replied":
            reason, subtype = _api_error(text), text
        self._result = (reason, subtype)
        usage = _usage(record.get("usage"))
        self.duration_s = (as_number(record.get("duration_ms")) or 0.0) / 1000
        self.totals = Totals(
            model_calls=as_count(record.get("num_turns")),
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cost_usd=as_number(record.get("total_cost_usd")),
        )


def _task_of(records: list[Record]) -> str:
    """Return the first thing that the user asks for; where there is none, a command."""
    said = [
        text_in(one)
        for one in records
        if one.get("type") == "user" and not side_of(one) and one.get("isMeta") is not True
        if not one.get("isCompactSummary")
    ]
    asked = [text for text in said if text and not text.startswith((*_COMMAND, _INTERRUPTED))]
    return next(iter([*asked, *filter(None, said)]), "")


def _left_by(record: Record, text: str, calls: list[RequestedCall]) -> tuple[EndReason, str]:
    """Say how a session ends that ends with this message of the assistant."""
    if record.get("isApiErrorMessage") is True:
        return _api_error(text), text
    if calls:
        return "infra_error", "the session stops at a call"
    return "replied", ""


def _api_error(text: str) -> EndReason:
    return "context_overflow" if "too long" in text.lower() else "infra_error"


def _usage(value: Any) -> Usage:
    """Tokens read from and written to a cache are tokens of the prompt."""
    usage = as_dict(value)
    cached = as_count(usage.get("cache_read_input_tokens"))
    written = as_count(usage.get("cache_creation_input_tokens"))
    return Usage(
        prompt_tokens=as_count(usage.get("input_tokens")) + cached + written,
        completion_tokens=as_count(usage.get("output_tokens")),
        cached_tokens=cached,
    )
