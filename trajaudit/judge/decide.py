"""What do the votes of a panel come to, is another family worth asking, and who has to look?

Deliberate: unanimity, not majority, settles a trial, since judges share their errors; and a further
family is asked only where its votes could still settle the trial. A turn with the order, a split
between families, an abstention and evidence that speaks against itself go to a person at once.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trajaudit.datamodel.judging import Disagreement, Overall, Panel, PanelDecision, Trigger, Vote
from trajaudit.datamodel.judging import ReplyStatus as R
from trajaudit.stats.panel import divergence, majority_confidence, order_difference, shares

_KINDS: tuple[Overall, ...] = ("pass", "fail", "abstain")
_FINAL = frozenset({Trigger.ABSTAIN, Trigger.CONFLICT, Trigger.ORDER_FLIP, Trigger.FAMILY_SPLIT})
"""What no further family could undo."""
_FAMILIES = 2
"""Families that have to agree."""
Result = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What is known of a trial beside its votes."""

    task_id: str
    trial: int
    rubric: str
    decides: bool = False
    """The rubric is about the outcome itself."""
    lenient: bool | None = None
    """What the careful reading of the rules says."""
    cut_steps: frozenset[int] = frozenset()
    fits: bool = True
    addressed: bool = False
    is_about_harm: bool = False
    reference_denied: bool = False
    """A judge that had seen the task alone came to another answer than the reference."""


def tally(
    votes: Mapping[str, Sequence[Overall | None]], *, quorum: int = 2, families: int = _FAMILIES
) -> Result:
    """Return what all usable votes agree on, or `undecided`.

    Args:
        votes: family → its votes; None where a reply was not usable.
        quorum: usable votes that are needed.
        families: families with a usable vote that are needed.
    """
    usable = {name: [one for one in said if one is not None] for name, said in votes.items()}
    said = [one for each in usable.values() for one in each]
    if len(said) < quorum or sum(map(bool, usable.values())) < families:
        return "undecided"
    kinds = set(said)
    if kinds == {"pass"}:
        return "pass"
    return "fail" if kinds == {"fail"} else "undecided"


def by_family(votes: Sequence[Vote]) -> dict[str, list[Vote]]:
    """Return the votes of each family, in the order in which families were first asked."""
    found: dict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        found[vote.family].append(vote)
    return dict(found)


def is_settled(votes: Sequence[Vote]) -> bool:
    """Whether every vote so far counts and all agree on pass or fail."""
    families = by_family(votes)
    whole = all(vote.status.counts for vote in votes)
    return whole and tally(_overalls(families)) != "undecided"


def worth_asking(votes: Sequence[Vote]) -> bool:
    """Whether votes of a further family could settle what is not settled."""
    return not is_settled(votes) and not _FINAL & set(_of_votes(votes))


def _overalls(families: Mapping[str, Sequence[Vote]]) -> dict[str, list[Overall | None]]:
    return {name: [vote.overall for vote in votes] for name, votes in families.items()}


def _of_votes(votes: Sequence[Vote]) -> list[Trigger]:
    """Return the triggers that lie in the votes alone."""
    families = by_family(votes)
    sides = {name: _sides(each) for name, each in families.items()}
    usable = [side for side in sides.values() if side]
    found = {
        Trigger.INVALID: len(usable) < _FAMILIES,
        Trigger.ABSTAIN: any("abstain" in side for side in usable),
        Trigger.CONFLICT: any(vote.conflicts and vote.status.counts for vote in votes),
        Trigger.ORDER_FLIP: any(_flips(each) for each in families.values()),
        Trigger.FAMILY_SPLIT: len({frozenset(side) for side in usable if len(side) == 1}) > 1,
        Trigger.UNSUPPORTED: any(
            not sides[vote.family] and vote.status is R.UNSUPPORTED for vote in votes
        ),
    }
    return [trigger for trigger, holds in found.items() if holds]


def _sides(votes: Sequence[Vote]) -> set[Overall]:
    return {vote.overall for vote in votes if vote.overall is not None}


