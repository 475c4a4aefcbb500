"""Writes the tool calls of a trial into its journal, each linked to the model's request for it."""

import threading
from collections.abc import Callable
from typing import Literal

from pydantic import JsonValue

from trajaudit.datamodel.event import (
    EventBase,
    FaultEvent,
    ObservationEvent,
    StateEvent,
    ToolCallEvent,
    Warning_,
)
from trajaudit.gateway.item import NAME_CHARS
from trajaudit.gateway.pending import Pending, Request, differences
from trajaudit.mocks.base import ToolReply
from trajaudit.mocks.world import diff
from trajaudit.record.raw_json import parsed

Via = Literal["mcp", "agent", "script"]
Write = Callable[[EventBase], int]
"""Writes an event and returns its seq; SessionEnded once nothing may follow."""


class CallRecorder:
    """Writes calls, observations, faults and changes of the world. Thread-safe."""

    def __init__(self, write: Write, lock: threading.RLock) -> None:
        self.pending = Pending()
        self._write = write
        self._lock = lock
        self._last_id = 0

    def begin(
        self, tool: str, arguments_text: str, *, via: Via, call_id: str | None = None
    ) -> tuple[ToolCallEvent, Request | None]:
        """Record a call that is about to be carried out; the event returned holds its seq."""
        with self._lock:
            request = self._request(tool, arguments_text, call_id)
            if request is None:
                self._last_id += 1
                call_id = call_id or f"{via}-{self._last_id}"
            else:
                call_id = request.call.call_id
            event = self._event(call_id, tool, arguments_text, via=via, request=request)
            seq = self._write(event)
            if request is not None:
                request.executed = seq
            return event.model_copy(update={"seq": seq}), request

    def by_agent(self, request: Request, content: str) -> int:
        """Record a call that the agent carried out itself, as its history shows; returns the seq
        of the observation.
        """
        asked = request.call
        event = self._event(
            asked.call_id, asked.tool, asked.arguments_text, via="agent", request=request
        )
        with self._lock:
            request.executed = self._write(event)
            request.observed = content
            return self._write(
                ObservationEvent(
                    call_id=event.call_id,
                    call=request.executed,
                    tool=event.tool,
                    content=content,
                )
            )

    def finish(
        self,
        call: ToolCallEvent,
        request: Request | None,
        reply: ToolReply,
        *,
        duration_s: float,
        world: JsonValue = None,
    ) -> None:
        """Record what a call gave back; `world` is the world before it."""
        with self._lock:
            if request is not None:
                request.observed = reply.content
            self._write(
                ObservationEvent(
                    call_id=call.call_id,
                    call=call.seq,
                    tool=call.tool,
                    content=reply.content,
                    is_error=reply.is_error,
                    duration_s=round(duration_s, 6),
                    fault=reply.fault,
                )
            )
            if reply.fault is not None and reply.fault_index is not None:
                self._write(
                    FaultEvent(
                        index=reply.fault_index, tool=call.tool, fail=reply.fault, call=call.seq
                    )
                )
            if reply.world_changed:
                patch = diff(world, reply.world)
                self._write(StateEvent(what="patch", patch=patch, call=call.seq))
            for code, text in reply.warnings:
                self._write(Warning_(code=code, text=text, call=call.seq))

    def _request(self, tool: str, arguments_text: str, call_id: str | None) -> Request | None:
        by_id = self.pending.by_id(call_id)
        if by_id is not None and by_id.executed is None:
            return by_id
        return self.pending.match(tool, arguments_text)

    def _event(
        self, call_id: str, tool: str, arguments_text: str, *, via: Via, request: Request | None
    ) -> ToolCallEvent:
        arguments, fault = parsed(arguments_text)
        return ToolCallEvent(
            call_id=call_id[:NAME_CHARS],
            tool=tool[:NAME_CHARS],
            arguments_text=arguments_text,
            arguments=arguments,
            parse_error=fault,
            via=via,
            requested=request.seq if request else None,
            differs=differences(request, tool, arguments_text) if request else (),
        )
