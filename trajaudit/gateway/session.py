"""One trial as its agent meets it: model, tools, user, limits and end, all of it journalled."""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trajaudit.datamodel.event import (
    End,
    EndReason,
    EventBase,
    Note,
    RequestedCall,
    StateEvent,
    Submit,
)
from trajaudit.datamodel.scenario import Generation, Limits
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import InfraError
from trajaudit.gateway.base import (
    PlannedCall,
    SessionEnd,
    SessionEnded,
    Toolbox,
    ToolOutcome,
    TrialInfo,
)
from trajaudit.gateway.calls import Via
from trajaudit.gateway.infra import infra_detail
from trajaudit.gateway.limits import Budget, Used, Waiting
from trajaudit.gateway.model_path import ModelAnswer, ModelPath
from trajaudit.gateway.recorder import Recorder
from trajaudit.gateway.refusal import refused
from trajaudit.gateway.tool_path import ASK_USER, ToolPath
from trajaudit.gateway.user_model import ask_as_user
from trajaudit.llm.base import ChatModel, Endpoint
from trajaudit.mocks.user import Ask, SimulatedUser
from trajaudit.record.journal import Journal

MIN_TIMEOUT_S = 1.0
DETAIL_CHARS = 2000


class TrialSession:
    """The session of one trial; see `gateway.base.Session`.

    The caller writes the `start` event before it makes the session, and calls `close` at the end:
    that writes everything else, the `end` event last. The time limit runs from the beginning.

    Args:
        journal: open, with its `start` event; it is not closed here.
        info: what the agent may know.
        toolbox: its tools; closed with the session.
        model: None where the agent calls none.
        limits: None: the defaults.
        generation: sampling parameters that override the agent's.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        journal: Journal,
        info: TrialInfo,
        *,
        toolbox: Toolbox,
        model: ChatModel | None = None,
        limits: Limits | None = None,
        generation: Generation | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.info = info
        self.model_id = model.model_id if model else None
        self.user: SimulatedUser | None = None
        """Set it before the agent begins, where a user is simulated."""
        self._journal = journal
        self._toolbox = toolbox
        self._clock = clock
        self._budget = Budget(limits or Limits())
        self._deadline = clock() + self._budget.limits.time_s
        self._waiting = Waiting(clock)
        self._recorder = Recorder(self._write, info)
        self._tools = ToolPath(toolbox, self._recorder.calls)
        sampling = generation or Generation()
        self._model = ModelPath(model, self._recorder, sampling, self._budget) if model else None
        self._end: SessionEnd | None = None
        self._exit_code: int | None = None
        self._ended = threading.Event()
        self._end_lock = threading.Lock()
        self._user_lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._closed = False
        self._conversation: list[tuple[str, str]] = []
        self._planned = 0
        if toolbox.world is not None:
            self._write(StateEvent(what="start", value=toolbox.world))

    @property
    def usage(self) -> Used:
        """What the agent used so far."""
        return self._budget.used

    def tools(self) -> Sequence[ToolSpec]:
        return (*self._toolbox.tools, ASK_USER) if self.info.user_tool else self._toolbox.tools

    def ask_for_user(self, model: ChatModel, model_name: str, timeout_s: float = 120) -> Ask:
        """Return how a simulated user asks its model, so that it is journalled as the user's."""
        return ask_as_user(model, model_name, self._recorder, timeout_s)

    def model_call(
        self, endpoint: Endpoint, body: Mapping[str, Any], *, stream: bool = False
    ) -> ModelAnswer:
        """Ask the model for the agent.

        Raises:
            SessionEnded: the trial is over, by this call perhaps.
            Refused: the agent gets this error instead.
        """
        self.require_open()
        if self._model is None:
            raise refused(404, "this trial has no model", code="model_not_found")
        self._model.check(endpoint, body)
        self._take(self._budget.take_step(model=True))
        timeout_s = max(MIN_TIMEOUT_S, self._deadline - self._clock())
        try:
            with self._waiting.call():
                return self._model.call(endpoint, body, stream=stream, timeout_s=timeout_s)
        except InfraError as error:
            raise self._infra(error) from error

    def call_tool(
        self, tool: str, arguments_text: str, *, via: Via, call_id: str | None = None
    ) -> ToolOutcome:
        """Carry out a tool call and journal it; the toolbox decides what is wrong with it.

        Raises:
            SessionEnded: the trial is over, by this call perhaps.
        """
        self.require_open()
        self._take(self._budget.take_tool_call())
        try:
            if tool == ASK_USER.name and self.info.user_tool:
                reply = self._tools.ask_user(arguments_text, self._ask_user)
            else:
                reply = self._tools.call(tool, arguments_text, via=via, call_id=call_id)
        except InfraError as error:
            raise self._infra(error) from error
        return ToolOutcome(content=reply.content, is_error=reply.is_error)

    def say(
        self,
        content: str,
        calls: Sequence[PlannedCall] = (),
        *,
        finish_reason: str | None = None,
    ) -> list[ToolOutcome]:
        self.require_open()
        self._take(self._budget.take_step(model=False))
        requests = [self._requested(call) for call in calls]
        self._recorder.say(content, requests, finish_reason)
        return [
            self.call_tool(one.tool, one.arguments_text, via="script", call_id=one.call_id)
            for one in requests
        ]

    def reply(self, content: str, *, finish_reason: str | None = None) -> str | None:
        self.require_open()
        self._recorder.reply(content, finish_reason)
        try:
            answer = self._ask_user(content)
        except InfraError as error:
            raise self._infra(error) from error
        if answer is None:
            self.end("replied")
        else:
            self._recorder.user_says(answer)
        return answer

    def submit(self, content: str) -> None:
        self.require_open()
        self._recorder.append(Submit(content=content))
        self.end("replied", "submitted")

    def note(self, content: str) -> None:
        self.require_open()
        self._recorder.append(Note(content=content))

    def warn(self, code: str, text: str) -> None:
        """Journal what is odd about the agent's requests; nothing when the trial is over."""
        try:
            self._recorder.warn(code, text)
        except SessionEnded:
            return

    def end(self, reason: EndReason, detail: str = "") -> None:
        with self._end_lock:
            if self._end is None:
                self._end = SessionEnd(reason=reason, detail=detail)
        self._ended.set()

    def spoil(self, detail: str) -> None:
        """End as `infra_error`, whatever it had ended as: what it left could not be kept."""
        with self._end_lock:
            self._end = SessionEnd(reason="infra_error", detail=detail)
        self._ended.set()

    def agent_exited(self, exit_code: int, detail: str) -> None:
        with self._end_lock:
            if self._end is None:
                self._exit_code = exit_code
        if exit_code == 0:
            self.end("replied", detail="the agent's program ended")
        elif self._model is not None and self._model.overflowed:
            self.end("context_overflow", detail)
        else:
            self.end("agent_error", detail or f"exit code {exit_code}")

    def wait_end(self, timeout_s: float | None) -> SessionEnd | None:
        left = self._deadline - self._clock()
        if timeout_s is None or timeout_s >= left:
            if not self._ended.wait(max(0.0, left)):
                self._out_of_time()
        else:
            self._ended.wait(timeout_s)
        return self._end

    def require_open(self) -> None:
        """Raise SessionEnded when the trial is over."""
        if self._end is None and self._clock() >= self._deadline:
            self._out_of_time()
        if self._end is not None:
            raise SessionEnded(self._end)

    def close(self) -> SessionEnd:
        """Write the last events and return the end; nothing is journalled afterwards.

        Raises:
            StorageError: the journal could not be written.
        """
        self.end("infra_error", "the session was closed before it ended")
        end = self._end or SessionEnd(reason="infra_error")
        last = End(reason=end.reason, detail=end.detail[:DETAIL_CHARS], exit_code=self._exit_code)
        try:
            with self._write_lock:
                closed, self._closed = self._closed, True
                events = () if closed else (*self._tools.last_events(), last)
                for event in events:
                    self._journal.append(event)
        finally:
            self._toolbox.close()
        return end

    def _write(self, event: EventBase) -> int:
        with self._write_lock:
            if self._closed:
                raise SessionEnded(self._end or SessionEnd(reason="infra_error"))
            return self._journal.append(event)

    def _out_of_time(self) -> None:
        """End at the time limit; a model that let most of it pass is not the agent's failure."""
        limit_s = self._budget.limits.time_s
        fault = self._waiting.fault(limit_s)
        if fault is not None:
            self.end("infra_error", f"provider_failed: {fault}")
        else:
            self.end("time_limit", f"time_s: {limit_s:g}")

    def _take(self, forbidden: SessionEnd | None) -> None:
        if forbidden is not None:
            self.end(forbidden.reason, forbidden.detail)
            raise SessionEnded(self._end or forbidden)

    def _infra(self, error: InfraError) -> SessionEnded:
        end = SessionEnd(reason="infra_error", detail=infra_detail(error))
        self.end(end.reason, end.detail)
        return SessionEnded(self._end or end)

    def _ask_user(self, text: str) -> str | None:
        with self._user_lock:
            self._conversation.append(("agent", text))
            answer = self.user.answer(self._conversation) if self.user else None
            if answer is not None:
                self._conversation.append(("user", answer))
            return answer

    def _requested(self, call: PlannedCall) -> RequestedCall:
        self._planned += 1
        text = call.arguments
        return RequestedCall(
            call_id=call.call_id or f"script-{self._planned}",
            tool=call.tool,
            arguments_text=text if isinstance(text, str) else json.dumps(text, ensure_ascii=False),
        )