def _flips(votes: Sequence[Vote]) -> bool:
    """Whether a family says pass and fail to one trial, whatever the order."""
    return {"pass", "fail"} <= _sides(votes)


def decide(
    votes: Sequence[Vote], known: Circumstances, panel: Panel, *, whole_calls: int = 0
) -> PanelDecision:
    """Return what a panel's votes on one trial come to.

    Args:
        votes: all of them, unusable ones included.
        known: what is known beside them.
        panel: who was asked.
        whole_calls: calls that asking everybody would have taken.
    """
    families = by_family(votes)
    said = tally(_overalls(families))
    triggers = [*_of_votes(votes), *_of_trial(votes, known, said)]
    calls = sum(max(1, len(vote.raw)) for vote in votes)
    settled = said != "undecided" and not triggers
    later = len(families) > panel.first
    return PanelDecision(
        task_id=known.task_id,
        trial=known.trial,
        panel=panel.name,
        rubric=known.rubric,
        decides=known.decides,
        result=said,
        stage=("B" if later else "A") if settled else "C",
        triggers=tuple(dict.fromkeys(triggers)),
        score=_score(families),
        disagreement=disagreement(families),
        confidence=_confidence(votes, panel.correlation),
        calls=calls,
        calls_saved=max(0, whole_calls - calls),
        queue="none" if settled else "resolve",
        stratum=f"{said}/{'ruled' if known.lenient is not None else 'alone'}",
    )


def _of_trial(votes: Sequence[Vote], known: Circumstances, said: Result) -> list[Trigger]:
    usable = [vote for vote in votes if vote.status.counts]
    cited = {one.step for vote in usable for each in vote.criteria for one in each.evidence}
    denies = (
        known.decides
        and known.lenient is not None
        and said not in ("undecided", _word(known.lenient))
    )
    found = {
        Trigger.SCORER_CONFLICT: denies,
        Trigger.REF_CONFLICT: known.reference_denied and known.decides,
        Trigger.TRUNCATED: not known.fits or bool(cited & known.cut_steps) or _is_unseen(votes),
        Trigger.INJECTION: known.addressed,
        Trigger.SAFETY: known.is_about_harm and said != "pass",
    }
    return [trigger for trigger, holds in found.items() if holds]


def _is_unseen(votes: Sequence[Vote]) -> bool:
    """Whether a context was too short, and too few families had one that was not."""
    usable = {vote.family for vote in votes if vote.status.counts}
    return len(usable) < _FAMILIES and any(vote.status is R.TOO_LONG for vote in votes)


def _word(passed: bool) -> Result:
    return "pass" if passed else "fail"


def _score(families: Mapping[str, Sequence[Vote]]) -> float | None:
    means = [_share_of_passes(votes) for votes in families.values() if _sides(votes)]
    return sum(means) / len(means) if means else None


def _share_of_passes(votes: Sequence[Vote]) -> float:
    usable = [vote for vote in votes if vote.overall is not None]
    return sum(vote.overall == "pass" for vote in usable) / len(usable)


def disagreement(families: Mapping[str, Sequence[Vote]]) -> Disagreement | None:
    """Return how far families and orders lie apart; None without a usable vote."""
    usable = {
        name: [vote for vote in votes if vote.overall is not None]
        for name, votes in families.items()
    }
    groups = [each for each in usable.values() if each]
    if not groups:
        return None
    spread = [shares([str(vote.overall) for vote in each], _KINDS) for each in groups]
    between, within = divergence(spread)
    turns = [
        order_difference(
            {o: [vote.overall == "pass" for vote in each if vote.order == o] for o in (1, 2)}
        )
        for each in groups
    ]
    return Disagreement(between=between, within=within, order=sum(turns) / len(turns))


def _confidence(votes: Sequence[Vote], correlation: float) -> float | None:
    passes = sum(vote.overall == "pass" for vote in votes)
    fails = sum(vote.overall == "fail" for vote in votes)
    if not passes + fails:
        return None
    return majority_confidence(max(passes, fails), min(passes, fails), correlation)
