"""Writes each thing of a trial into its journal exactly once, however often an agent shows it."""

import threading
from collections.abc import Sequence
from typing import Literal

from trajaudit.datamodel.event import EventBase, MessageEvent, RequestedCall, Warning_
from trajaudit.gateway.base import TrialInfo
from trajaudit.gateway.calls import CallRecorder, Write
from trajaudit.gateway.history import Node, add, walk
from trajaudit.gateway.item import Item
from trajaudit.record.event_line import escaped

MAX_WARNINGS = 1000
"""Later ones are left out: a hostile agent cannot fill the disk with them."""


class Recorder:
    """The only writer of a trial's journal while its agent acts. Thread-safe."""

    def __init__(self, write: Write, info: TrialInfo) -> None:
        self._write = write
        self._info = info
        self._lock = threading.RLock()
        self._root = Node()
        self.calls = CallRecorder(write, self._lock)
        self._pending = self.calls.pending
        self._said: dict[bytes, int] = {}
        """Messages that were journalled before any history showed them → their seq."""
        self._last_assistant: MessageEvent | None = None
        self._seen_any = False
        self._warnings = 0

    def append(self, event: EventBase) -> int:
        """Write an event and return its seq."""
        with self._lock:
            return self._write(event)

    def warn(self, code: str, text: str, call: int | None = None) -> None:
        """Write a warning, unless there are too many already."""
        with self._lock:
            self._warnings += 1
            if self._warnings < MAX_WARNINGS:
                self.append(Warning_(code=code, text=text[:2000], call=call))
            elif self._warnings == MAX_WARNINGS:
                self.append(Warning_(code="warnings_left_out", text=f"{MAX_WARNINGS} and more"))

    def request(self, items: Sequence[Item], start: Node | None = None) -> tuple[Node, int | None]:
        """Record what is new in a history.

        Args:
            items: the history, or what follows `start`.
            start: the place in a known conversation that the items continue.

        Returns:
            The place of the history's last message, and the seq of the first message that the
            history no longer holds where nothing new could carry it.
        """
        with self._lock:
            self._seen_any = True
            walked = walk(start or self._root, items)
            rewrites = walked.dropped.seq if walked.dropped else None
            node = walked.node
            for item in walked.new:
                seq, carried = self._new_item(item, rewrites)
                rewrites = None if carried else rewrites
                node = add(node, item, seq, echoed=True)
            node.waiting += 1
            return node, rewrites

    def answered(self, node: Node) -> None:
        """Note that the model call made from this place is over."""
        with self._lock:
            node.waiting -= 1

    def model_reply(
        self,
        node: Node,
        items: Sequence[Item],
        *,
        model_call: int,
        finish_reason: str | None,
        rewrites: int | None,
    ) -> Node:
        """Record one reply of the model, which may be several items, as one message."""
        with self._lock:
            seq = self._message(
                MessageEvent(
                    role="assistant",
                    content="\n\n".join(item.content for item in items if item.content),
                    source="model",
                    reasoning="".join(item.reasoning or "" for item in items) or None,
                    refusal="".join(item.refusal or "" for item in items) or None,
                    tool_calls=tuple(call for item in items for call in item.calls),
                    model_call=model_call,
                    finish_reason=finish_reason,
                    rewrites=rewrites,
                )
            )
            for item in items:
                node = add(node, item, seq, echoed=False)
            return node

    def say(self, content: str, calls: Sequence[RequestedCall], finish_reason: str | None) -> int:
        """Record an assistant's message that no model wrote."""
        with self._lock:
            self._require_task()
            event = MessageEvent(
                role="assistant",
                content=content,
                source="agent",
                tool_calls=tuple(calls),
                finish_reason=finish_reason,
            )
            seq = self._message(event)
            self._said[Item(role="assistant", content=content, calls=tuple(calls)).key] = seq
            return seq

    def reply(self, content: str, finish_reason: str | None) -> None:
        """Record a reply to the user, unless it is the last message that is there already."""
        with self._lock:
            last = self._last_assistant
            known = last is not None and not last.tool_calls
            if not (last and known and last.content.strip() == escaped(content)[0].strip()):
                self.say(content, (), finish_reason)

    def user_says(self, content: str) -> None:
        """Record what the simulated user answers."""
        with self._lock:
            seq = self._message(MessageEvent(role="user", content=content, source="user"))
            self._said[Item(role="user", content=content).key] = seq

    def _require_task(self) -> None:
        """A scripted agent sends no history: the task is written down for it."""
        if self._seen_any:
            return
        self._seen_any = True
        if self._info.system:
            system = Item(role="system", content=self._info.system)
            self._new_item(system, None)
        self._new_item(Item(role="user", content=self._info.prompt), None)

    def _message(self, event: MessageEvent) -> int:
        seq = self.append(event)
        for call in event.tool_calls:
            self._pending.add(call, seq)
        if event.role == "assistant":
            self._last_assistant = event
        return seq

    def _new_item(self, item: Item, rewrites: int | None) -> tuple[int | None, bool]:
        """Record an item of a history; return its seq and whether it carries `rewrites`."""
        if item.role == "tool":
            return self._tool_message(item, rewrites)
        said = self._said.pop(item.key, None)
        if said is not None:
            return said, False
        shown = tuple(call for call in item.calls if not self._pending.known(call.call_id))
        event = MessageEvent(
            role=item.role,
            content=item.content,
            source=self._source(item),
            reasoning=item.reasoning,
            refusal=item.refusal,
            tool_calls=shown,
            rewrites=rewrites,
        )
        return self._message(event), True

    def _source(self, item: Item) -> Literal["task", "agent"]:
        told = {"user": self._info.prompt, "system": self._info.system or ""}
        told["developer"] = told["system"]
        expected = told.get(item.role, "").strip()
        return "task" if expected and item.content.strip() == expected else "agent"

    def _tool_message(self, item: Item, rewrites: int | None) -> tuple[int | None, bool]:
        request = self._pending.by_id(item.call_id)
        if request is not None and request.executed is None:
            return self.calls.by_agent(request, item.content), False
        observed = request.observed if request else None
        if observed is not None and observed.strip() == item.content.strip():
            return None, False
        event = MessageEvent(
            role="tool",
            content=item.content,
            source="harness" if request else "agent",
            call_id=item.call_id,
            rewrites=rewrites,
        )
        return self._message(event), True
