"""What stands behind a tool: something that answers a call from arguments and world."""

from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from trajaudit.datamodel.tool import FaultKind


@dataclass(frozen=True, kw_only=True)
class CallContext:
    """What a behaviour may know about the call."""

    tool: str
    call_number: int
    """The n-th call of this tool in this trial, from 1."""
    world: JsonValue
    """The world as it is now; a behaviour returns a new one and never changes this one."""


@dataclass(frozen=True, kw_only=True)
class ToolReply:
    """What a tool gives back."""

    content: str
    """Text for the agent; JSON replies are compact JSON."""
    is_error: bool = False
    world: JsonValue = None
    """The new world, where `world_changed`."""
    world_changed: bool = False
    fault: FaultKind | None = None
    fault_index: int | None = None
    """Which of the task's faults fired."""
    warnings: tuple[tuple[str, str], ...] = field(default_factory=tuple)
    """(code, text) pairs for the journal, for example `cassette_drift`."""


class Behaviour(Protocol):
    """One mocked tool. Calls of one trial come one at a time."""

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        """Answer a call.

        Raises:
            MockError: the place where mocks run failed (infrastructure, not the agent).
        """


class LineWorker(Protocol):
    """A program in a container of its own that answers one line with one line."""

    def ask(self, line: bytes, *, timeout_s: float) -> bytes:
        """Send a line and return the answer's; TimeoutError, or an InfraError when it is gone."""

    def stop(self) -> None:
        """Remove it; safe to call twice."""
