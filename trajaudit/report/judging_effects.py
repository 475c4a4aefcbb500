"""Do judges agree with each other, and does length or order move them?"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import log2

from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.report.judging_schema import Effect, JudgePair
from trajaudit.stats.agreement import cohen_kappa
from trajaudit.stats.cluster import Estimate, clustered_mean, within_slope

Key = tuple[str, int]


def agreement(votes: Sequence[Vote]) -> tuple[JudgePair, ...]:
    """Return how far each two families agree on the trials on which each is of one mind."""
    sides: dict[str, dict[Key, set[str]]] = defaultdict(lambda: defaultdict(set))
    for vote in votes:
        if vote.overall is not None:
            sides[vote.family][vote.task_id, vote.trial].add(vote.overall)
    found = []
    for first, second in combinations(sorted(sides), 2):
        both = [
            (next(iter(said)), next(iter(other)))
            for key, said in sides[first].items()
            if len(said) == 1 and len(other := sides[second].get(key, set())) == 1
        ]
        if not both:
            continue
        kappa = cohen_kappa([a for a, _ in both], [b for _, b in both])
        pair = JudgePair(
            families=(first, second),
            trials=len(both),
            observed=kappa.observed,
            kappa=kappa.value,
        )
        found.append(pair)
    return tuple(found)


def length_effect(votes: Sequence[Vote], decisions: Sequence[PanelDecision]) -> Effect | None:
    """Return how the panel's score changes when a trial of one task is shown twice as long."""
    sizes = {(v.task_id, v.trial): v.view_chars for v in votes if v.view_chars}
    by_task: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in decisions:
        size = sizes.get((one.task_id, one.trial))
        if size and one.score is not None:
            by_task[one.task_id].append((log2(size), one.score))
    return _effect(within_slope(by_task))


def order_effect(votes: Sequence[Vote]) -> Effect | None:
    """Return by how much more often judges pass a trial with the worst choice first.

    Each family's two orders of one trial are compared; those without a usable vote in both tell
    nothing.
    """
    cells: dict[tuple[str, int, str], dict[int, list[bool]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for vote in votes:
        if vote.overall is not None:
            key = (vote.task_id, vote.trial, vote.family)
            cells[key][vote.order].append(vote.overall == "pass")
    by_task: dict[str, list[float]] = defaultdict(list)
    for (task_id, _, _), orders in cells.items():
        if len(orders) == 2:
            by_task[task_id].append(_mean(orders[1]) - _mean(orders[2]))
    return _effect(clustered_mean(by_task))


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values)


def _effect(found: Estimate | None) -> Effect | None:
    if found is None:
        return None
    return Effect(value=found.value, low=found.low, high=found.high, n=found.n, tasks=found.tasks)
