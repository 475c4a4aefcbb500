"""One accepted path beside the calls of a trajectory: who fits whom, in which mode."""

from functools import cached_property
from typing import Literal

from trajaudit.datamodel.accept import ExpectedCall
from trajaudit.score.argument_match import CallFit, Expectation
from trajaudit.score.assignment import Assignment, Problem, violations
from trajaudit.score.call_index import CallIndex
from trajaudit.score.call_reading import CallReading
from trajaudit.score.ladder import TOLERANCES
from trajaudit.score.matching import assign, best_assignment
from trajaudit.score.path_plan import PathPlan, Reading

Extra = Literal["any", "read_only", "none"]
_LEVELS: dict[Reading, frozenset[str]] = {
    "strict": frozenset({"exact"}),
    "lenient": frozenset({"exact", "tolerated"}),
    "ambiguous": frozenset({"exact", "tolerated", "ambiguous"}),
}
_OF_FORM = frozenset({"repaired", "renamed", "coerced"})


class PathTable:
    """The calls that a path expects, and how the actual ones fit."""

    def __init__(self, plan: PathPlan, index: CallIndex, extra: Extra) -> None:
        self.plan = plan
        self.index = index
        self.extra = extra
        self._problems: dict[Reading, Problem] = {}
        self._best: dict[Reading, Assignment] = {}

    @property
    def name(self) -> str:
        return self.plan.path.name

    @property
    def sort_key(self) -> tuple[str, ...]:
        return self.plan.sort_key

    @cached_property
    def expected(self) -> list[ExpectedCall]:
        """The expected calls, sorted by what they demand."""
        return self.plan.expected

    @cached_property
    def fits(self) -> list[dict[int, CallFit]]:
        """For each expected call the actual ones that fit it at all."""
        return [self.index.fits(wanted) for wanted in self.plan.wanted]

    @property
    def has_ambiguous(self) -> bool:
        return any(fit.level == "ambiguous" for row in self.fits for fit in row.values())

    @property
    def is_followed(self) -> bool:
        """Whether the calls are the listed ones, to the letter."""
        letters = self.plan.letters
        return letters is not None and letters.are(self.index.written)

    @property
    def fits_to_the_letter(self) -> bool:
        """Whether the path surely fits strictly; False: that has to be found out."""
        letters = self.plan.letters
        is_free = None if self.extra == "any" else self._may_be_extra
        return letters is not None and letters.are_among(self.index.written, is_free)

    def _may_be_extra(self, tool: str) -> bool:
        """Whether calls of a tool, by its own name, may serve nothing although they happened."""
        return self.extra == "read_only" and self.index.effect(tool) == "read"

    def assign(self, mode: Reading) -> Assignment | None:
        """Return an assignment that leaves nothing over and keeps the order, or None.

        Raises:
            SearchLimitError: the calls overlap so much that the search was given up.
        """
        return None if self.lacking(mode) else assign(self.problem(mode), self.best(mode))

    def lacking(self, mode: Reading) -> int:
        """Count the required calls that nothing fits at all: the path is at least so far away."""
        rows = self.index.rows[mode]
        lacking = 0
        for wanted, times in zip(self.plan.distinct, self.plan.needed(mode), strict=True):
            row = rows.get(wanted.key)
            if times and not (self._row(wanted, mode) if row is None else row):
                lacking += times
        return lacking

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
        plan, index = self.plan, self.index
        fits: list[tuple[int, ...]] = [()] * len(index.readings)
        for number, wanted in enumerate(plan.distinct):
            for actual in self._row(wanted, mode):
                fits[actual] += (number,)
        return Problem(
            kinds=plan.kinds,
            fits=fits,
            steps=index.steps,
            required=plan.required(mode),
            repeat=plan.repeat,
            free=self._free(mode),
            before=plan.before(mode),
        )

    def _row(self, wanted: Expectation, mode: Reading) -> list[int]:
        """Return the calls that count for an expected one."""
        known = self.index.rows[mode].get(wanted.key)
        if known is None:
            serves, readings = self.index.serves, self.index.readings
            if mode == "strict":
                known = [a for a in self.index.exact(wanted) if serves[a]]
            else:
                levels = _LEVELS[mode]
                known = [
                    a
                    for a, fit in self.index.fits(wanted).items()
                    if fit.level in levels and (serves[a] or _is_of_form(readings[a], fit))
                ]
            self.index.rows[mode][wanted.key] = known
        return known

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

    def _free(self, mode: Reading) -> list[bool]:
        """Tell of each call whether it may be there and serve nothing."""
        known = self.index.free.get((mode, self.extra))
        if known is None:
            known = [self._is_free(reading, mode) for reading in self.index.readings]
            self.index.free[mode, self.extra] = known
        return known

    def _is_free(self, reading: CallReading, mode: Reading) -> bool:
        if self.extra == "any":
            return True
        if self.extra == "read_only":
            return self.index.effect(reading.named.name) == "read" or not reading.happened
        if reading.error is not None and reading.fault is not None:
            return True
        tolerated = mode != "strict" and "failed_extra_call" not in self.index.off
        return tolerated and not reading.happened


def _is_of_form(reading: CallReading, fit: CallFit) -> bool:
    """Whether a call that was never carried out counts: it was refused for its form alone."""
    of_form = any(TOLERANCES[rung][0] in _OF_FORM for rung in fit.tolerances)
    return of_form and reading.was_refused_for_form
