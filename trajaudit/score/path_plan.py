"""What does an accepted path demand? Worked out once for all trials of a task."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal, cast

from trajaudit.datamodel.accept import Accept, AcceptedPath, ExpectedCall
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.argument_match import Expectation, Letter, expectation
from trajaudit.score.identity import Same
from trajaudit.score.tool_registry import ToolRegistry, registry_of
from trajaudit.score.written import Letters

_SCALARS = frozenset({str, int, bool})
Reading = Literal["strict", "lenient", "ambiguous"]


class PathPlan:
    """The calls that a path expects, in an order of their own, and the order that it demands."""

    def __init__(
        self, path: AcceptedPath, wanted: Sequence[Expectation], tools: Sequence[ToolSpec]
    ) -> None:
        """Lay out a path; `wanted` are the demands of its calls, as they are listed."""
        listed = [one.key for one in wanted]
        places = sorted(range(len(wanted)), key=listed.__getitem__)
        self.path = path
        self.wanted = [wanted[place] for place in places]
        """What each expected call demands, sorted by that."""
        self.places = places
        """For each of them its place in the list that was written."""
        self.keys = [listed[place] for place in places]
        self.sort_key = (path.name, *self.keys)
        self.distinct = list(dict(zip(self.keys, self.wanted, strict=True)).values())
        numbers = {one.key: number for number, one in enumerate(self.distinct)}
        self.kinds = [numbers[key] for key in self.keys]
        """For each expected call the number of its demand among the distinct ones."""
        self.expected = [path.calls[place] for place in places]
        self.repeat = [call.repeat for call in self.expected]
        self._effect = registry_of(tools).effect
        self._off = wanted[0].off if wanted else frozenset()
        self._required: dict[bool, list[bool]] = {}
        self._times: dict[bool, list[int]] = {}
        self._before: dict[bool, frozenset[tuple[int, int]]] = {}

    @cached_property
    def letters(self) -> Letters | None:
        """The listed calls, where each can be written in one way only; else None."""
        listed: dict[int, Letter] = {}
        for one, place in zip(self.wanted, self.places, strict=True):
            if one.letter is None:
                return None
            listed[place] = one.letter
        before = self.before("strict")
        keeps_order = all(self.places[a] < self.places[b] for a, b in before)
        letters = [listed[place] for place in range(len(listed))]
        return Letters(self.path.calls, letters, ordered=bool(before), keeps_order=keeps_order)

    def required(self, mode: Reading) -> list[bool]:
        """Tell of each expected call whether it must be served."""
        strict = mode == "strict"
        if strict not in self._required:
            self._required[strict] = self._needed(strict=strict)
        return self._required[strict]

    def needed(self, mode: Reading) -> list[int]:
        """Tell of each distinct demand how many of its calls must be served."""
        strict = mode == "strict"
        if strict not in self._times:
            times = [0] * len(self.distinct)
            for kind, need in zip(self.kinds, self.required(mode), strict=True):
                times[kind] += need
            self._times[strict] = times
        return self._times[strict]

    def before(self, mode: Reading) -> frozenset[tuple[int, int]]:
        """Return pairs of expected calls: the first is served in an earlier step."""
        strict = mode == "strict"
        if strict not in self._before:
            self._before[strict] = self._ordered(strict=strict)
        return self._before[strict]

    @cached_property
    def explicit(self) -> frozenset[tuple[int, int]]:
        """The pairs of `before`, by position."""
        return frozenset(
            (a, b)
            for first, second in self.path.before
            for a in self._named(first)
            for b in self._named(second)
        )

    def _needed(self, *, strict: bool) -> list[bool]:
        needed = [not call.optional for call in self.expected]
        if strict or "read_only_left_out" in self._off:
            return needed
        reads = [self._effect(call.tool) == "read" for call in self.expected]
        if not any(need and not read for need, read in zip(needed, reads, strict=True)):
            return needed
        ordered = {e for pair in self.explicit for e in pair}
        return [need and not (reads[e] and e not in ordered) for e, need in enumerate(needed)]

    def _ordered(self, *, strict: bool) -> frozenset[tuple[int, int]]:
        if self.path.order == "any":
            return self.explicit
        place = {old: new for new, old in enumerate(self.places)}
        listed = [place[old] for old in range(len(place))]
        if not strict and "read_only_moved" not in self._off:
            listed = [e for e in listed if self._effect(self.wanted[e].expected.tool) != "read"]
        return self.explicit | frozenset(pairwise(listed))

    def _named(self, name: str) -> Iterator[int]:
        """Find the calls that a name in `before` means: by id, else every call of that tool."""
        calls = self.expected
        by_id = [e for e, call in enumerate(calls) if call.id == name]
        yield from by_id or [e for e, call in enumerate(calls) if call.tool == name]


@dataclass(frozen=True, eq=False)
class TaskPlan:
    """All accepted paths of a task, in an order that does not depend on the file."""

    paths: tuple[PathPlan, ...]
    registry: ToolRegistry
    off: frozenset[str]


def plan_paths(accept: Accept, tools: Sequence[ToolSpec], off: Sequence[str] = ()) -> TaskPlan:
    """Lay out each accepted path, once for the same task."""
    return _plan(Same(accept, off, *tools))


@lru_cache(maxsize=32)
def _plan(same: Same) -> TaskPlan:
    accept, tools = cast("Accept", same.things[0]), cast("tuple[ToolSpec, ...]", same.things[2:])
    off = frozenset(cast("Sequence[str]", same.things[1]))
    known: dict[object, Expectation] = {}
    plans = []
    for path in accept.paths:
        wanted = []
        for call in path.calls:
            demand = _demand(call)
            one = known.get(demand) if demand is not None else None
            if one is None:
                one = expectation(call, tools, off)
                if demand is not None:
                    known[demand] = one
            wanted.append(one)
        plans.append(PathPlan(path, wanted, tools))
    return TaskPlan(tuple(sorted(plans, key=lambda plan: plan.sort_key)), registry_of(tools), off)


def _demand(call: ExpectedCall) -> object:
    """Return what equal demands share, whatever their id; None where that is not seen at once."""
    found: list[object] = [call.tool, call.optional, call.repeat, call.extra_arguments]
    for name, matcher in call.arguments.items():
        fields = matcher.__pydantic_fields_set__
        if len(fields) != 1:
            return None
        (field,) = fields
        value = matcher.__dict__[field]
        kind = type(value)
        if kind is float:
            value = repr(value)  # tells 0.0 from -0.0
        elif kind not in _SCALARS:
            return None
        found += (name, field, kind, value)
    return tuple(found)
