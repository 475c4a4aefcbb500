"""Which accepted path do the calls of a trial make, once a person says that they are right?

Only what succeeded is in it. Looking around is free wherever the task leaves it free, so it is left
out there; what was written stays, in the order in which it was done.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pydantic import JsonValue

from trajaudit.datamodel.accept import MATCHER_KEYS, Accept
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.call_reading import CallReading, read_calls, tools_of

Schema = dict[str, JsonValue]
_FIXED = ("enum", "const", "pattern", "format")
"""What in a schema says that a text is no free text."""


class NoPathError(ValueError):
    """The calls of the trial make no path; the text says why."""


@dataclass
class Promotion:
    """A path as it is written into a scenario, and what a reader of it should know."""

    path: Schema
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Call:
    reading: CallReading
    tool: str
    arguments: Schema
    is_read: bool


def promoted_path(
    scenario: Scenario, task: Task, trajectory: Trajectory, accept: Accept
) -> Promotion:
    """Return the path that a trial took; without a name.

    Raises:
        NoPathError: nothing succeeded, or a call cannot be read.
    """
    calls = list(_calls(scenario, task, trajectory))
    if not calls:
        raise NoPathError("no call of the trial succeeded; a path needs at least one")
    made = Promotion({})
    kept = _kept(calls, accept, made)
    known = _Known(scenario, task, trajectory)
    named = list(zip(kept, _names(kept), strict=True))
    made.path["calls"] = [
        _with_flags(call, _arguments(call, known, made), _flags(call, name, calls, accept))
        for call, name in named
    ]
    before = _order(named)
    if before:
        made.path["before"] = before
    return made


def _kept(calls: Sequence[_Call], accept: Accept, made: Promotion) -> list[_Call]:
    """Return the calls that the path lists, and note what it does without."""
    writes = [call for call in calls if not call.is_read]
    if not writes:
        return _distinct(calls)
    if accept.extra_calls == "none":
        made.notes.append("calls that only read are optional")
        return _distinct(calls, of_reads_only=True)
    looks = [call.tool for call in calls if call.is_read]
    if looks:
        made.notes.append(f"left out, free anyway: {', '.join(dict.fromkeys(looks))}")
    return writes


def _flags(call: _Call, name: str, calls: Sequence[_Call], accept: Accept) -> Schema:
    same = sum(other.reading.repeats == call.reading.repeats for other in calls)
    return {
        "id": name if name != call.tool else None,
        "optional": call.is_read and not all(other.is_read for other in calls),
        "repeat": call.is_read and accept.extra_calls == "none" and same > 1,
    }


def _calls(scenario: Scenario, task: Task, trajectory: Trajectory) -> Iterator[_Call]:
    tools = tools_of(scenario, task)
    effects = {tool.name: tool.effect for tool in tools}
    for reading in read_calls(trajectory, tools):
        if not reading.happened:
            continue
        if reading.form is None:
            raise NoPathError(f"the arguments of {reading.call.tool} cannot be read")
        tool = reading.named.name or reading.call.tool
        yield _Call(reading, tool, dict(reading.form.repaired), effects.get(tool) == "read")


def _distinct(calls: Sequence[_Call], *, of_reads_only: bool = False) -> list[_Call]:
    """Leave out repeats; writes are kept where only reads are meant."""
    found: dict[object, _Call] = {}
    for number, call in enumerate(calls):
        key = number if of_reads_only and not call.is_read else call.reading.repeats
        found.setdefault(key, call)
    return list(found.values())


def _names(calls: Sequence[_Call]) -> list[str]:
    """Name each call for `before`: by its tool, numbered where the tool is called again."""
    often = Counter(call.tool for call in calls)
    seen: Counter[str] = Counter()
    names = []
    for call in calls:
        seen[call.tool] += 1
        names.append(call.tool if often[call.tool] == 1 else f"{call.tool}-{seen[call.tool]}")
    return names


def _order(named: Sequence[tuple[_Call, str]]) -> list[JsonValue]:
    """Return the pairs of `before`: each step's writes come before those of the next one."""
    by_step: dict[int, list[str]] = {}
    for call, name in named:
        if not call.is_read:
            by_step.setdefault(call.reading.step, []).append(name)
    steps = [by_step[number] for number in sorted(by_step)]
    return [[a, b] for these, those in pairwise(steps) for a in these for b in those]


def _arguments(call: _Call, known: "_Known", made: Promotion) -> Schema:
    arguments: Schema = {}
    for name, value in call.arguments.items():
        if known.is_free_text(call.tool, name, value):
            arguments[name] = {"any": True}
            made.notes.append(f"{call.tool}: {name} is free text; any is accepted")
        else:
            arguments[name] = _exact(value)
    return arguments


def _with_flags(call: _Call, arguments: Schema, flags: Schema) -> JsonValue:
    """Write a call as YAML has it, in the long form where its tool is named like a flag."""
    told = {name: value for name, value in flags.items() if value}
    if call.tool in {"tool", "extra_arguments", *flags}:
        return {"tool": call.tool, "arguments": arguments, **told}
    return {call.tool: arguments, **told}


def _exact(value: JsonValue) -> JsonValue:
    """Return a value as a matcher; a mapping that reads as one is wrapped."""
    if isinstance(value, dict) and value and value.keys() <= {*MATCHER_KEYS, "within", "exact"}:
        return {"exact": value}
    return value


class _Known:
    """What task and world fix: everything else that is written in words is the agent's own."""

    def __init__(self, scenario: Scenario, task: Task, trajectory: Trajectory) -> None:
        self._schemas = {tool.name: tool.parameters for tool in tools_of(scenario, task)}
        told = [task.prompt, str(trajectory.world_start), str(task.target)]
        for step in trajectory.steps:
            told += [message.content for message in step.before]
            told += [seen.content for seen in step.observations]
        self._told = _plain("\n".join(told))

    def is_free_text(self, tool: str, argument: str, value: JsonValue) -> bool:
        """Whether a value is words of the agent's own, which another one would put otherwise."""
        if not isinstance(value, str) or len(value.split()) < 2:
            return False
        properties = self._schemas.get(tool, {}).get("properties")
        schema = properties.get(argument) if isinstance(properties, dict) else None
        if isinstance(schema, dict) and any(key in schema for key in _FIXED):
            return False
        return _plain(value) not in self._told


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).casefold().strip()
