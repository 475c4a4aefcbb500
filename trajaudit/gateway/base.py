"""What the gateway needs from above, and what it offers to agents of either side.

A trial's agent reaches the gateway in one of two ways that end in the same `Session`:
over HTTP on the trial's Unix socket (programs in a sandbox), or by method (scripted, replay).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.mocks.base import ToolReply

SOCKET_NAME = "gateway.sock"


@dataclass(frozen=True, kw_only=True)
class ToolOutcome:
    """What the caller of a tool is told."""

    content: str
    is_error: bool


@dataclass(frozen=True, kw_only=True)
class PlannedCall:
    """A tool call as a scripted or replayed agent makes it; text is sent as it is."""

    tool: str
    arguments: dict[str, JsonValue] | str
    call_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class SessionEnd:
    """Why the session is over."""

    reason: EndReason
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class TrialInfo:
    """What an agent may know of its trial."""

    task_id: str
    trial: int
    prompt: str
    system: str | None = None
    agent: Mapping[str, JsonValue] = field(default_factory=dict)
    """The agent's entry of the scenario, as JSON."""
    user: bool = False
    """A user is simulated and answers replies."""
    user_tool: bool = False
    """That user can be asked with the tool `ask_user` (MCP) as well."""


class Toolbox(Protocol):
    """The tools of one trial and the world they share. Safe to call from several threads."""

    tools: tuple[ToolSpec, ...]

    @property
    def world(self) -> JsonValue:
        """The world as it is now; read it, never change it."""

    def call(self, name: str, arguments: dict[str, JsonValue]) -> ToolReply:
        """Answer a call, of an unknown tool and with invalid arguments too; may raise MockError."""

    def faults_not_hit(self) -> list[int]:
        """Return the positions of the declared faults that have not fired."""

    def unconsumed(self) -> list[tuple[str, str]]:
        """Return a (code, text) warning for each recorded call that nobody made."""

    def close(self) -> None:
        """Release what the tools hold; safe to call twice."""


class Session(Protocol):
    """One trial, seen from its agent. Thread-safe; every method journals what it does.

    After the end each method raises `SessionEnded`.
    """

    def tools(self) -> Sequence[ToolSpec]:
        """Return the tools on offer."""

    def say(
        self,
        content: str,
        calls: Sequence[PlannedCall] = (),
        *,
        finish_reason: str | None = None,
    ) -> list[ToolOutcome]:
        """Record an assistant message of a scripted agent and carry out its calls."""

    def reply(self, content: str, *, finish_reason: str | None = None) -> str | None:
        """Give the user a reply; return what a simulated user answers, or None: the trial ends."""

    def submit(self, content: str) -> None:
        """Hand in the final answer; the trial ends as `replied`."""

    def note(self, content: str) -> None:
        """Record a remark that is no answer."""

    def end(self, reason: EndReason, detail: str = "") -> None:
        """End the session; the first reason stands."""

    def agent_exited(self, exit_code: int, detail: str) -> None:
        """Tell that the agent's program ended; this ends a session that has not ended yet.

        0: `replied`. Anything else: `context_overflow` when the provider had refused the agent's
        last request as too long, else `agent_error` with `detail` (its last lines).
        """

    def wait_end(self, timeout_s: float | None) -> SessionEnd | None:
        """Wait for the end; None when `timeout_s` passed first."""


class SessionEnded(Exception):  # noqa: N818 (a state, not a failure)
    """The trial is over: a limit was reached, or an answer was given."""

    def __init__(self, end: SessionEnd) -> None:
        self.end = end
        super().__init__(f"the trial has ended: {end.reason} {end.detail}".strip())
