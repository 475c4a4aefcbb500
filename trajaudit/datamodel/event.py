"""What a journal holds: one event a line, written as it happens, from outside the sandbox."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.tool import FaultKind


class EventBase(Record):
    """Common to all events; the journal adds `seq`, `t` and `prev` when it writes."""

    seq: int = 0
    """From 1, without gaps."""
    t: float = 0.0
    """Seconds since the start of the trial, monotonic."""
    prev: str = ""
    """SHA-256 (hex) of the line before, without its line feed; of nothing for the first."""
    escaped: bool = False
    """Bytes that are not UTF-8 were escaped as backslash sequences."""


class RequestedCall(Record):
    """A tool call as a model or an agent asked for it."""

    call_id: str
    tool: str
    arguments_text: str
    """Raw text, kept beside whatever was parsed from it."""
    artifact: str | None = None
    """SHA-256 under which the whole text lies in `artifacts/`; `arguments_text` is its head."""


class Usage(Record):
    """Tokens of one model call."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0


class Retry(Record):
    """One failed attempt of a model call."""

    status: int | None = None
    """HTTP status; None: no answer at all."""
    wait_s: float = 0.0
    error: str = ""


class Start(EventBase):
    kind: Literal["start"] = "start"
    run_id: str
    task_id: str
    trial: int
    agent: str
    model_id: str
    prompt: str
    tools: tuple[str, ...] = ()
    seed: int = 0
    time: str = ""
    """Wall clock, ISO 8601 UTC."""


class MessageEvent(EventBase):
    """A message that was not seen before in this trial."""

    kind: Literal["message"] = "message"
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str
    source: Literal["task", "model", "agent", "user", "harness"]
    """task: the scenario; model: a reply of the model; agent: the agent put it into its history;
    user: the simulated user; harness: the agent's framework shows a tool reply of its own."""
    reasoning: str | None = None
    reasoning_artifact: str | None = None
    tool_calls: tuple[RequestedCall, ...] = ()
    call_id: str | None = None
    """Of a tool message: the call it answers."""
    rewrites: int | None = None
    """The history was shortened or changed; seq of the first message that is no longer there."""
    model_call: int | None = None
    """Seq of the model call that this is the reply of."""
    finish_reason: str | None = None
    refusal: str | None = None
    artifact: str | None = None
    """SHA-256 under which the whole content lies in `artifacts/`; `content` is its head."""


class ModelCall(EventBase):
    """One call of a model, by the agent or by the simulated user."""

    kind: Literal["model_call"] = "model_call"
    model_id: str
    caller: Literal["agent", "user"] = "agent"
    endpoint: Literal["chat", "responses"] = "chat"
    streamed: bool = False
    params: dict[str, JsonValue] = Field(default_factory=dict)
    request_sha256: str = ""
    messages: int = 0
    """Messages in the request."""
    tools: tuple[str, ...] = ()
    finish_reason: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    latency_s: float = 0.0
    ttft_s: float | None = None
    """Time to first token, where the reply was streamed by the provider."""
    retries: tuple[Retry, ...] = ()
    error: str | None = None
    status: int | None = None


class ToolCallEvent(EventBase):
    """A tool call that was carried out (or refused) once."""

    kind: Literal["tool_call"] = "tool_call"
    call_id: str
    tool: str
    arguments_text: str
    arguments: JsonValue | None = None
    parse_error: str | None = None
    via: Literal["mcp", "agent", "script"]
    """mcp: through the gateway; agent: by the agent itself, seen in its history; script."""
    requested: int | None = None
    """Seq of the message in which the model asked for it."""
    differs: tuple[str, ...] = ()
    """What the agent's framework changed between the model's request and the call."""
    artifact: str | None = None
    """As in `RequestedCall`; `arguments` is then None in the file and parsed when it is read."""


class ObservationEvent(EventBase):
    """What a tool gave back."""

    kind: Literal["observation"] = "observation"
    call_id: str
    call: int
    """Seq of the tool call."""
    tool: str
    content: str
    is_error: bool = False
    duration_s: float = 0.0
    fault: FaultKind | None = None
    artifact: str | None = None


class StateEvent(EventBase):
    """The mocked world: whole at the start and the end, a JSON patch (RFC 6902) in between."""

    kind: Literal["state"] = "state"
    what: Literal["start", "patch", "end"]
    value: JsonValue | None = None
    patch: tuple[dict[str, JsonValue], ...] = ()
    call: int | None = None


class FaultEvent(EventBase):
    kind: Literal["fault"] = "fault"
    index: int
    """Position in the task's list of faults, from 0."""
    tool: str
    fail: FaultKind
    call: int
    """Seq of the tool call it hit."""


class Note(EventBase):
    kind: Literal["note"] = "note"
    content: str
    artifact: str | None = None


class Submit(EventBase):
    kind: Literal["submit"] = "submit"
    content: str
    artifact: str | None = None


class PatchEvent(EventBase):
    """What the agent left in its repository, taken out of its container after it had ended."""

    kind: Literal["patch"] = "patch"
    artifact: str | None = None
    """SHA-256 under which the patch lies in `artifacts/`, byte for byte; nothing is redacted."""
    size: int = 0
    files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    problem: Literal["too_large", "unreadable", "lost"] | None = None
    detail: str = ""


class Warning_(EventBase):  # noqa: N801 (the builtin has the plain name)
    kind: Literal["warning"] = "warning"
    code: str
    """snake_case, for example `fault_not_hit`, `unknown_route`, `cassette_drift`."""
    text: str
    call: int | None = None


EndReason = Literal[
    "replied",
    "step_limit",
    "time_limit",
    "token_limit",
    "context_overflow",
    "agent_error",
    "infra_error",
]


class End(EventBase):
    kind: Literal["end"] = "end"
    reason: EndReason
    detail: str = ""
    """For example which limit, the agent's last lines of stderr, or the infrastructure's error."""
    exit_code: int | None = None


Event = Annotated[
    Start
    | MessageEvent
    | ModelCall
    | ToolCallEvent
    | ObservationEvent
    | StateEvent
    | FaultEvent
    | Note
    | Submit
    | PatchEvent
    | Warning_
    | End,
    Field(discriminator="kind"),
]
