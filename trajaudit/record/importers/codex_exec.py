"""Codex CLI: what `codex exec --json` prints, one event a line.

| here | there |
|---|---|
| step | a message or a call, with the reasoning before it |
| call and its reply | one item: `command_execution`, `mcp_tool_call`, `file_change` and others |
| tokens | `turn.completed`, of a whole turn |
| end | `turn.failed`, `error`; a stream that stops in a turn was cut |

The stream does not hold the prompt, the model or the raw text of arguments.
"""

from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.event import EndReason, Usage
from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, Totals, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.coding import SHELL, parts_text
from trajaudit.record.importers.json_source import is_json_file, lines, loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_count,
    as_dict,
    as_list,
    as_text,
    first,
    json_text,
    make_task,
    task_id,
)

NAME = "codex_exec"
_FIRST = frozenset({"thread.started", "thread.resumed", "turn.started"})
_FAILED = frozenset({"failed", "declined"})
_SILENT = frozenset({"item.started", "item.created", "item.updated", "item.delta"})
"""Said again when the item is done."""
_CALLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "command_execution": (SHELL, ("command",)),
    "file_change": ("apply_patch", ("changes",)),
    "web_search": ("web_search", ("query", "action")),
    "collab_tool_call": ("collab", ("tool", "prompt", "receiver_thread_ids")),
}
"""Kind of an item → tool that it counts as a call of, and its fields that are arguments."""


