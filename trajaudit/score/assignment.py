"""The question of matching, and its answer: who fits whom, and who serves whom."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter


@dataclass(frozen=True)
class Problem:
    """Expected calls, actual calls, and who fits whom; both are named by their position."""

    kinds: Sequence[int]
    """For each expected call its kind; calls that demand the same are of one kind."""
    fits: Sequence[Sequence[int]]
    """For each actual call the kinds of expected calls that it fits, ascending."""
    steps: Sequence[int]
    """For each actual call the step it was made in, ascending; calls of one step have no order."""
    required: Sequence[bool]
    """For each expected call whether it must be served."""
    repeat: Sequence[bool]
    """For each expected call whether further calls may serve it too."""
    free: Sequence[bool]
    """For each actual call whether it may serve nothing."""
    before: frozenset[tuple[int, int]] = frozenset()
    """Pairs (a, b): a is served in an earlier step than b."""

    @cached_property
    def of_kind(self) -> dict[int, list[int]]:
        """The expected calls of each kind."""
        found: dict[int, list[int]] = {}
        for expected, kind in enumerate(self.kinds):
            found.setdefault(kind, []).append(expected)
        return found

    @property
    def successors(self) -> tuple[int, ...]:
        """For each expected call the set (as bits) of those that come after it, near and far."""
        return _successors(self.before, len(self.required))

    @property
    def predecessors(self) -> tuple[int, ...]:
        """For each expected call the set (as bits) of those that come before it."""
        return _predecessors(self.before, len(self.required))


@dataclass(frozen=True)
class Assignment:
    """Who serves whom, and what is left over."""

    pairs: dict[int, int]
    """Actual call → the expected call that it serves (several for a repeated one)."""
    missing: tuple[int, ...] = ()
    """Required expected calls that nothing serves."""
    surplus: tuple[int, ...] = ()
    """Actual calls that serve nothing and may not be there."""

    @property
    def is_complete(self) -> bool:
        return not self.missing and not self.surplus


def violations(problem: Problem, pairs: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Yield each demanded order (a, b) that the assignment breaks."""
    if not problem.before:
        return
    successors = problem.successors
    first: dict[int, int] = {}
    for actual, expected in sorted(pairs.items()):
        first.setdefault(expected, problem.steps[actual])
    by_step: dict[int, list[int]] = {}
    for expected, step in first.items():
        by_step.setdefault(step, []).append(expected)
    served = 0
    for step in sorted(by_step):
        served |= to_bits(by_step[step])
        for a in sorted(by_step[step]):
            for b in bits(successors[a] & served):
                yield a, b


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def to_bits(positions: Iterable[int]) -> int:
    """Return the set of positions as bits."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


@lru_cache(maxsize=64)
def _successors(before: frozenset[tuple[int, int]], count: int) -> tuple[int, ...]:
    near = [0] * count
    for a, b in before:
        near[a] |= 1 << b
    try:
        order = list(TopologicalSorter({a: bits(n) for a, n in enumerate(near)}).static_order())
    except CycleError:
        return _closure(near)
    for a in order:
        for b in bits(near[a]):
            near[a] |= near[b]
    return tuple(near)


@lru_cache(maxsize=64)
def _predecessors(before: frozenset[tuple[int, int]], count: int) -> tuple[int, ...]:
    found = [0] * count
    for a, after in enumerate(_successors(before, count)):
        for b in bits(after):
            found[b] |= 1 << a
    return tuple(found)


def _closure(near: list[int]) -> tuple[int, ...]:
    """Warshall's transitive closure: right also for a circle, which nothing can satisfy."""
    reach = list(near)
    for k in range(len(reach)):
        for i in range(len(reach)):
            if reach[i] >> k & 1:
                reach[i] |= reach[k]
    return tuple(reach)
