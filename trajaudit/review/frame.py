"""Which trials of a run do people look at, and with which probability was each of them taken?

Every trial belongs to one stratum, by what rules and judges said of it and never by what people
said: so the probabilities hold whatever comes out. Those in doubt are to be resolved; of the
settled ones a random part is audited. Trials outside of the agent's doing, as those whose sandbox
failed, belong to none.
"""

import hashlib
import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from trajaudit.datamodel.finding import UNDESERVED, FailureKind, Finding
from trajaudit.datamodel.judging import PanelDecision, Trigger
from trajaudit.datamodel.review import Framed, SamplePlan
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import GradeStatus

Key = tuple[str, int]
Kinds = Mapping[Key, Sequence[FailureKind]]
"""Kinds of failure that were found in a trial, the deciding one first."""

PASS = "rules/pass"  # noqa: S105 (a stratum)
_FAIL = "rules/fail/"
_RESOLVE = "resolve/"
_PANEL = "panel/"
_OUTSIDE = frozenset({GradeStatus.INFRA_ERROR, GradeStatus.FAULT_NOT_HIT})
"""Trials that are none of the agent's, whatever they look like."""
_MISHAPS = frozenset(
    {FailureKind.SANDBOX_FAILED, FailureKind.PROVIDER_FAILED, FailureKind.FAULT_NOT_HIT}
)
_BY_TASK = frozenset({FailureKind.REFERENCE_SUSPECT, FailureKind.TASK_BROKEN})
"""Found by looking at final outcomes, which people change."""
_DOUBT = {"suspicious": 0.6, "contradiction": 0.55, "differ": 0.5, "denied": 0.5, "ungraded": 0.45}
"""Share of final verdicts that are expected to be wrong, before anybody looked; like the panel's
priorities, which trials that no panel settled share with half."""
_BITS = 53
"""Of a random number: as many as a float holds."""
_ALL = float(1 << _BITS)


class StratumSize(NamedTuple):
    """A stratum: how many trials it holds, and how many of them people are to look at."""

    name: str
    size: int
    chosen: int


class _Member(NamedTuple):
    rank: float
    key: Key
    priority: float
    """Zero where nothing but chance makes people look."""
    drawn: bool
    """Queued already: in doubt, or taken by the panel's own sample."""


_Strata = dict[str, list[_Member]]


def frame(
    outcomes: Iterable[Outcome],
    decisions: Iterable[PanelDecision],
    kinds: Kinds,
    plan: SamplePlan,
) -> list[Framed]:
    """Return the trials of a run as the sample sees them, by task and number.

    A trial that a panel judged takes its stratum, and whether it was drawn, from the decision of
    the rubric that decides; of the others `plan` says how many of each stratum are taken, always
    at least one. The sample of a stratum is its lowest ranks, so that a larger plan only adds to a
    smaller one. Neither the order of what is given nor the human column changes anything.
    """
    strata = _strata(outcomes, decisions, kinds, plan.seed)
    sizes = _sizes(strata, plan)
    found: list[Framed] = []
    for name, members in strata.items():
        # What is drawn already stays drawn; among the rest, and of a smoke sample, ranks decide.
        members.sort(key=lambda one: (not one.drawn, one.rank, one.key))
        priority = max(one.priority for one in members)
        found += (
            Framed(
                task_id=one.key[0],
                trial=one.key[1],
                stratum=name,
                queue=_queue(name, one) if place < sizes[name] else "none",
                rank=one.rank,
                inclusion=sizes[name] / len(members),
                priority=priority if one.priority else 0.0,
            )
            for place, one in enumerate(members)
        )
    return sorted(found, key=lambda one: (one.task_id, one.trial))


def kinds_of(findings: Iterable[Finding]) -> dict[Key, list[FailureKind]]:
    """Return the kinds found in each trial, without those that follow from final outcomes."""
    found: dict[Key, list[FailureKind]] = defaultdict(list)
    for one in findings:
        if one.kind not in _BY_TASK:
            found[one.task_id, one.trial].append(one.kind)
    return dict(found)


def sizes_of(framed: Iterable[Framed]) -> list[StratumSize]:
    """Return the strata of a frame: those to resolve first, then by name."""
    size: dict[str, int] = defaultdict(int)
    chosen: dict[str, int] = defaultdict(int)
    for one in framed:
        size[one.stratum] += 1
        chosen[one.stratum] += one.queue != "none"
    names = sorted(size, key=lambda name: (not name.startswith(_RESOLVE), name))
    return [StratumSize(name, size[name], chosen[name]) for name in names]


