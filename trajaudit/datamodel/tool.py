"""A tool that the agent may call: its schema, its mocked behaviour and its declared faults."""

from typing import Any, Literal, Self

from pydantic import Field, JsonValue, model_validator

from trajaudit.datamodel._base import Record

FaultKind = Literal[
    "error", "timeout", "latency", "rate_limit", "malformed", "empty", "partial", "network"
]


def _no_parameters() -> dict[str, JsonValue]:
    return {"type": "object", "properties": {}}


class Aliases(Record):
    """Other names that mean the same; used by the lenient reading only."""

    names: tuple[str, ...] = ()
    arguments: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class TableRow(Record):
    """One row of a reply table: `args` match when each listed argument does (`"*"` = anything)."""

    args: dict[str, JsonValue] = Field(default_factory=dict)
    reply: JsonValue = None
    error: str | None = None


class Mock(Record):
    """The behaviour behind a tool; exactly one field is set."""

    static: JsonValue | None = None
    table: tuple[TableRow, ...] | None = None
    default: JsonValue | None = None
    """Reply of a table when no row matches; None: an error that names the arguments."""
    sequence: tuple[JsonValue, ...] | None = None
    """Reply n to call n; after the last, an error."""
    python: str | None = None
    """File with a pure function named like the tool, run in a container of its own."""
    cassette: str | None = None
    """JSONL file of recorded calls."""
    policy: Literal["strict", "fifo"] = "strict"
    """Cassette replay: by arguments, unexpected calls fail; or in order, drift is reported."""
    mcp: dict[str, JsonValue] | None = None
    """A real MCP server `{url: ...}` or `{command: [...]}`, its replies recorded."""

    @model_validator(mode="after")
    def _one_behaviour(self) -> Self:
        kinds = ("static", "table", "sequence", "python", "cassette", "mcp")
        chosen = [kind for kind in kinds if getattr(self, kind) is not None]
        if len(chosen) != 1:
            raise ValueError(
                f"a mock has exactly one of {', '.join(kinds)}; got {', '.join(chosen) or 'none'}"
            )
        return self


class ToolSpec(Record):
    """A tool as the agent sees it, and what is behind it."""

    name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")
    description: str = ""
    parameters: dict[str, JsonValue] = Field(default_factory=_no_parameters)
    """JSON Schema of the arguments."""
    effect: Literal["read", "write"] = "write"
    """Read-only calls may move, repeat and be left out."""
    aliases: Aliases = Aliases()
    mock: Mock | None = None
    sandbox: Literal["bash", "read", "write", "edit"] | None = None
    """Executed in the agent's own container instead of a mock."""


class FaultSpec(Record):
    """A failure that is injected into a tool; every declared fault must fire."""

    tool: str
    fail: FaultKind
    call: int | None = Field(default=None, ge=1)
    """The n-th call of that tool (from 1); the next one where another fault took that call."""
    args: dict[str, JsonValue] | None = None
    """Calls whose arguments match (`"*"` = anything)."""
    rate: float | None = Field(default=None, gt=0, le=1)
    """Each call with this probability, from the trial's seed."""
    times: int | None = Field(default=None, ge=1)
    """At most so often; None: no limit (1 when neither call, args nor rate is given)."""
    message: str | None = None
    """Text of the error that the agent sees."""
    seconds: float | None = Field(default=None, ge=0)
    """Length of a latency or time-out."""
    effect: Literal["lost", "done"] = "lost"
    """Behind an error, time-out, rate limit or broken network: whether the tool did its work all
    the same and only its answer was lost."""


class ScriptedReply(Record):
    """What a simulated user says; with `when`, only if the agent's message contains it."""

    say: str
    when: str | None = None
    """Case-insensitive text, or `/regex/`."""


class UserSpec(Record):
    """Who answers when the agent asks."""

    kind: Literal["scripted", "model"] = "scripted"
    replies: tuple[ScriptedReply, ...] = ()
    model: str | None = None
    """Model id of a simulated user."""
    persona: str | None = None
    """What a simulated user wants and knows; never shown to the agent."""
    max_turns: int = Field(default=8, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _kind_of_replies(cls, value: Any) -> Any:
        if isinstance(value, dict) and "persona" in value and "kind" not in value:
            return {**value, "kind": "model"}
        return value
