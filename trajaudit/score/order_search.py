"""Is there an assignment that keeps the demanded order? A search over sets of served calls."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from trajaudit.score.assignment import Problem, bits, to_bits

SEARCH_LIMIT = 20_000
"""Sets of served calls alive at one time after which the search is given up."""


class SearchLimitError(Exception):
    """The search grew past its limit; the question stays open."""


@dataclass(frozen=True)
class _Link:
    actual: int
    expected: int
    before: "_Link | None"


def search(problem: Problem) -> dict[int, int] | None:
    """Return actual → expected for an assignment that leaves nothing over, or None.

    Raises:
        SearchLimitError: too many sets of served calls are alive at once.
    """
    required = to_bits(e for e, needed in enumerate(problem.required) if needed)
    states: dict[int, _Link | None] = {0: None}
    turns = groupby(range(len(problem.steps)), key=problem.steps.__getitem__)
    rules = _Rules(problem, required)
    for _, calls in turns:
        states = _turn(rules, list(calls), states)
        if not states:
            return None
    done = sorted(mask for mask in states if required & ~mask == 0)
    return _pairs(states[done[0]]) if done else None


def _turn(
    rules: "_Rules", calls: list[int], states: dict[int, _Link | None]
) -> dict[int, _Link | None]:
    """Let every call of one step serve something; none of them is before another."""
    found: dict[int, _Link | None] = {}
    for start, link in states.items():
        inner = {start: link}
        for call in calls:
            inner = _serve(rules, call, start, inner)
        for mask, reached in inner.items():
            found.setdefault(mask, reached)
        if len(found) > SEARCH_LIMIT:
            raise SearchLimitError(f"more than {SEARCH_LIMIT} ways to serve the expected calls")
    return found


def _serve(
    rules: "_Rules", call: int, start: int, states: dict[int, _Link | None]
) -> dict[int, _Link | None]:
    found: dict[int, _Link | None] = {}
    for mask, link in states.items():
        waits = True
        for e in rules.options(call, start, mask):
            found.setdefault(mask | 1 << e, _Link(call, e, link))
            waits = waits and rules.is_worth_waiting_for(e, mask)
        again = rules.repeated(call, mask)
        if again is not None and waits:
            found.setdefault(mask, _Link(call, again, link))
        elif rules.problem.free[call] and waits:
            found.setdefault(mask, link)
    return found


class _Rules:
    """What a call may serve, given what is served already."""

    def __init__(self, problem: Problem, required: int) -> None:
        self.problem = problem
        masks = {kind: to_bits(members) for kind, members in problem.of_kind.items()}
        self.fits = [_union(masks.get(kind, 0) for kind in kinds) for kinds in problem.fits]
        self.repeat = to_bits(e for e, again in enumerate(problem.repeat) if again)
        self.required = required
        self.bound = 0
        for fits, free in zip(self.fits, problem.free, strict=True):
            self.bound |= 0 if free else fits
        self.successors = problem.successors
        self.predecessors = problem.predecessors
        self.kinds = list(
            zip(
                problem.kinds,
                problem.required,
                problem.repeat,
                self.predecessors,
                self.successors,
                strict=True,
            )
        )

    def options(self, call: int, start: int, mask: int) -> Iterator[int]:
        """Yield one expected call of each kind that `call` may serve now."""
        seen = set()
        for e in bits(self.fits[call] & ~mask):
            if self.kinds[e] in seen or self.successors[e] & mask:
                continue
            before = self.predecessors[e]
            if before & self.required & ~start or before & mask & ~start:
                continue
            seen.add(self.kinds[e])
            yield e

    def is_worth_waiting_for(self, expected: int, mask: int) -> bool:
        """Whether a later call may have to serve this one, or it had better stay unserved.

        A call that must come later may be made in the same step: serving this one bars it.
        """
        open_before = self.predecessors[expected] & ~mask
        barred = 0
        if not self.required >> expected & 1:
            barred = self.successors[expected] & ~mask & (self.bound | self.required)
        return bool(self.bound >> expected & 1 or open_before or barred)

    def repeated(self, call: int, mask: int) -> int | None:
        """Return an expected call that is served already and may be served again."""
        return next(bits(self.fits[call] & mask & self.repeat), None)


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _pairs(link: _Link | None) -> dict[int, int]:
    found: dict[int, int] = {}
    while link is not None:
        found[link.actual] = link.expected
        link = link.before
    return found
