"""One accepted path beside the calls of a trajectory: who fits whom, in which mode."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal

from trajaudit.datamodel.accept import AcceptedPath, ExpectedCall
from trajaudit.score.argument_match import CallFit
from trajaudit.score.assignment import Assignment, Problem, violations
from trajaudit.score.call_index import CallIndex
from trajaudit.score.call_reading import CallReading
from trajaudit.score.ladder import TOLERANCES
from trajaudit.score.matching import assign, best_assignment

Extra = Literal["any", "read_only", "none"]
Reading = Literal["strict", "lenient", "ambiguous"]
_LEVELS: dict[Reading, frozenset[str]] = {
    "strict": frozenset({"exact"}),
    "lenient": frozenset({"exact", "tolerated"}),
    "ambiguous": frozenset({"exact", "tolerated", "ambiguous"}),
}
_OF_FORM = frozenset({"repaired", "renamed", "coerced"})


@dataclass(frozen=True)
class PathTable:
    """The calls that a path expects, in an order of their own, and how the actual ones fit."""

    path: AcceptedPath
    index: CallIndex
    extra: Extra
    _problems: dict[Reading, Problem] = field(default_factory=dict)
    _best: dict[Reading, Assignment] = field(default_factory=dict)

    @cached_property
    def _sorted(self) -> list[tuple[str, int]]:
        keys = [self.index.key(call) for call in self.path.calls]
        return sorted((key, place) for place, key in enumerate(keys))

    @cached_property
    def expected(self) -> list[ExpectedCall]:
        """The expected calls, sorted by what they demand."""
        return [self.path.calls[place] for _, place in self._sorted]

    @property
    def name(self) -> str:
        return self.path.name

    @cached_property
    def sort_key(self) -> tuple[str, ...]:
        return (self.name, *(key for key, _ in self._sorted))

    @cached_property
    def fits(self) -> list[dict[int, CallFit]]:
        """For each expected call the actual ones that fit it at all."""
        pairs = zip(self._sorted, self.expected, strict=True)
        return [self.index.fits(call, key) for (key, _), call in pairs]

    @property
    def has_ambiguous(self) -> bool:
        return any(fit.level == "ambiguous" for row in self.fits for fit in row.values())

    @cached_property
    def explicit(self) -> frozenset[tuple[int, int]]:
        """The pairs of `before`, by position."""
        return frozenset(
            (a, b)
            for first, second in self.path.before
            for a in self._named(first)
            for b in self._named(second)
        )

    def assign(self, mode: Reading) -> Assignment | None:
        """Return an assignment that leaves nothing over and keeps the order, or None.

        Raises:
            SearchLimitError: the calls overlap so much that the search was given up.
        """
        return None if self.lacking(mode) else assign(self.problem(mode), self.best(mode))

    def lacking(self, mode: Reading) -> int:
        """Count the required calls that nothing fits at all: the path is at least so far away."""
        keys = [key for key, _ in self._sorted]
        return sum(
            need and not self._is_served(key, row, mode)
            for need, key, row in zip(self._required(mode), keys, self.fits, strict=True)
        )

    def _is_served(self, key: str, row: dict[int, CallFit], mode: Reading) -> bool:
        known = self.index.served.get((mode, key))
        if known is None:
            readings = self.index.readings
            known = any(self._counts(readings[a], fit, mode) for a, fit in row.items())
            self.index.served[mode, key] = known
        return known

    def best(self, mode: Reading) -> Assignment:
        """Return the assignment that serves as many expected calls as possible, in any order."""
        if mode not in self._best:
            self._best[mode] = best_assignment(self.problem(mode))
        return self._best[mode]

    def problem(self, mode: Reading) -> Problem:
        """Put the question of matching for one mode."""
        if mode not in self._problems:
            self._problems[mode] = self._problem(mode)
        return self._problems[mode]

    def _problem(self, mode: Reading) -> Problem:
        readings = self.index.readings
        keys = [key for key, _ in self._sorted]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        fits: list[list[int]] = [[] for _ in readings]
        for expected, key in enumerate(keys):
            if expected and key == keys[expected - 1]:
                continue
            for actual, fit in self.fits[expected].items():
                if self._counts(readings[actual], fit, mode):
                    fits[actual].append(numbers[key])
        return Problem(
            kinds=[numbers[key] for key in keys],
            fits=fits,
            steps=[reading.step for reading in readings],
            required=self._required(mode),
            repeat=[call.repeat for call in self.expected],
            free=[self.is_free(reading, mode) for reading in readings],
            before=self._before(mode),
        )

    def tolerances(self, assignment: Assignment, mode: Reading) -> tuple[str, ...]:
        """Name what the assignment needs that strictness would not let pass."""
        if mode == "strict":
            return ()
        found: list[str] = []
        for actual, expected in sorted(assignment.pairs.items()):
            found += self.fits[expected][actual].tolerances
        served = set(assignment.pairs.values())
        strict = self.problem("strict")
        if any(need and e not in served for e, need in enumerate(strict.required)):
            found.append("read_only_left_out")
        if next(violations(strict, assignment.pairs), None):
            found.append("read_only_moved")
        if any(not f and a not in assignment.pairs for a, f in enumerate(strict.free)):
            found.append("failed_extra_call")
        return tuple(dict.fromkeys(found))

    def is_free(self, reading: CallReading, mode: Reading) -> bool:
        """Whether a call that serves nothing may be there."""
        if self.extra == "any":
            return True
        if self.extra == "read_only":
            return self.index.effect(reading.named.name) == "read" or not reading.happened
        if reading.error is not None and reading.fault is not None:
            return True
        tolerated = mode != "strict" and "failed_extra_call" not in self.index.off
        return tolerated and not reading.happened

    def _counts(self, reading: CallReading, fit: CallFit, mode: Reading) -> bool:
        return fit.level in _LEVELS[mode] and self._serves(reading, fit, mode)

    def _serves(self, reading: CallReading, fit: CallFit, mode: Reading) -> bool:
        """Whether a call that fits counts: it was carried out, or refused for its form alone."""
        if reading.happened:
            return True
        is_read = self.index.effect(reading.named.name) == "read"
        if is_read and reading.call.executed and reading.fault is None:
            return True
        of_form = any(TOLERANCES[rung][0] in _OF_FORM for rung in fit.tolerances)
        return mode != "strict" and of_form and reading.was_refused_for_form

    def _required(self, mode: Reading) -> list[bool]:
        needed = [not call.optional for call in self.expected]
        if mode == "strict" or "read_only_left_out" in self.index.off:
            return needed
        reads = [self.index.effect(call.tool) == "read" for call in self.expected]
        if not any(need and not read for need, read in zip(needed, reads, strict=True)):
            return needed
        ordered = {e for pair in self.explicit for e in pair}
        return [need and not (reads[e] and e not in ordered) for e, need in enumerate(needed)]

    def _before(self, mode: Reading) -> frozenset[tuple[int, int]]:
        if self.path.order == "any":
            return self.explicit
        place = {old: new for new, (_, old) in enumerate(self._sorted)}
        listed = [place[old] for old in range(len(place))]
        if mode != "strict" and "read_only_moved" not in self.index.off:
            listed = [e for e in listed if self.index.effect(self.expected[e].tool) != "read"]
        return self.explicit | frozenset(pairwise(listed))

    def _named(self, name: str) -> Iterator[int]:
        """Find the calls that a name in `before` means: by id, else every call of that tool."""
        by_id = [e for e, call in enumerate(self.expected) if call.id == name]
        yield from by_id or [e for e, call in enumerate(self.expected) if call.tool == name]
