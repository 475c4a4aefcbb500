"""Which fields of a task and of a trial may a reviewer see, and in which form?

Whatever is not named here is hidden: a new field of a record stays so until somebody allows it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from trajaudit.datamodel import accept, scenario, target, tool, trajectory
from trajaudit.datamodel._base import Record
from trajaudit.datamodel.patch_trial import PatchSpec, TakenPatch
from trajaudit.judge.names import MARK, without_names

_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_HELD_BACK = frozenset({"content_filter", "refusal", "safety"})
_TOOL_MARK = MARK.strip("[]")


class Hider:
    """Takes out of one trial what would tell who the agent is."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._call_ids: dict[str, str] = {}

    def text(self, value: Any) -> Any:
        """Hide names in a text, and in every text inside of records, lists and JSON."""
        if isinstance(value, str):
            return without_names(value, self._names)
        if isinstance(value, Record):
            return self.record(value)
        if isinstance(value, (list, tuple)):
            return type(value)(self.text(one) for one in value)
        if isinstance(value, dict):
            return self._mapping(value)
        return value

    def tool(self, value: Any) -> Any:
        """Hide names in the name of a tool, or in several; it stays a name."""
        if isinstance(value, tuple):
            return tuple(self.tool(one) for one in value)
        return None if value is None else without_names(value, self._names, _TOOL_MARK)

    def call_id(self, value: str | None) -> str | None:
        """Count calls: the form of an id tells whose interface made it."""
        if value is None:
            return None
        return self._call_ids.setdefault(value, f"c{len(self._call_ids) + 1}")

    def record(self, value: Record) -> Record:
        """Return a copy that holds the allowed fields only; the others as if nothing was known.

        Raises:
            TypeError: a record of a kind that nobody allowed.
        """
        kind = type(value)
        if kind not in SHOWN:
            raise TypeError(f"{kind.__name__}: no field of it is allowed; name them in SHOWN")
        allowed, unknown = SHOWN[kind], _UNKNOWN.get(kind, {})
        update: dict[str, Any] = {}
        for name, field in kind.model_fields.items():
            if name not in allowed:
                default = field.get_default(call_default_factory=True)
                update[name] = unknown[name] if field.is_required() else default
            elif name in value.model_fields_set:
                update[name] = allowed[name](self, getattr(value, name))
        return value.model_copy(update=update)

    def _mapping(self, value: dict[Any, Any]) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, item in value.items():
            hidden = self.text(key)
            # Two names may become one mark; neither entry is lost.
            again = sum(str(one).startswith(f"{hidden}") for one in made)
            made[f"{hidden} ({again + 1})" if hidden in made else hidden] = self.text(item)
        return made


Form = Callable[[Hider, Any], Any]


def _as_is(_: Hider, value: Any) -> Any:
    """Show what cannot hold a name: a number, yes or no, one of a few words of our own."""
    return value


def _end(_: Hider, value: str | None) -> str | None:
    """Tell only whether a reply was cut or held back; providers have words of their own."""
    reason = (value or "").casefold()
    if reason in _CUT:
        return "length"
    return "content_filter" if reason in _HELD_BACK else None


def _fields(
    text: str = "", as_is: str = "", tool: str = "", call_id: str = "", end: str = ""
) -> dict[str, Form]:
    """Return the form of each field; every argument is names with blanks between."""
    forms: tuple[tuple[str, Form], ...] = (
        (text, Hider.text),
        (as_is, _as_is),
        (tool, Hider.tool),
        (call_id, Hider.call_id),
        (end, _end),
    )
    return {name: form for names, form in forms for name in names.split()}


_TARGET = "locale written answer_format"
SHOWN: Mapping[type[Record], Mapping[str, Form]] = {
    scenario.Task: _fields(text="prompt target accept", tool="tools"),
    tool.ToolSpec: _fields(text="description parameters", as_is="effect", tool="name"),
    accept.Accept: _fields(
        text="state golden_world ignore_state paths forbid communicate",
        as_is="golden_state extra_calls",
        tool="allowed_tools",
    ),
    accept.AcceptedPath: _fields(text="name calls before", as_is="order"),
    accept.ExpectedCall: _fields(
        text="arguments id", as_is="optional repeat extra_arguments", tool="tool"
    ),
    accept.Matcher: _fields(
        text="exact strict any_of regex schema_ like unordered", as_is="approx within any"
    ),
    accept.StateAssertion: _fields(
        text="path equals any_of regex unchanged", as_is="approx within exists"
    ),
    trajectory.Trajectory: _fields(
        text="steps after final_reply notes world_start world_end world_changes patch",
        as_is="submitted final_step end_reason",
        end="finish_reason",
    ),
    trajectory.Step: _fields(
        text="before message tool_calls observations notes", as_is="number", end="finish_reason"
    ),
    trajectory.Message: _fields(text="content reasoning", as_is="role source", call_id="call_id"),
    trajectory.ToolCall: _fields(
        text="arguments_text arguments parse_error requested_text differs",
        as_is="executed",
        tool="tool",
        call_id="call_id",
    ),
    trajectory.Observation: _fields(
        text="content", as_is="is_error", tool="tool", call_id="call_id"
    ),
    trajectory.WorldChange: _fields(text="patch", as_is="step"),
    TakenPatch: _fields(text="files left_out", as_is="size problem"),
    PatchSpec: _fields(text="fail_to_pass pass_to_pass"),
    target.TextTarget: _fields(text=f"{_TARGET} text any_of", as_is="requires_submit literal"),
    target.NumberTarget: _fields(text=f"{_TARGET} unit", as_is="requires_submit number tolerance"),
    target.MoneyTarget: _fields(
        text=f"{_TARGET} currency", as_is="requires_submit money tolerance"
    ),
    target.PercentTarget: _fields(text=_TARGET, as_is="requires_submit percent tolerance"),
    target.ChoiceTarget: _fields(text=f"{_TARGET} choice of", as_is="requires_submit"),
    target.ChoicesTarget: _fields(text=f"{_TARGET} choices of", as_is="requires_submit"),
    target.SetTarget: _fields(text=f"{_TARGET} set", as_is="requires_submit"),
    target.ListTarget: _fields(text=f"{_TARGET} list", as_is="requires_submit"),
    target.TupleTarget: _fields(text=f"{_TARGET} tuple", as_is="requires_submit"),
    target.IntervalTarget: _fields(text=f"{_TARGET} interval", as_is="requires_submit"),
    target.ExpressionTarget: _fields(text=f"{_TARGET} expression", as_is="requires_submit"),
    target.DateTarget: _fields(text=f"{_TARGET} date date_order", as_is="requires_submit"),
    target.TimeTarget: _fields(text=f"{_TARGET} time", as_is="requires_submit clock"),
    target.BoolTarget: _fields(text=_TARGET, as_is="requires_submit bool"),
    target.JsonTarget: _fields(text=f"{_TARGET} json_ schema_", as_is="requires_submit"),
    target.RegexTarget: _fields(text=f"{_TARGET} regex", as_is="requires_submit"),
    target.PatchTarget: _fields(text=f"{_TARGET} patch", as_is="requires_submit"),
    target.RubricTarget: _fields(text=f"{_TARGET} rubric", as_is="requires_submit"),
}
"""Record → its allowed fields → the form in which each is shown."""
_UNKNOWN: Mapping[type[Record], Mapping[str, Any]] = {
    scenario.Task: {"id": "task"},
    trajectory.Trajectory: {"task_id": "task"},
    PatchSpec: {"repository": "", "gold": "", "tests": ""},
}
"""What stands in a hidden field that cannot be left out."""
