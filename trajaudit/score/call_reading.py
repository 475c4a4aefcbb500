"""What did a tool call say, strictly and as a careful reader takes it?"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import FaultKind, ToolSpec
from trajaudit.datamodel.trajectory import Observation, Step, ToolCall, Trajectory
from trajaudit.score.argument_repair import canonical, repair_arguments
from trajaudit.score.json_text import Reading, Unreadable, parse_strictly, read_object
from trajaudit.score.meaning import Meaning, meaning_of, zip_lists
from trajaudit.score.schema_view import Schema, SchemaView
from trajaudit.score.tool_name import NamedTool, resolve_tool

_REFUSED_FORM = re.compile(
    r"valid|schema|\btypes?\b|pars(e|ing)|\bjson\b|argument|parameter|"
    r"unknown tool|no (such )?tool|not a number|must be (a|an)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ArgumentsForm:
    """Arguments in the form in which meanings are compared; the same for both sides."""

    raw: Schema
    """As they were written, under declared names."""
    meanings: Mapping[str, Meaning]
    rungs: Mapping[str, tuple[str, ...]]
    """Tolerances of each argument."""
    repaired: Schema


@dataclass(frozen=True)
class CallReading:
    """One tool call: its strict reading, its lenient one, and what came of it."""

    call: ToolCall
    step: int
    named: NamedTool
    strict: Schema | None
    """None when the text is no JSON object."""
    form: ArgumentsForm | None
    """None when even a careful reader gets no arguments out of it."""
    rungs: tuple[str, ...] = ()
    """Tolerances for the text and the tool's name."""
    unreadable: Unreadable | None = None
    error: str | None = None
    """What the tool answered when it failed."""
    fault: FaultKind | None = None
    """A failure that was injected."""
    reply: str | None = None
    repeats: tuple[str, str] = ("", "")
    """Name and canonical arguments: equal for equal calls."""

    @property
    def happened(self) -> bool:
        """Whether the call was carried out and did not fail."""
        return self.call.executed and self.error is None

    @property
    def was_refused_for_form(self) -> bool:
        """Whether the harness turned down a call that can be read in exactly one way."""
        if self.form is None or self.happened or self.fault is not None:
            return False
        if not self.call.executed:
            return self.call.parse_error is not None or bool(self.rungs)
        return bool(_REFUSED_FORM.search(self.error or ""))


def tools_of(scenario: Scenario, task: Task) -> tuple[ToolSpec, ...]:
    """Return the tools that this task offers."""
    if task.tools is None:
        return scenario.tools
    return tuple(tool for tool in scenario.tools if tool.name in task.tools)


def read_calls(
    trajectory: Trajectory, tools: Sequence[ToolSpec], off: frozenset[str] = frozenset()
) -> list[CallReading]:
    """Read every tool call of a trajectory, in order."""
    return [
        read_call(call, tools, off, step.number, _answer(step, number, call))
        for step in trajectory.steps
        for number, call in enumerate(step.tool_calls)
    ]


def read_call(
    call: ToolCall,
    tools: Sequence[ToolSpec],
    off: frozenset[str] = frozenset(),
    step: int = 1,
    answer: Observation | None = None,
) -> CallReading:
    """Read one tool call; never raises."""
    named = resolve_tool(call.tool, tools)
    if named.rung in off:
        named = NamedTool(None, nearest=named.name)
    strict = _strict(call)
    read = _read(call, strict, named.name, tools, off)
    form: ArgumentsForm | None = None
    rungs: tuple[str, ...] = ()
    unreadable: Unreadable | None = None
    if isinstance(read, Unreadable):
        unreadable = read
    elif isinstance(read.value, dict):
        tool = next((t for t in tools if t.name == named.name), None)
        form = form_arguments(read.value, tool or ToolSpec(name="unknown", parameters={}), off)
        rungs = read.repairs
    if named.rung is not None:
        rungs = (*rungs, named.rung)
    said = canonical(read.value) if isinstance(read, Reading) else call.arguments_text
    return CallReading(
        call,
        step,
        named,
        strict,
        form,
        rungs,
        unreadable,
        error=answer.content if answer is not None and answer.is_error else None,
        fault=answer.fault if answer is not None else None,
        reply=answer.content if answer is not None else None,
        repeats=(named.name or call.tool, said),
    )


def form_arguments(arguments: Schema, tool: ToolSpec, off: frozenset[str]) -> ArgumentsForm:
    """Bring arguments into the form in which meanings are compared."""
    view = SchemaView.of(tool.parameters)
    repaired = repair_arguments(arguments, tool, off)
    values, moved = repaired.values, frozenset[str]()
    if "zipped_order" not in off:
        values, moved = zip_lists(values, view)
    meanings = {
        name: meaning_of(value, view.property_(name), name, off) for name, value in values.items()
    }
    rungs = {
        name: (
            *repaired.rungs[name],
            *meanings[name].rungs,
            *(["zipped_order"] if name in moved else []),
        )
        for name in values
    }
    raw = dict(zip(repaired.values, arguments.values(), strict=True))
    return ArgumentsForm(raw, meanings, rungs, repaired.values)


def _read(
    call: ToolCall,
    strict: Schema | None,
    tool: str | None,
    tools: Sequence[ToolSpec],
    off: frozenset[str],
) -> Reading | Unreadable:
    """Read the arguments as a careful reader does, within the tolerances that apply."""
    read = Reading(strict) if strict is not None else _lenient(call)
    if isinstance(read, Reading) and isinstance(read.value, dict):
        read = _opened(read, read.value, tool, tools)
    if isinstance(read, Reading) and not off.isdisjoint(read.repairs):
        return Unreadable("not_json", f"{read.repairs[0]} is not tolerated here")
    return read


def _strict(call: ToolCall) -> Schema | None:
    if not call.arguments_text.strip():
        return call.arguments if isinstance(call.arguments, dict) else None
    try:
        value = parse_strictly(call.arguments_text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _lenient(call: ToolCall) -> Reading | Unreadable:
    if call.arguments_text.strip() in {"", "null"} and call.arguments is None:
        return Reading({}, ("empty_arguments",))
    return read_object(call.arguments_text)


def _opened(read: Reading, value: Schema, tool: str | None, tools: Sequence[ToolSpec]) -> Reading:
    """Take the arguments out of a whole call that was written where they belong."""
    inner = next((value[key] for key in ("arguments", "parameters", "input") if key in value), None)
    spec = next((spec for spec in tools if spec.name == tool), None)
    if spec is None or not isinstance(inner, dict) or len(value) != 2:
        return read
    if value.get("name") != tool or SchemaView.of(spec.parameters).properties.keys() & value.keys():
        return read
    return Reading(inner, (*read.repairs, "call_envelope"))


def _answer(step: Step, number: int, call: ToolCall) -> Observation | None:
    """Find the observation of a call: by its id where that is unique, else by position."""
    found = [seen for seen in step.observations if seen.call_id == call.call_id]
    same = [other for other in step.tool_calls if other.call_id == call.call_id]
    if len(found) == 1 and len(same) == 1:
        return found[0]
    if len(step.observations) == len(step.tool_calls):
        return step.observations[number]
    return found[0] if len(found) == 1 and call is same[0] else None
