"""A trajectory: what one trial did, step by step, as the scorers see it."""

from typing import Literal

from pydantic import Field, JsonValue

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.event import EndReason, Usage
from trajaudit.datamodel.patch_trial import TakenPatch
from trajaudit.datamodel.tool import FaultKind

Role = Literal["system", "developer", "user", "assistant", "tool"]


class Message(Record):
    """One entry with a role."""

    role: Role
    content: str
    source: Literal["task", "model", "agent", "user", "harness"] = "agent"
    reasoning: str | None = None
    seq: int | None = None
    """Event that holds it; None where the trajectory has no journal."""
    rewrites: int | None = None
    call_id: str | None = None


class ToolCall(Record):
    """A request by the agent: raw text and parsed arguments."""

    call_id: str
    tool: str
    arguments_text: str
    arguments: JsonValue | None = None
    """None with a `parse_error`, else the parsed value."""
    parse_error: str | None = None
    executed: bool = True
    """False: the model asked for it, and nothing carried it out."""
    requested_text: str | None = None
    """What the model had written, where the agent's framework changed it."""
    differs: tuple[str, ...] = ()
    seq: int | None = None


class Observation(Record):
    """What the tool, the mock or the fault gave back."""

    call_id: str
    tool: str
    content: str
    is_error: bool = False
    fault: FaultKind | None = None
    duration_s: float = 0.0
    seq: int | None = None


class Step(Record):
    """One assistant message with its tool calls and their observations."""

    number: int = Field(ge=1)
    before: tuple[Message, ...] = ()
    """System, user and harness messages that came since the step before."""
    message: Message
    tool_calls: tuple[ToolCall, ...] = ()
    observations: tuple[Observation, ...] = ()
    finish_reason: str | None = None
    usage: Usage | None = None
    notes: tuple[str, ...] = ()


class WorldChange(Record):
    """The world after a tool call, as a JSON patch (RFC 6902) to the state before."""

    step: int
    seq: int | None = None
    patch: tuple[dict[str, JsonValue], ...]


class Trajectory(Record):
    """Ordered steps, final reply and end reason of one trial."""

    task_id: str
    trial: int = 1
    agent: str = ""
    model_id: str = ""
    steps: tuple[Step, ...] = ()
    after: tuple[Message, ...] = ()
    """Messages after the last step, for example a simulated user's last word."""
    final_reply: str | None = None
    """What counts as the answer: the submission, else the last message to the user."""
    submitted: bool = False
    final_seq: int | None = None
    final_step: int | None = None
    finish_reason: str | None = None
    """Of the final reply; `length` means it was cut."""
    end_reason: EndReason = "replied"
    end_detail: str = ""
    notes: tuple[str, ...] = ()
    world_start: JsonValue | None = None
    world_end: JsonValue | None = None
    world_changes: tuple[WorldChange, ...] = ()
    faults_hit: tuple[int, ...] = ()
    """Indices of the task's faults that fired."""
    patch: TakenPatch | None = None
    """What was left in the repository, where the task is one."""
    warnings: tuple[str, ...] = ()
    """`code: text` of each warning event."""
