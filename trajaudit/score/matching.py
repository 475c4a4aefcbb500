"""Which actual call serves which expected one? Optimal, never greedy, independent of any order.

Deliberate: own code instead of scipy's assignment, which knows neither order nor repetition.
Two exact methods over a table of who fits whom:

* without order constraints, maximum bipartite matching on classes of interchangeable calls: first
  for the expected calls that are required, then for the actual calls that must be explained. That
  one matching covers both whenever each can be covered alone is the theorem of Mendelsohn and
  Dulmage (1958);
* with order constraints, a search over the sets of served calls in order of time. Only calls that
  fit several expected ones branch, so the number of sets stays small; where it does not, the
  search says so and nothing is guessed.
"""

from trajaudit.score.assignment import Assignment, Problem, violations
from trajaudit.score.bipartite import Flow
from trajaudit.score.order_search import search


def assign(problem: Problem, relaxed: Assignment | None = None) -> Assignment | None:
    """Return an assignment that leaves nothing over, or None when there is none.

    `relaxed` is the best assignment of the problem, where it is known already.

    Raises:
        SearchLimitError: the calls overlap so much that the search was given up.
    """
    relaxed = relaxed or best_assignment(problem)
    if not relaxed.is_complete:
        return None
    if next(violations(problem, relaxed.pairs), None) is None:
        return relaxed
    pairs = search(problem)
    return None if pairs is None else Assignment(pairs)


def best_assignment(problem: Problem) -> Assignment:
    """Return an assignment that serves as many expected calls as possible, in any order."""
    pairs = _paired_off(problem)
    if pairs is None:
        flow = Flow(problem)
        flow.cover_expected(e for e, needed in enumerate(problem.required) if needed)
        flow.cover_actual()
        flow.cover_expected(range(len(problem.required)))
        pairs = flow.pairs()
    served = set(pairs.values())
    again = {problem.kinds[e]: e for e in sorted(served, reverse=True) if problem.repeat[e]}
    for actual, kinds in enumerate(problem.fits):
        kind = next((kind for kind in kinds if kind in again), None) if again else None
        if actual not in pairs and kind is not None:
            pairs[actual] = again[kind]
    missing = tuple(e for e, needed in enumerate(problem.required) if needed and e not in served)
    surplus = tuple(a for a, free in enumerate(problem.free) if not free and a not in pairs)
    return Assignment(pairs, missing, surplus)


def _paired_off(problem: Problem) -> dict[int, int] | None:
    """Pair calls off where nothing is to choose; None where something is.

    That is so where each call fits the calls of one kind, and all on both sides are
    interchangeable: the best assignment serves as many as there are.
    """
    calls: dict[int, list[int]] = {}
    for actual, kinds in enumerate(problem.fits):
        if len(kinds) > 1:
            return None
        if kinds:
            calls.setdefault(kinds[0], []).append(actual)
    pairs: dict[int, int] = {}
    for kind, members in problem.of_kind.items():
        served = calls.get(kind, [])
        if len(served) > 1 and len({problem.free[a] for a in served}) > 1:
            return None
        if (
            len(members) > 1
            and len({(problem.required[e], problem.repeat[e]) for e in members}) > 1
        ):
            return None
        pairs.update(zip(served, members, strict=False))
    return pairs


def f1_of(served: int, made: int, wanted: int) -> tuple[float, float, float]:
    """Return precision, recall and their harmonic mean F1 (van Rijsbergen 1979).

    Nothing made where nothing is wanted is right in every sense; nothing made where something is
    wanted has no precision to speak of, and counts 0.
    """
    if not made and not wanted:
        return 1.0, 1.0, 1.0
    precision = served / made if made else 0.0
    recall = served / wanted if wanted else 1.0
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0
