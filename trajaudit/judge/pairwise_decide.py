"""What do the votes on a pair of trials come to, is another family worth asking, and who looks?

Deliberate: a family is heard only where both of its orders are; one order alone cannot tell a
preference from a place. A choice that turns with the order is inconsistent, never a tie; families
that differ settle nothing.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trajaudit.datamodel.judging import Panel, ReplyStatus, Trigger
from trajaudit.datamodel.pairwise import PairDecision, PairResult, PairVote
from trajaudit.judge.orders import Shown, across_orders

FAMILIES = 2
"""Families that have to agree."""
INCONSISTENT, INCOMPLETE = "inconsistent", "incomplete"
_FINAL = frozenset({Trigger.ABSTAIN, Trigger.CONFLICT, Trigger.ORDER_FLIP, Trigger.FAMILY_SPLIT})
"""What no further family could undo."""


@dataclass(frozen=True, kw_only=True)
class PairFacts:
    """What is known of a pair beside its votes."""

    task_id: str
    trial: int
    runs: tuple[str, str]
    rubric: str
    about_outcome: bool = True
    ruled: tuple[bool | None, bool | None] = (None, None)
    """What the careful reading of the rules says of either trial."""
    chars: tuple[int, int] = (0, 0)
    cut_steps: frozenset[tuple[str, int]] = frozenset()
    """Run and step of what is not shown whole."""
    fits: bool = True
    addressed: bool = False
    reference_denied: bool = False
    """A judge that had seen the task alone came to another answer than the reference."""


def of_families(votes: Sequence[PairVote]) -> dict[str, str]:
    """Return what both orders of each family say: a, b, tie, inconsistent or incomplete."""
    found: dict[str, list[PairVote]] = defaultdict(list)
    for vote in votes:
        found[vote.family].append(vote)
    return {name: _of_family(each) for name, each in found.items()}


def _of_family(votes: Sequence[PairVote]) -> str:
    draws = sorted({vote.replicate for vote in votes})
    said = {_of_draw([vote for vote in votes if vote.replicate == draw]) for draw in draws}
    # A family that turns is inconsistent, also where a further draw of it was of no use.
    whole = said - {INCOMPLETE}
    if INCONSISTENT in said or len(whole) > 1:
        return INCONSISTENT
    return INCOMPLETE if INCOMPLETE in said else whole.pop()


def _of_draw(votes: Sequence[PairVote]) -> str:
    orders = {vote.order: vote for vote in votes}
    if set(orders) != {1, 2}:
        return INCOMPLETE
    return across_orders(_shown(orders[1]), _shown(orders[2])).winner


def _shown(vote: PairVote) -> Shown:
    labels = {"A": "a", "B": "b"} if vote.first == "a" else {"A": "b", "B": "a"}
    letters: dict[str | None, str] = {run: letter for letter, run in labels.items()}
    return Shown(labels, letters.get(vote.choice, "tie" if vote.choice == "tie" else None))


def result_of(families: Mapping[str, str]) -> PairResult:
    """Return what all families that were heard agree on; a turn of one of them is the result."""
    if INCONSISTENT in families.values():
        return PairResult.INCONSISTENT
    said = [one for one in families.values() if one != INCOMPLETE]
    if len(said) < FAMILIES or len(set(said)) > 1:
        return PairResult.UNDECIDED
    return PairResult(said[0])


def worth_asking(votes: Sequence[PairVote]) -> bool:
    """Whether votes of a further family could settle what is not settled."""
    families = of_families(votes)
    settled = result_of(families) is not PairResult.UNDECIDED and INCOMPLETE not in (
        families.values()
    )
    return not settled and not _FINAL & set(_of_votes(votes, families))


def _of_votes(votes: Sequence[PairVote], families: Mapping[str, str]) -> list[Trigger]:
    sides = {one for one in families.values() if one not in (INCONSISTENT, INCOMPLETE)}
    heard = [name for name, said in families.items() if said != INCOMPLETE]
    found = {
        Trigger.INVALID: len(heard) < FAMILIES,
        Trigger.ABSTAIN: any(vote.choice == "cannot_tell" for vote in votes),
        Trigger.CONFLICT: any(vote.conflicts and vote.status.counts for vote in votes),
        Trigger.ORDER_FLIP: INCONSISTENT in families.values(),
        Trigger.FAMILY_SPLIT: len(sides) > 1,
        Trigger.UNSUPPORTED: any(
            families[vote.family] == INCOMPLETE and vote.status is ReplyStatus.UNSUPPORTED
            for vote in votes
        ),
    }
    return [trigger for trigger, holds in found.items() if holds]


def _of_pair(votes: Sequence[PairVote], facts: PairFacts, said: PairResult) -> list[Trigger]:
    usable = [vote for vote in votes if vote.status.counts]
    cited = {
        (one.side, one.step) for vote in usable for each in vote.criteria for one in each.evidence
    }
    found = {
        Trigger.SCORER_CONFLICT: facts.about_outcome and _denies(facts.ruled, said),
        Trigger.REF_CONFLICT: facts.about_outcome and facts.reference_denied,
        Trigger.TRUNCATED: not facts.fits or bool(cited & facts.cut_steps) or _is_unseen(votes),
        Trigger.INJECTION: facts.addressed,
    }
    return [trigger for trigger, holds in found.items() if holds]


def _is_unseen(votes: Sequence[PairVote]) -> bool:
    """Whether a context was too short, and too few families had one that was not."""
    usable = {vote.family for vote in votes if vote.status.counts}
    return len(usable) < FAMILIES and any(vote.status is ReplyStatus.TOO_LONG for vote in votes)


def _denies(ruled: tuple[bool | None, bool | None], said: PairResult) -> bool:
    """Whether the panel prefers the trial that failed by the rules over the one that passed."""
    return (ruled == (True, False) and said is PairResult.B) or (
        ruled == (False, True) and said is PairResult.A
    )


def decide_pair(
    votes: Sequence[PairVote],
    facts: PairFacts,
    panel: Panel,
    *,
    whole_calls: int = 0,
    own_family: bool = False,
) -> PairDecision:
    """Return what a panel's votes on one pair come to.

    Args:
        votes: all of them, unusable ones included.
        facts: what is known beside them.
        panel: who was asked.
        whole_calls: calls that asking everybody would have taken.
        own_family: too few judges are of another family than both agents.
    """
    families = of_families(votes)
    said = result_of(families)
    triggers = [*_of_votes(votes, families), *_of_pair(votes, facts, said)]
    triggers += [Trigger.SAME_FAMILY] if own_family else []
    settled = said in {PairResult.A, PairResult.B, PairResult.TIE} and not triggers
    calls = sum(max(1, len(vote.raw)) for vote in votes)
    return PairDecision(
        **_names(facts, panel),
        result=said,
        stage=("B" if len(families) > panel.first else "A") if settled else "C",
        triggers=tuple(triggers),
        families=families,
        calls=calls,
        calls_saved=max(0, whole_calls - calls),
        queue="none" if settled else "resolve",
        stratum=f"{said}/{'ruled' if None not in facts.ruled else 'alone'}",
    )


def alike(facts: PairFacts, panel: Panel, *, whole_calls: int) -> PairDecision:
    """Return the decision on two trials of which the same is shown: nobody need be asked."""
    return PairDecision(
        **_names(facts, panel),
        result=PairResult.TIE,
        stage="same",
        calls_saved=whole_calls,
        stratum="tie/same",
    )


def _names(facts: PairFacts, panel: Panel) -> dict[str, object]:
    return {
        "task_id": facts.task_id,
        "trial": facts.trial,
        "run_a": facts.runs[0],
        "run_b": facts.runs[1],
        "panel": panel.name,
        "rubric": facts.rubric,
        "ruled": facts.ruled,
        "chars": facts.chars,
    }
