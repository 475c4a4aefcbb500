"""Which tool calls and which end states count as having done the task."""

from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from trajaudit.datamodel._base import Record


class _AsWritten(Record):
    """A condition that is told by which of its fields is written, `null` included: stored, it keeps
    only those, so that it means the same when it is read back.
    """

    @model_serializer(mode="wrap")
    def _only_written(self, full: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written = {name for field in self.model_fields_set for name in (field, field.rstrip("_"))}
        return {name: value for name, value in full(self).items() if name in written}


class Matcher(_AsWritten):
    """How one argument of a call must look; exactly one field is set.

    In YAML a bare value is `exact`, and a mapping that is not one of these keys is `exact` too.
    """

    exact: JsonValue | None = None
    """Equal within the tolerances of the ladder."""
    strict: JsonValue | None = None
    """Equal as JSON, no tolerance at all."""
    approx: float | None = None
    within: float | None = None
    """Absolute tolerance of `approx`; None: relative 1e-6."""
    any_of: tuple[JsonValue, ...] | None = None
    any: bool | None = None
    regex: str | None = None
    schema_: dict[str, JsonValue] | None = Field(default=None, alias="schema")
    like: str | None = None
    """Text, compared after normalising case, blanks and punctuation."""
    unordered: tuple[JsonValue, ...] | None = None


MATCHER_KEYS = ("strict", "approx", "any_of", "any", "regex", "schema", "like", "unordered")


def _matcher(value: Any) -> Any:
    if isinstance(value, Matcher):
        return value
    if isinstance(value, dict) and value.keys() <= {*MATCHER_KEYS, "within", "exact"} and value:
        return value
    return {"exact": value}


ArgumentMatcher = Annotated[Matcher, BeforeValidator(_matcher)]


class ExpectedCall(Record):
    """One call of an accepted path. In YAML: `get_order: {order_id: A-17}` plus the flags."""

    tool: str
    arguments: dict[str, ArgumentMatcher] = Field(default_factory=dict)
    id: str | None = None
    """Name used in `before`; the tool's name when it is called once in the path."""
    optional: bool = False
    repeat: bool = False
    """May happen more than once."""
    extra_arguments: bool = False
    """Arguments that are not listed here may be passed as well."""

    @model_validator(mode="before")
    @classmethod
    def _shorthand(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"tool": value}
        if isinstance(value, dict) and "tool" not in value:
            flags = {"id", "optional", "repeat", "extra_arguments"}
            names = [key for key in value if key not in flags]
            if len(names) == 1:
                rest = {key: value[key] for key in value if key in flags}
                return {"tool": names[0], "arguments": value[names[0]] or {}, **rest}
        return value


class AcceptedPath(Record):
    """One way of doing the task: expected calls under a partial order."""

    name: str
    calls: tuple[ExpectedCall, ...]
    before: tuple[tuple[str, str], ...] = ()
    """Pairs (a, b): call a happens before call b."""
    order: Literal["any", "listed"] = "any"
    """`listed` is short for every call before the next."""
    provenance: str | None = None
    """Where a promoted path came from: run, trial, reviewer, date."""


class StateAssertion(_AsWritten):
    """One condition on the end state of the mocked world; exactly one kind of it.

    Paths are JSONPath in the dotted form `$.orders.A-17.status` (a segment may hold dashes).
    """

    path: str | None = None
    equals: JsonValue | None = None
    approx: float | None = None
    within: float | None = None
    any_of: tuple[JsonValue, ...] | None = None
    regex: str | None = None
    exists: bool | None = None
    unchanged: tuple[str, ...] | None = None
    """Paths whose value is the same at the end as at the start."""


class Accept(Record):
    """What is accepted: an end state, or one of several paths, and what is forbidden."""

    state: tuple[StateAssertion, ...] = ()
    """All of these together accept any path."""
    golden_state: bool = False
    """The end state that the golden trajectory leaves accepts any path."""
    golden_world: JsonValue | None = None
    """That end state; never written by hand, filled in when a run is frozen."""
    ignore_state: tuple[str, ...] = ()
    """Paths of the world that are irrelevant to equality of end states."""
    paths: tuple[AcceptedPath, ...] = ()
    forbid: tuple[ExpectedCall, ...] = ()
    extra_calls: Literal["any", "read_only", "none"] = "read_only"
    allowed_tools: tuple[str, ...] | None = None
    communicate: tuple[str, ...] = ()
    """Texts that the agent must have told the user at some time."""
