"""Maximum matching of expected and actual calls, on classes of interchangeable ones."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from trajaudit.score.assignment import Problem


class Flow:
    """Augmenting paths with capacities (Ford and Fulkerson 1956) between classes of calls."""

    def __init__(self, problem: Problem) -> None:
        self.expected = _classes(
            len(problem.kinds),
            lambda e: (problem.kinds[e], problem.required[e], problem.repeat[e]),
        )
        self.actual = _classes(
            len(problem.fits), lambda a: (tuple(problem.fits[a]), problem.free[a])
        )
        by_kind: dict[int, list[int]] = {}
        for number, group in enumerate(self.expected):
            by_kind.setdefault(problem.kinds[group[0]], []).append(number)
        self.edges = [
            sorted(e for kind in problem.fits[group[0]] for e in by_kind.get(kind, []))
            for group in self.actual
        ]
        self.back: list[list[int]] = [[] for _ in self.expected]
        for number, targets in enumerate(self.edges):
            for target in targets:
                self.back[target].append(number)
        self.repeat = [problem.repeat[group[0]] for group in self.expected]
        self.free = [problem.free[group[0]] for group in self.actual]
        self.flow: defaultdict[tuple[int, int], int] = defaultdict(int)
        self.spare_actual = [len(group) for group in self.actual]
        self.spare_expected = [len(group) for group in self.expected]

    def cover_expected(self, wanted: Iterable[int]) -> None:
        """Serve as many of the wanted expected calls as possible; nobody loses its service."""
        members = set(wanted)
        for number, group in enumerate(self.expected):
            if group[0] in members:
                while self.spare_expected[number] and self._serve(number):
                    pass

    def cover_actual(self) -> None:
        """Explain as many actual calls as possible that may not be left over."""
        for number, free in enumerate(self.free):
            while not free and self.spare_actual[number] and not self._is_repetition(number):
                if not self._explain(number):
                    break

    def pairs(self) -> dict[int, int]:
        """Hand the members of the classes out, lowest first."""
        actual = [iter(group) for group in self.actual]
        served: list[list[int]] = [[] for _ in self.expected]
        for (a, e), amount in sorted(self.flow.items()):
            served[e] += [next(actual[a]) for _ in range(amount)]
        return {
            a: e
            for number, callers in enumerate(served)
            for a, e in zip(sorted(callers), self.expected[number], strict=False)
        }

    def _is_repetition(self, number: int) -> bool:
        return any(
            self.repeat[e] and self.spare_expected[e] < len(self.expected[e])
            for e in self.edges[number]
        )

    def _serve(self, start: int) -> bool:
        """Find a path from an expected class to an actual class that has a spare member."""
        via: dict[int, int] = {}
        taken: dict[int, int] = {}
        queue = [start]
        for e in queue:
            for a in self.back[e]:
                if a in via:
                    continue
                via[a] = e
                if self.spare_actual[a]:
                    self._shift_expected(a, start, via, taken)
                    return True
                for other in self.edges[a]:
                    if other != start and other not in taken and self.flow[a, other]:
                        taken[other] = a
                        queue.append(other)
        return False

    def _shift_expected(
        self, a: int, start: int, via: dict[int, int], taken: dict[int, int]
    ) -> None:
        self.spare_actual[a] -= 1
        self.spare_expected[start] -= 1
        while True:
            e = via[a]
            self.flow[a, e] += 1
            if e == start:
                return
            a = taken[e]
            self.flow[a, e] -= 1

    def _explain(self, start: int) -> bool:
        """Find a path from an actual class to a spare expected call, or to one it may displace."""
        via: dict[int, int] = {}
        taken: dict[int, int] = {}
        queue = [start]
        for a in queue:
            for e in self.edges[a]:
                if e in via:
                    continue
                via[e] = a
                if self.spare_expected[e]:
                    self.spare_expected[e] -= 1
                    self._shift_actual(e, start, via, taken)
                    return True
                for other in self.back[e]:
                    if other == start or other in taken or not self.flow[other, e]:
                        continue
                    taken[other] = e
                    if self.free[other] or self._is_repetition(other):
                        self.flow[other, e] -= 1
                        self.spare_actual[other] += 1
                        self._shift_actual(e, start, via, taken)
                        return True
                    queue.append(other)
        return False

    def _shift_actual(self, e: int, start: int, via: dict[int, int], taken: dict[int, int]) -> None:
        self.spare_actual[start] -= 1
        while True:
            a = via[e]
            self.flow[a, e] += 1
            if a == start:
                return
            e = taken[a]
            self.flow[a, e] -= 1


def _classes(count: int, signature: Callable[[int], object]) -> Sequence[list[int]]:
    groups: dict[object, list[int]] = {}
    for index in range(count):
        groups.setdefault(signature(index), []).append(index)
    return list(groups.values())
