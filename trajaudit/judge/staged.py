"""What would a staged panel have asked, and decided, had it been given votes that lie there?"""

from collections.abc import Sequence

from trajaudit.datamodel.judging import Panel, PanelDecision, ReplyStatus, Vote
from trajaudit.judge.decide import Circumstances, by_family, decide, worth_asking


def heard_in_stages(votes: Sequence[Vote], panel: Panel) -> list[Vote]:
    """Return the votes that a panel would have asked for, families in the order in which they lie.

    The first families are always heard; a further one only where it could still settle the trial.
    A family whose provider failed leaves its place to the next.
    """
    heard: list[Vote] = []
    asked = 0
    for each in by_family(votes).values():
        usable = [vote for vote in each if vote.status is not ReplyStatus.PROVIDER_FAILED]
        if asked >= panel.first and not worth_asking(heard):
            break
        heard += usable
        asked += bool(usable)
    return heard


def decided_in_stages(
    votes: Sequence[Vote], known: Circumstances, panel: Panel
) -> PanelDecision | None:
    """Return the decision on recorded votes; None where fewer than two families were heard at all
    for the sake of their providers.
    """
    heard = heard_in_stages(votes, panel)
    failed = any(vote.status is ReplyStatus.PROVIDER_FAILED for vote in votes)
    if failed and len(by_family(heard)) < 2:
        return None
    return decide(heard, known, panel, whole_calls=sum(max(1, len(vote.raw)) for vote in votes))