def sniff(source: Source) -> bool:
    """A first line that starts a thread or a turn."""
    if source.is_folder or not is_json_file(source.path):
        return False
    try:
        record = as_dict(loads(source.head.split(b"\n", 1)[0]))
    except ValueError:
        return False
    kind = record.get("type")
    return isinstance(kind, str) and kind in _FIRST and "payload" not in record


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield the one trial of a file."""
    records = [as_dict(record) for _, record in lines(source, losses)]

    def make(found: list[dict[str, Any]]) -> ForeignTrial | None:
        return _trial(found, source, losses)

    yield from mapped(iter([(source.name, records)]), make, losses, "stream")


class _Reader:
    """A stream, event by event."""

    def __init__(self, losses: Losses) -> None:
        self.builder = TrialBuilder(losses)
        self.thread = ""
        self.steps = 0
        self.used = Usage()
        self.turns = 0
        self.end: tuple[EndReason, str] = ("infra_error", "the stream has no turn")
        self._losses = losses
        self._thoughts: list[str] = []
        self._open: dict[str, dict[str, Any]] = {}
        """Id → item that began and is not done."""

    def take(self, event: dict[str, Any]) -> None:
        kind = as_text(event.get("type"))
        item = as_dict(event.get("item"))
        if kind in ("thread.started", "thread.resumed"):
            self.thread = self.thread or as_text(event.get("thread_id"))
        elif kind == "turn.started":
            self.turns += 1
            self.end = ("infra_error", "the stream stops in a turn")
        elif kind == "turn.completed":
            self._count(as_dict(event.get("usage")))
            self.end = ("replied", "")
        elif kind in ("turn.failed", "error"):
            self._failed(event)
        elif kind in ("item.completed", "item.failed"):
            self._open.pop(as_text(item.get("id")), None)
            self._item(item, failed=kind == "item.failed")
        elif kind in _SILENT:
            self._open[as_text(item.get("id"))] = item
        else:
            self._losses.dropped(f"event.{kind or 'untyped'}", event)

    def close(self) -> None:
        """Tell what began and was never done."""
        for item in self._open.values():
            if item.get("type") not in ("agent_message", "reasoning", "todo_list", None):
                self._call(item, answered=False)
        self._flush()

    def _item(self, item: dict[str, Any], *, failed: bool) -> None:
        kind = as_text(first(item, "type", "item_type"))
        if kind == "reasoning":
            self._thoughts.append(as_text(item.get("text")))
        elif kind in ("agent_message", "assistant_message", "plan"):
            self._say(as_text(item.get("text")))
        elif kind in _CALLS or kind == "mcp_tool_call":
            self._call(item, answered=True, failed=failed)
        elif kind == "todo_list":
            # Done when the turn is, behind the reply: no act of its own.
            self.builder.note(json_text(item.get("items")))
        elif kind == "error":
            self.builder.warning("codex", as_text(item.get("message"))[:500])
        else:
            self._losses.dropped(f"item.{kind or 'untyped'}", item)

    def _say(self, text: str, **calls: Any) -> None:
        thoughts, self._thoughts = "\n".join(self._thoughts), []
        self.steps += 1
        self.builder.assistant(text, reasoning=thoughts or None, **calls)

    def _flush(self) -> None:
        if self._thoughts:
            self._say("")

    def _call(self, item: dict[str, Any], *, answered: bool, failed: bool = False) -> None:
        kind = as_text(first(item, "type", "item_type"))
        if kind == "mcp_tool_call":
            tool = ".".join(filter(None, (as_text(item.get("server")), as_text(item.get("tool")))))
            arguments = item.get("arguments")
        else:
            tool, names = _CALLS.get(kind, (kind, ()))
            arguments = {name: item[name] for name in names if item.get(name) is not None}
        if isinstance(arguments, str):
            arguments = {"input": arguments}
        call = self.builder.request(tool, arguments, as_text(item.get("id")) or None)
        self._say("", calls=[call])
        if kind == "web_search":
            self._losses.truncated("web_search", "the stream does not hold what was found")
        if answered:
            code = item.get("exit_code")
            wrong = failed or item.get("status") in _FAILED or bool(item.get("error"))
            wrong = wrong or (isinstance(code, int) and code != 0)
            self.builder.answer(call.call_id, _output(item), tool=tool, is_error=wrong)

    def _count(self, usage: dict[str, Any]) -> None:
        """Add what a turn used: its calls of the model are not told apart."""
        self.used = Usage(
            prompt_tokens=self.used.prompt_tokens + as_count(usage.get("input_tokens")),
            completion_tokens=self.used.completion_tokens + as_count(usage.get("output_tokens")),
        )

    def _failed(self, event: dict[str, Any]) -> None:
        told = as_dict(event.get("error")) or event
        text = as_text(told.get("message")) or "the turn failed"
        full = "context window" in text.lower() or "context_window" in text
        if event.get("type") == "error" and text.startswith("Reconnecting"):
            self.builder.warning("codex", text[:500])
        else:
            self.end = ("context_overflow" if full else "infra_error", text)


def _output(item: dict[str, Any]) -> str:
    """Return what a call gave back, as far as the stream holds it."""
    error = as_text(as_dict(item.get("error")).get("message"))
    if error:
        return error
    if item.get("type") == "mcp_tool_call":
        result = as_dict(item.get("result"))
        parts = as_list(result.get("content"))
        structured = result.get("structured_content")
        return parts_text(parts) or ("" if structured is None else json_text(structured))
    if item.get("type") == "collab_tool_call":
        return json_text(item.get("agents_states") or {})
    return as_text(item.get("aggregated_output"))


def _trial(records: list[dict[str, Any]], source: Source, losses: Losses) -> ForeignTrial | None:
    reader = _Reader(losses)
    losses.truncated("prompt", "the stream does not hold what was asked, nor the model's name")
    for record in records:
        reader.take(record)
    reader.close()
    if not reader.steps:
        losses.malformed("stream", "no reply of a model")
        return None
    name = reader.thread or source.path.stem
    return ForeignTrial(
        task=make_task(task_id(name), "", losses),
        events=reader.builder.end(*reader.end),
        origin=Origin(source=source.name, format=NAME, source_id=name, agent="codex"),
        totals=Totals(
            model_calls=reader.turns,
            prompt_tokens=reader.used.prompt_tokens,
            completion_tokens=reader.used.completion_tokens,
        ),
    )


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="the event stream of codex exec --json",
)
