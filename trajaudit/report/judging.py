"""What did the judges of a run say, how far can they be trusted, and what is left to people?"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trajaudit.datamodel.finding import FailureKind
from trajaudit.datamodel.judged import Commitment, Sitting
from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.datamodel.run import Outcome
from trajaudit.judge.risk import audited, claimable
from trajaudit.report.judging_effects import agreement, length_effect, order_effect
from trajaudit.report.judging_schema import (
    JudgeRow,
    Judging,
    ReferenceDoubt,
    Stratum,
    TrialJudging,
)
from trajaudit.report.schema import Pointer, Summary

Key = tuple[str, int]
CLAIMED_RISK = 0.05
"""Share of wrong verdicts that is claimed not to be passed, at 95 %."""
AGREED_ON_DOUBT = 2
"""Judges that have to deny a reference before the task itself is pointed at."""


@dataclass(frozen=True)
class Judged:
    """Everything that lies in a run of its judges."""

    votes: Sequence[Vote] = ()
    decisions: Sequence[PanelDecision] = ()
    commitments: Sequence[Commitment] = ()
    sittings: Sequence[Sitting] = ()
    human: Mapping[Key, bool] = field(default_factory=dict)

    def by_trial(self) -> dict[Key, list[TrialJudging]]:
        """Return what was said of each trial, one entry a rubric."""
        votes: dict[tuple[str, int, str], list[Vote]] = defaultdict(list)
        for vote in self.votes:
            votes[vote.task_id, vote.trial, vote.rubric].append(vote)
        decisions = {(one.task_id, one.trial, one.rubric): one for one in self.decisions}
        found: dict[Key, list[TrialJudging]] = defaultdict(list)
        for key in dict.fromkeys([*decisions, *votes]):
            said = TrialJudging(decision=decisions.get(key), votes=tuple(votes.get(key, ())))
            found[key[:2]].append(said)
        return dict(found)


def human_of(outcomes: Sequence[Outcome]) -> dict[Key, bool]:
    """Return what people said, by trial."""
    return {(one.task_id, one.trial): one.human for one in outcomes if one.human is not None}


def with_judging(summary: Summary, judged: Judged) -> Summary:
    """Return the summary with what judges said, and with the tasks whose reference they deny."""
    found = tuple(_judging(one, judged) for one in judged.sittings)
    doubted = {ref.task_id: ref for one in found for ref in one.references}
    pointers = tuple(_pointer(ref) for ref in doubted.values() if _is_shared(ref))
    look_first = (*pointers, *summary.look_first)
    return summary.model_copy(update={"judging": found, "look_first": look_first})


def _judging(sitting: Sitting, judged: Judged) -> Judging:
    votes = [vote for vote in judged.votes if vote.rubric == sitting.rubric]
    decisions = [one for one in judged.decisions if one.rubric == sitting.rubric]
    notes = [one for one in judged.commitments if sitting.commit_first]
    results = Counter(one.result for one in decisions)
    queues = Counter(one.queue for one in decisions)
    spent = [*(vote.cost_usd for vote in votes), *(one.cost_usd for one in notes)]
    asked = [*((v.prompt_tokens, v.completion_tokens) for v in votes)]
    asked += [(n.prompt_tokens, n.completion_tokens) for n in notes]
    return Judging(
        panel=sitting.panel,
        rubric=sitting.rubric,
        decides=any(one.decides for one in decisions),
        certified=sitting.certified,
        trials=sitting.trials,
        passed=results["pass"],
        failed=results["fail"],
        undecided=results["undecided"],
        settled=len(decisions) - queues["resolve"],
        resolve=queues["resolve"],
        audit=queues["audit"],
        triggers=dict(Counter(str(name) for one in decisions for name in one.triggers)),
        unheard=dict(Counter(one.why for one in sitting.unheard)),
        replies=sum(len(vote.raw) for vote in votes),
        saved=sum(one.calls_saved for one in decisions),
        sent=sitting.sent,
        retries=sitting.retries,
        from_cache=sitting.from_cache,
        tokens=sum(map(sum, asked)),
        cost_usd=_sum(spent),
        notes=len(notes),
        usable_notes=sum(one.status.counts for one in notes),
        judges=tuple(_rows(votes)),
        agreement=agreement(votes),
        length=length_effect(votes, decisions),
        order=order_effect(votes),
        strata=tuple(_strata(decisions, judged.human)),
        references=tuple(_references(notes)),
    )


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _rows(votes: Sequence[Vote]) -> list[JudgeRow]:
    found: dict[tuple[str, str], list[Vote]] = defaultdict(list)
    for vote in votes:
        found[vote.judge, vote.family].append(vote)
    return [_row(judge, family, each) for (judge, family), each in found.items()]


def _row(judge: str, family: str, votes: Sequence[Vote]) -> JudgeRow:
    said = Counter(vote.overall for vote in votes)
    quotes = [one.found for v in votes for each in v.criteria for one in each.evidence]
    trials: dict[Key, list[Vote]] = defaultdict(list)
    for vote in votes:
        if vote.overall is not None:
            trials[vote.task_id, vote.trial].append(vote)
    return JudgeRow(
        judge=judge,
        family=family,
        votes=len(votes),
        passes=said["pass"],
        fails=said["fail"],
        abstains=said["abstain"],
        unusable=dict(Counter(str(vote.status) for vote in votes if not vote.status.counts)),
        quotes=sum(one is not None for one in quotes),
        found=sum(one is True for one in quotes),
        turned=sum({"pass", "fail"} <= {v.overall for v in each} for each in trials.values()),
        both_orders=sum({1, 2} <= {v.order for v in each} for each in trials.values()),
        tokens=sum(vote.prompt_tokens + vote.completion_tokens for vote in votes),
        cost_usd=_sum([vote.cost_usd for vote in votes]),
    )


def _strata(decisions: Sequence[PanelDecision], human: Mapping[Key, bool]) -> list[Stratum]:
    known = audited(decisions, human)
    claimed = claimable(known, risk=CLAIMED_RISK)
    groups: dict[str, list[PanelDecision]] = defaultdict(list)
    for one in decisions:
        if one.inclusion is not None:
            groups[one.stratum].append(one)
    found = []
    for name, each in sorted(groups.items()):
        sample = known.get(name)
        found.append(
            Stratum(
                name=name,
                settled=len(each),
                drawn=sum(one.queue == "audit" for one in each),
                looked_at=sample.looked_at if sample else 0,
                wrong=sample.wrong if sample else 0,
                upper=sample.upper_bound() if sample else None,
                claimed=name in claimed,
            )
        )
    return found


def _references(notes: Sequence[Commitment]) -> list[ReferenceDoubt]:
    denied: dict[str, list[Commitment]] = defaultdict(list)
    for one in notes:
        if one.denies_reference:
            denied[one.task_id].append(one)
    return [
        ReferenceDoubt(
            task_id=task_id,
            judges=tuple(one.judge for one in each),
            answers=tuple(one.answer or "" for one in each),
        )
        for task_id, each in denied.items()
    ]


def _is_shared(doubt: ReferenceDoubt) -> bool:
    """Whether judges of several families came to the same other answer by themselves."""
    plain = Counter(" ".join(answer.casefold().split()) for answer in doubt.answers)
    return max(plain.values(), default=0) >= AGREED_ON_DOUBT


def _pointer(doubt: ReferenceDoubt) -> Pointer:
    who = ", ".join(doubt.judges)
    reason = f"judges that saw the task alone deny its reference: {doubt.answers[0]!r} ({who})"
    return Pointer(task_id=doubt.task_id, kind=FailureKind.REFERENCE_SUSPECT, reason=reason)
