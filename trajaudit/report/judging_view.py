"""What judges said of one trial, as a page shows it: votes, their quotes, raw replies folded."""

from dataclasses import dataclass

from trajaudit.datamodel.judging import CriterionVote, PanelDecision, Vote
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.report.block import Block, block
from trajaudit.report.judging_schema import TrialJudging


@dataclass(frozen=True)
class QuoteView:
    """Words that a judge quotes, and whether they stand where it says."""

    step: int
    anchor: str | None
    """Of the step on the page; None: it is the task, or there is no such step."""
    quote: str
    found: bool | None


@dataclass(frozen=True)
class CriterionView:
    """What a judge said to one criterion."""

    criterion: CriterionVote
    quotes: tuple[QuoteView, ...]


@dataclass(frozen=True)
class VoteView:
    """One vote."""

    vote: Vote
    choice: str
    """What it says, or that it says nothing."""
    criteria: tuple[CriterionView, ...]
    raw: tuple[Block, ...]


@dataclass(frozen=True)
class JudgingView:
    """What one panel made of one trial."""

    rubric: str
    decision: PanelDecision | None
    votes: tuple[VoteView, ...]


def judging_view(said: TrialJudging, anchor: str, trajectory: Trajectory) -> JudgingView:
    """Return what a page shows; `anchor` is that of the trial."""
    steps = {step.number for step in trajectory.steps}

    def quotes(criterion: CriterionVote) -> tuple[QuoteView, ...]:
        return tuple(
            QuoteView(
                step=one.step,
                anchor=f"{anchor}-s{one.step}" if one.step in steps else None,
                quote=one.quote,
                found=one.found,
            )
            for one in criterion.evidence
        )

    votes = [
        VoteView(
            vote=vote,
            choice=vote.overall or "no vote",
            criteria=tuple(CriterionView(one, quotes(one)) for one in vote.criteria),
            raw=tuple(block(text, verbatim=True) for text in vote.raw),
        )
        for vote in said.votes
    ]
    rubric = said.decision.rubric if said.decision else said.votes[0].rubric
    return JudgingView(rubric, said.decision, tuple(votes))
