"""Turns the events of an Inspect sample into the events of a journal.

Events, not messages: messages lose what was compacted, branched, or done by agents of the agent.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar

from trajaudit.datamodel._base import typed
from trajaudit.datamodel.event import Usage
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.inspect_call import raw_arguments
from trajaudit.record.importers.inspect_history import History
from trajaudit.record.importers.inspect_messages import MessageReader
from trajaudit.record.importers.inspect_spans import Spans, agent_events, begins_judging
from trajaudit.record.importers.inspect_text import Texts
from trajaudit.record.importers.inspect_tools import ToolTable
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_count, as_dict, as_list, as_number, as_text

_tokens = typed(Usage)
_LOST = frozenset({"info", "logger", "approval", "sandbox", "store", "input", "score_edit"})
"""Events that have no place in a trajectory."""
_FINISH = {"max_tokens": "length", "model_length": "length", "unknown": None}
_COMMON = frozenset(
    {"uuid", "span_id", "timestamp", "working_start", "event", "pending", "completed"}
    | {"working_time", "type"}
)
_MODEL = _COMMON | frozenset(
    {"model", "role", "requested_model", "input", "input_refs", "tools", "tool_choice", "config"}
    | {"output", "retries", "request_ids", "error", "traceback", "traceback_ansi", "cache", "call"}
)
_TOOL = _COMMON | frozenset(
    {"id", "function", "arguments", "view", "result", "truncated", "error", "events", "agent"}
    | {"agent_span_id", "failed", "message_id"}
)


class EventReader:
    """Feeds the events of one sample to a builder."""

    def __init__(
        self, builder: TrialBuilder, losses: Losses, texts: Texts, pool: Sequence[Any]
    ) -> None:
        self._builder = builder
        self._losses = losses
        self._texts = texts
        self._history = History(pool)
        self.told = MessageReader(builder, losses, texts, self._history)
        self._tools = ToolTable(texts, losses)
        self._spans = Spans([])
        self._held: dict[str, dict[str, Any]] = {}
        """Span of a tool → its event, told when the span ends: what it did comes first."""
        self._began: float | None = None
        self.error: dict[str, Any] | None = None
        """The last error of a sample; see `judging_failed`."""
        self.judging_failed = False
        """A scorer raised it, after the agent was done."""
        self.cut = False
        """The last reply was cut because the model's context was full."""
        self.stopped = ""
        """Kind of limit that stopped it."""

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """Tools that the agent was offered."""
        return self._tools.specs()

    def read(self, events: list[Any]) -> None:
        """Take all events of a sample."""
        self._spans = Spans(events)
        for event in agent_events(events, self._spans):
            kind = event.get("event")
            taker = self._takers.get(kind) if isinstance(kind, str) else None
            if taker is not None and not event.get("pending"):
                self._time(event.get("timestamp"))
                taker(self, event)
            elif kind in _LOST:
                self._losses.dropped(f"events.{kind}", event)
        for event in list(self._held.values()):
            self._answer(event)
        if self._spans.errors:
            self._judging_error(events)

    # Events

    def _model(self, event: dict[str, Any]) -> None:
        self._losses.unknown("events.model", event, _MODEL)
        new, gone = self._history.new(event)
        for message in new:
            self.told.new(message, gone)
            gone = None
        self._tools.add(event.get("tools"))
        output = as_dict(event.get("output"))
        choices = as_list(output.get("choices"))
        choice = as_dict(choices[0]) if choices else {}
        reason = as_text(choice.get("stop_reason")) or None
        self.cut = reason == "model_length"
        reason = _FINISH.get(reason, reason) if reason else None
        latency = as_number(output.get("time")) or as_number(event.get("working_time")) or 0.0
        usage = as_dict(output.get("usage"))
        error = self._texts.text(event.get("error") or output.get("error")) or None
        config = as_dict(event.get("config"))
        call = self._builder.model_call(
            as_text(event.get("model")),
            usage=_usage(usage),
            cost_usd=as_number(usage.get("total_cost")),
            latency_s=latency,
            finish_reason=reason,
            error=error,
            params={key: self._texts.tree(value) for key, value in config.items() if value},
        )
        if event.get("retries"):
            self._builder.retried(as_count(event["retries"]))
        self._builder.t += max(latency, 0.0)
        if len(choices) > 1:
            self._losses.dropped("output.choices", "further choices", count=len(choices) - 1)
        message = as_dict(choice.get("message"))
        if message and not (error and _is_empty(message)):
            sent = event.get("call")
            raw = raw_arguments(as_dict(as_dict(sent).get("response"))) if sent else None
            seq = self.told.assistant(message, raw=raw, finish_reason=reason, call=call, gone=gone)
            self._history.said(message, as_text(event.get("span_id")), seq)

    def _tool(self, event: dict[str, Any]) -> None:
        self._losses.unknown("events.tool", event, _TOOL)
        span = as_text(event.get("span_id"))
        if span in self._spans.tools:
            self._held[span] = event
        else:
            self._answer(event)

    def _answer(self, event: dict[str, Any]) -> None:
        call_id, tool = as_text(event.get("id")), as_text(event.get("function"))
        error = as_dict(event.get("error"))
        text = self._texts.content(event.get("result"))[0]
        if error:
            told = self._texts.text(error.get("message"))
            text = told or text or as_text(error.get("type"))
        self.told.require_requested(call_id, tool, event.get("arguments"))
        duration = as_number(event.get("working_time")) or 0.0
        self.told.answer(call_id, text, tool, is_error=bool(error), duration_s=duration)
        cut = as_list(event.get("truncated"))
        if cut:
            self._builder.warning("output_cut", f"{tool}: {cut[-1]} of {cut[0]} bytes were shown")

    def _span_begin(self, event: dict[str, Any]) -> None:
        if event.get("type") == "handoff":
            self._losses.dropped("events.span_begin", "who took over is not kept")

    def _span_end(self, event: dict[str, Any]) -> None:
        held = self._held.pop(as_text(event.get("id")), None)
        if held is not None:
            self._answer(held)

    def _error(self, event: dict[str, Any]) -> None:
        self.error = as_dict(event.get("error"))

    def _limit(self, event: dict[str, Any]) -> None:
        self.stopped = as_text(event.get("type"))

    def _compaction(self, event: dict[str, Any]) -> None:
        counts = f"{event.get('tokens_before')} to {event.get('tokens_after')} tokens"
        self._builder.warning("compaction", f"{as_text(event.get('type'))[:40]}, {counts}"[:200])

    def _branch(self, event: dict[str, Any]) -> None:
        self._builder.warning("branch", f"from {as_text(event.get('from_anchor'))}"[:200])

    def _interrupt(self, event: dict[str, Any]) -> None:
        told = f"{as_text(event.get('source'))} during {as_text(event.get('interrupted'))}"
        self._builder.warning("interrupted", told[:200])

    def _judging_error(self, events: list[Any]) -> None:
        """Find an error that came while a scorer ran, or from one that ended with it: what the
        agent does before its answer is scored comes before.
        """
        scoring = False
        for event in map(as_dict, events):
            kind = event.get("event")
            if self._spans.is_judging(event) or begins_judging(event):
                scoring = True
            elif kind in ("model", "tool"):
                scoring = False
            if kind == "error" and scoring:
                self.error, self.judging_failed = as_dict(event.get("error")), True

    def _time(self, stamp: Any) -> None:
        """Take the time of an event; times of the wall only ever grow here."""
        if not isinstance(stamp, str):
            return
        try:
            seconds = datetime.fromisoformat(stamp).timestamp()
        except (ValueError, OverflowError):
            return
        if self._began is None:
            self._began = seconds
        self._builder.t = max(self._builder.t, seconds - self._began)

    # Of the class: methods of the reader itself would keep it, and with it the sample, alive.
    _takers: ClassVar[dict[str, Callable[["EventReader", dict[str, Any]], None]]] = {
        "model": _model,
        "tool": _tool,
        "span_begin": _span_begin,
        "span_end": _span_end,
        "error": _error,
        "sample_limit": _limit,
        "compaction": _compaction,
        "branch": _branch,
        "interrupt": _interrupt,
    }


def _is_empty(message: dict[str, Any]) -> bool:
    """Return whether it only stands where a reply would, as after a call that failed."""
    return not (message.get("content") or message.get("tool_calls"))


def _usage(usage: dict[str, Any]) -> Usage | None:
    """Tokens of a call; what was read from or written to a cache is not in `input_tokens`."""
    if not usage:
        return None
    read = as_count(usage.get("input_tokens_cache_read"))
    written = as_count(usage.get("input_tokens_cache_write"))
    return _tokens(
        prompt_tokens=as_count(usage.get("input_tokens")) + read + written,
        completion_tokens=as_count(usage.get("output_tokens")),
        reasoning_tokens=as_count(usage.get("reasoning_tokens")),
        cached_tokens=read,
    )
