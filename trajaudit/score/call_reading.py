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
from trajaudit.score.recent import Recent
from trajaudit.score.schema_view import Schema
from trajaudit.score.tool_name import NamedTool
from trajaudit.score.tool_registry import ToolRegistry, registry_of

_REFUSED_FORM = re.compile(
    r"valid|schema|\btypes?\b|pars(e|ing)|\bjson\b|argument|parameter|"
    r"unknown tool|no (such )?tool|not a number|must be (a|an)\b",
    re.IGNORECASE,
)
_NONE = frozenset[str]()


@dataclass(eq=False)
class CallReading:
    """One tool call: its strict reading, its lenient one, and what came of it. Never changed; that
    nothing guards it is deliberate, since a guard takes most of the time of making one.
    """

    call: ToolCall
    step: int
    named: NamedTool
    answer: Observation | None
    _registry: ToolRegistry
    _off: frozenset[str]

    @cached_property
    def arguments(self) -> ArgumentsReading:
        """What is passed to the tool; most scorers do not ask."""
        call = self.call
        return self._registry.arguments(
            self.named.name, call.arguments_text, call.arguments, self._off
        )

    @property
    def fits_plainly(self) -> bool:
        """Whether the arguments as they are written surely fit the schema of the tool."""
        return self._registry.fits_plainly(self.named.name, self.call.arguments_text)

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
    trajectory: Trajectory, tools: Sequence[ToolSpec], off: frozenset[str] = _NONE
) -> list[CallReading]:
    """Read every tool call of a trajectory, in order."""
    return list(_calls(trajectory, tuple(tools), off or _NONE))


@Recent
def _calls(
    trajectory: Trajectory, tools: tuple[ToolSpec, ...], off: frozenset[str]
) -> tuple[CallReading, ...]:
    """Kept, since every scorer asks for the calls of the same trial, most of them in one way."""
    if not any(step.tool_calls for step in trajectory.steps):
        return ()
    return _all_calls(Same(trajectory), registry_of(tools), off)


@lru_cache(maxsize=4)
def _all_calls(same: Same, registry: ToolRegistry, off: frozenset[str]) -> tuple[CallReading, ...]:
    """Kept for the few other ways as well, and where the tools came in another sequence."""
    (trajectory,) = cast("tuple[Trajectory]", same.things)
    return tuple(
        CallReading(call, step.number, registry.resolve(call.tool, off), answer, registry, off)
        for step in trajectory.steps
        if step.tool_calls
        for call, answer in _answered(step)
    )


def read_call(
    call: ToolCall,
    tools: Sequence[ToolSpec],
    off: frozenset[str] = _NONE,
    step: int = 1,
    answer: Observation | None = None,
) -> CallReading:
    """Read one tool call; never raises."""
    registry = registry_of(tools)
    return CallReading(call, step, registry.resolve(call.tool, off), answer, registry, off)


def _answered(step: Step) -> Sequence[tuple[ToolCall, Observation | None]]:
    """Find the observation of each call: by its id where that is unique, else by position."""
    calls, seen = step.tool_calls, step.observations
    if len(calls) == len(seen) == 1:
        return ((calls[0], seen[0]),)
    if not seen:
        return [(call, None) for call in calls]
    ids = Counter(call.call_id for call in calls)
    found: dict[str, list[Observation]] = {}
    for one in seen:
        found.setdefault(one.call_id, []).append(one)
    answers: list[tuple[ToolCall, Observation | None]] = []
    told = set()
    for number, call in enumerate(calls):
        mine = found.get(call.call_id, [])
        is_first = call.call_id not in told
        told.add(call.call_id)
        if len(mine) == 1 and ids[call.call_id] == 1:
            answers.append((call, mine[0]))
        elif len(seen) == len(calls):
            answers.append((call, seen[number]))
        else:
            answers.append((call, mine[0] if len(mine) == 1 and is_first else None))
    return answers
