"""What do the pairs of two runs come to: who wins how often, and did place or length decide?

A win rate is the mean over tasks of wins among the pairs with a winner; ties, pairs that turned
with the order and pairs that nobody settled stand beside it, and the latter two bound it. Trials of
one task resemble each other, so every interval is clustered by task.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from trajaudit.datamodel.pairwise import (
    PairDecision,
    PairFigures,
    PairResult,
    PairShare,
    PairVote,
    PositionEffect,
    WinRate,
)
from trajaudit.judge.pairwise_decide import INCOMPLETE, INCONSISTENT, of_families
from trajaudit.stats.interval import Tally, clustered
from trajaudit.stats.rate import Attempted, pass_rate

_SETTLED = frozenset({PairResult.A, PairResult.B, PairResult.TIE})


def pair_figures(
    decisions: Sequence[PairDecision], votes: Iterable[PairVote], unheard: Sequence[str] = ()
) -> PairFigures:
    """Return the figures of a comparison.

    Args:
        decisions: one for each pair that was judged; only a settled one has a winner.
        votes: all of them, one pair after the other.
        unheard: task of each pair that has no decision.
    """
    results = Counter(str(outcome_of(one)) for one in decisions)
    results.update({"unheard": len(unheard)})
    return PairFigures(
        pairs=len(decisions) + len(unheard),
        results={name: results[name] for name in (*map(str, PairResult), "unheard")},
        win_rate=_win_rate(decisions, unheard),
        position=_position(votes),
        longer_wins=_longer(decisions),
        resolve=sum(one.queue == "resolve" for one in decisions),
        audit=sum(one.queue == "audit" for one in decisions),
        triggers=dict(sorted(Counter(str(t) for one in decisions for t in one.triggers).items())),
    )


def outcome_of(decision: PairDecision) -> PairResult:
    """Return the result that is counted: what people have to look at has no winner yet."""
    if decision.queue == "resolve" and decision.result in _SETTLED:
        return PairResult.UNDECIDED
    return decision.result


def _win_rate(decisions: Sequence[PairDecision], unheard: Sequence[str]) -> WinRate | None:
    tasks: dict[str, Counter[str]] = defaultdict(Counter)
    for one in decisions:
        tasks[one.task_id][outcome_of(one)] += 1
    for task in unheard:
        tasks[task]["unheard"] += 1
    attempted = [
        Attempted(
            passes=one[PairResult.A],
            graded=one[PairResult.A] + one[PairResult.B],
            due=one.total() - one[PairResult.TIE],
        )
        for one in tasks.values()
        if one.total() > one[PairResult.TIE]
    ]
    if not attempted:
        return None
    rate = pass_rate(attempted)
    low, high = rate.interval or (None, None)
    return WinRate(
        value=rate.value,
        low=low,
        high=high,
        decided=rate.graded,
        due=rate.due,
        if_lost=rate.if_wrong,
        if_won=rate.if_right,
    )


def _longer(decisions: Sequence[PairDecision]) -> PairShare:
    found: dict[str, list[bool]] = defaultdict(list)
    for one in decisions:
        won = outcome_of(one)
        if won in (PairResult.A, PairResult.B) and one.chars[0] != one.chars[1]:
            longer = PairResult.A if one.chars[0] > one.chars[1] else PairResult.B
            found[one.task_id].append(won is longer)
    return share(found)


def share(by_task: Mapping[str, Sequence[bool]]) -> PairShare:
    """Return how many hold, as the mean over tasks, with an interval clustered by task."""
    tallies = [Tally(sum(each), len(each)) for each in by_task.values() if each]
    if not tallies:
        return PairShare(holds=0, of=0, value=None)
    low, high = clustered(tallies)
    return PairShare(
        holds=sum(one.passes for one in tallies),
        of=sum(one.graded for one in tallies),
        value=sum(one.passes / one.graded for one in tallies) / len(tallies),
        low=low,
        high=high,
    )


def _position(votes: Iterable[PairVote]) -> dict[str, PositionEffect]:
    families: dict[str, dict[tuple[str, int], list[PairVote]]] = defaultdict(dict)
    for vote in votes:
        families[vote.family].setdefault((vote.task_id, vote.trial), []).append(vote)
    return {name: _of_family(list(pairs.values())) for name, pairs in sorted(families.items())}


def _of_family(pairs: Sequence[Sequence[PairVote]]) -> PositionEffect:
    turned: dict[str, list[bool]] = defaultdict(list)
    first: dict[str, list[bool]] = defaultdict(list)
    places: Counter[str] = Counter()
    for votes in pairs:
        task = votes[0].task_id
        said = of_families(votes)[votes[0].family]
        if said == INCOMPLETE:
            continue
        first[task] += [v.choice == v.first for v in votes if v.choice in ("a", "b")]
        turned[task].append(said == INCONSISTENT)
        if said == INCONSISTENT:
            places[_taken(votes)] += 1
    return PositionEffect(
        turned=share(turned),
        to_first=places["first"],
        to_second=places["second"],
        first=share(first),
    )


def _taken(votes: Sequence[PairVote]) -> str:
    """Return the place that every choice was for; `neither` where they were for none or both."""
    taken = {
        ("first" if vote.choice == vote.first else "second")
        if vote.choice in ("a", "b")
        else "neither"
        for vote in votes
    }
    return taken.pop() if len(taken) == 1 else "neither"
