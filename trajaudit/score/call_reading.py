"""What did a tool call say, strictly and as a careful reader takes it?"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import cast

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import FaultKind, ToolSpec
from trajaudit.datamodel.trajectory import Observation, Step, ToolCall, Trajectory
from trajaudit.score.arguments_reading import ArgumentsForm, ArgumentsReading
from trajaudit.score.identity import Same
from trajaudit.score.json_text import Reading, Unreadable
from trajaudit.score.schema_view import Schema
from trajaudit.score.tool_name import NamedTool
from trajaudit.score.tool_registry import ToolRegistry, registry_of

_REFUSED_FORM = re.compile(
    r"valid|schema|\btypes?\b|pars(e|ing)|\bjson\b|argument|parameter|"
    r"unknown tool|no (such )?tool|not a number|must be (a|an)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class CallReading:
    """One tool call: its strict reading, its lenient one, and what came of it."""

    call: ToolCall
    step: int
    named: NamedTool
    arguments: ArgumentsReading
    answer: Observation | None = None

    @property
    def strict(self) -> Schema | None:
        """None when the text is no JSON object."""
        return self.arguments.strict

    @property
    def form(self) -> ArgumentsForm | None:
        """None when even a careful reader gets no arguments out of it."""
        return self.arguments.form

    @cached_property
    def rungs(self) -> tuple[str, ...]:
        """Tolerances for the text and the tool's name."""
        read = self.arguments.lenient
        is_object = isinstance(read, Reading) and isinstance(read.value, dict)
        repairs = read.repairs if isinstance(read, Reading) and is_object else ()
        return repairs if self.named.rung is None else (*repairs, self.named.rung)

    @property
    def unreadable(self) -> Unreadable | None:
        read = self.arguments.lenient
        return read if isinstance(read, Unreadable) else None

    @property
    def error(self) -> str | None:
        """What the tool answered when it failed."""
        return self.answer.content if self.answer is not None and self.answer.is_error else None

    @property
    def fault(self) -> FaultKind | None:
        """A failure that was injected."""
        return self.answer.fault if self.answer is not None else None

    @property
    def reply(self) -> str | None:
        return self.answer.content if self.answer is not None else None

    @property
    def tool(self) -> str:
        """The tool that is meant, else the name as it was written."""
        return self.named.name or self.call.tool

    @property
    def repeats(self) -> tuple[str, str]:
        """Name and canonical arguments: equal for equal calls."""
        return (self.tool, self.arguments.said)

    @property
    def happened(self) -> bool:
        """Whether the call was carried out and did not fail."""
        return self.call.executed and not (self.answer is not None and self.answer.is_error)

    @property
    def was_refused_for_form(self) -> bool:
        """Whether the harness turned down a call that can be read in exactly one way."""
        if self.happened or self.fault is not None or self.form is None:
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
    if not any(step.tool_calls for step in trajectory.steps):
        return []
    return list(_all_calls(Same(trajectory), registry_of(tools), off))


@lru_cache(maxsize=4)
def _all_calls(same: Same, registry: ToolRegistry, off: frozenset[str]) -> tuple[CallReading, ...]:
    """Kept, since every scorer asks for the calls of the same trial."""
    (trajectory,) = cast("tuple[Trajectory]", same.things)
    return tuple(
        _read(call, registry, off, step.number, answer)
        for step in trajectory.steps
        if step.tool_calls
        for call, answer in zip(step.tool_calls, _answers(step), strict=True)
    )


def read_call(
    call: ToolCall,
    tools: Sequence[ToolSpec],
    off: frozenset[str] = frozenset(),
    step: int = 1,
    answer: Observation | None = None,
) -> CallReading:
    """Read one tool call; never raises."""
    return _read(call, registry_of(tools), off, step, answer)


def _read(
    call: ToolCall,
    registry: ToolRegistry,
    off: frozenset[str],
    step: int,
    answer: Observation | None,
) -> CallReading:
    named = registry.resolve(call.tool, off)
    arguments = registry.arguments(named.name, call.arguments_text, call.arguments, off)
    return CallReading(call, step, named, arguments, answer)


def _answers(step: Step) -> list[Observation | None]:
    """Find the observation of each call: by its id where that is unique, else by position."""
    calls, seen = step.tool_calls, step.observations
    if not seen:
        return [None] * len(calls)
    if len(calls) == len(seen) == 1:
        return [seen[0]]
    ids = Counter(call.call_id for call in calls)
    found: dict[str, list[Observation]] = {}
    for one in seen:
        found.setdefault(one.call_id, []).append(one)
    answers: list[Observation | None] = []
    told = set()
    for number, call in enumerate(calls):
        mine = found.get(call.call_id, [])
        is_first = call.call_id not in told
        told.add(call.call_id)
        if len(mine) == 1 and ids[call.call_id] == 1:
            answers.append(mine[0])
        elif len(seen) == len(calls):
            answers.append(seen[number])
        else:
            answers.append(mine[0] if len(mine) == 1 and is_first else None)
    return answers