def rank_of(seed: int, task_id: str, trial: int) -> float:
    """Return the permanent random number of a trial (Ohlsson 1995), in [0, 1)."""
    digest = hashlib.sha256(f"{seed}\0{task_id}\0{trial}".encode("utf-8", "surrogatepass"))
    return (int.from_bytes(digest.digest()[:8]) >> (64 - _BITS)) / _ALL


def _strata(
    outcomes: Iterable[Outcome], decisions: Iterable[PanelDecision], kinds: Kinds, seed: int
) -> _Strata:
    judged = {(one.task_id, one.trial): one for one in decisions if one.decides}
    strata: _Strata = defaultdict(list)
    for outcome in outcomes:
        key = (outcome.task_id, outcome.trial)
        decision, seen = judged.get(key), kinds.get(key, ())
        if _is_outside(outcome, seen):
            continue
        if decision is None:
            name, priority = _ruled(outcome, seen)
        else:
            name, priority = _judged(outcome, decision, seen)
        drawn = priority > 0 or (decision is not None and decision.queue == "audit")
        strata[name].append(_Member(rank_of(seed, *key), key, priority, drawn))
    return strata


def _is_outside(outcome: Outcome, kinds: Sequence[FailureKind]) -> bool:
    # A task that people call broken keeps its trials in the frame; its status hides their own.
    if outcome.status is GradeStatus.TASK_BROKEN:
        return bool(_MISHAPS.intersection(kinds))
    return outcome.status in _OUTSIDE


def _ruled(outcome: Outcome, kinds: Sequence[FailureKind]) -> tuple[str, float]:
    """Return stratum and priority of a trial that no panel judged."""
    if outcome.lenient is None or outcome.strict is None:
        why = "ungraded"
    elif outcome.strict and not outcome.lenient:
        why = "contradiction"
    elif outcome.lenient and UNDESERVED.intersection(kinds):
        why = "suspicious"
    elif outcome.strict is not outcome.lenient:
        why = "differ"
    else:
        kind = kinds[0].value if kinds else "none"
        return (PASS if outcome.lenient else f"{_FAIL}{kind}"), 0.0
    return f"{_RESOLVE}{why}", _DOUBT[why]


def _judged(
    outcome: Outcome, decision: PanelDecision, kinds: Sequence[FailureKind]
) -> tuple[str, float]:
    if decision.queue == "resolve":
        # Sent for what people found in its stratum: it stays there, or the stratum would be
        # made of what they said.
        by_people = decision.triggers == (Trigger.AUDITED_RISK,)
        where = _PANEL if by_people else _RESOLVE
        return f"{where}{decision.stratum}", decision.priority or _DOUBT["differ"]
    passed = decision.result == "pass"
    if outcome.lenient is not None and outcome.lenient is not passed:
        return f"{_RESOLVE}denied", _DOUBT["denied"]
    if passed and UNDESERVED.intersection(kinds):
        return f"{_RESOLVE}suspicious", _DOUBT["suspicious"]
    return f"{_PANEL}{decision.stratum}", 0.0


def _queue(stratum: str, one: _Member) -> Literal["resolve", "audit"]:
    return "resolve" if one.priority or stratum.startswith(_RESOLVE) else "audit"


def _sizes(strata: _Strata, plan: SamplePlan) -> dict[str, int]:
    """Return how many of each stratum people look at; no part of a larger plan is less."""
    sizes = {name: len(members) for name, members in strata.items()}
    if plan.smoke is not None:
        return _even(sizes, plan.smoke)
    if plan.everything:
        return sizes
    drawn = {name: sum(one.drawn for one in members) for name, members in strata.items()}
    settled = {name: size for name, size in sizes.items() if name.startswith((PASS, _FAIL))}
    by_panel = sum(count for name, count in drawn.items() if name.startswith(_PANEL))
    even = _even(settled, max(0, plan.least - by_panel))
    for name, size in settled.items():
        share = plan.passes if name == PASS else plan.failures
        # Less a rounding error: 7 % of 100 are 7.
        wanted = max(math.ceil(share * size - 1e-9), plan.floor, even[name])
        drawn[name] = min(size, wanted)
    # Nothing would be known of a stratum of which nobody saw any.
    return {name: max(1, count) for name, count in drawn.items()}


def _even(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """Share `total` among strata by their sizes, at least one for each.

    Each next one goes where the share that is taken is least (Adams' method of apportionment), so
    that a larger total takes nothing from any stratum.
    """
    taken = dict.fromkeys(sizes, 1)
    heap = [(-float(size), name) for name, size in sizes.items() if size > 1]
    heapq.heapify(heap)
    for _ in range(total - len(sizes)):
        if not heap:
            break
        _, name = heap[0]
        taken[name] += 1
        if taken[name] < sizes[name]:
            heapq.heapreplace(heap, (-sizes[name] / taken[name], name))
        else:
            heapq.heappop(heap)
    return taken
