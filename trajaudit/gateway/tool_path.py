"""The way of a tool call: the journal, the toolbox or the user, the journal again."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from trajaudit.datamodel.event import EventBase, StateEvent, Warning_
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.gateway.base import Toolbox
from trajaudit.gateway.calls import CallRecorder, Via
from trajaudit.mocks.base import ToolReply

ASK_USER = ToolSpec(
    name="ask_user",
    description="Ask the user a question and get the answer.",
    parameters={
        "type": "object",
        "properties": {"question": {"type": "string"}},
        "required": ["question"],
    },
    effect="read",
)
SAYS_NOTHING = "the user has nothing more to say"


class ToolPath:
    """Carries out the tool calls of one trial, one at a time. Thread-safe."""

    def __init__(self, toolbox: Toolbox, recorder: CallRecorder) -> None:
        self._toolbox = toolbox
        self._recorder = recorder
        self._lock = threading.Lock()

    def call(
        self, tool: str, arguments_text: str, *, via: Via, call_id: str | None = None
    ) -> ToolReply:
        """Journal a call, carry it out, journal what came of it.

        Raises:
            InfraError: what is behind the tool failed; no observation is written.
        """
        call, request = self._recorder.begin(tool, arguments_text, via=via, call_id=call_id)
        # The world before a call is the world after the last one: patches come in order.
        with self._lock:
            world = self._toolbox.world
            started = time.monotonic()
            if isinstance(call.arguments, dict):
                reply = self._toolbox.call(tool, call.arguments)
            else:
                reply = _no_object(call.parse_error)
            spent = time.monotonic() - started
            self._recorder.finish(call, request, reply, duration_s=spent, world=world)
        return reply

    def ask_user(self, arguments_text: str, ask: Callable[[str], str | None]) -> ToolReply:
        """Journal a question to the simulated user, and its answer."""
        call, request = self._recorder.begin(ASK_USER.name, arguments_text, via="mcp")
        arguments: Any = call.arguments
        question = arguments.get("question") if isinstance(arguments, dict) else None
        started = time.monotonic()
        if isinstance(question, str):
            answer = ask(question)
            reply = ToolReply(content=answer or SAYS_NOTHING, is_error=answer is None)
        else:
            reply = ToolReply(content="question: a text is required", is_error=True)
        spent = time.monotonic() - started
        self._recorder.finish(call, request, reply, duration_s=spent)
        return reply

    def last_events(self) -> Iterator[EventBase]:
        """Return what there is to say about the tools and the world at the end of the trial."""
        for index in self._toolbox.faults_not_hit():
            yield Warning_(code="fault_not_hit", text=f"faults[{index}] never fired")
        for code, text in self._toolbox.unconsumed():
            yield Warning_(code=code, text=text)
        if self._toolbox.world is not None:
            yield StateEvent(what="end", value=self._toolbox.world)


def _no_object(fault: str | None) -> ToolReply:
    text = f"invalid arguments: {fault or 'not a JSON object'}"
    return ToolReply(content=text, is_error=True)
