"""Which trials that people passed took a path that their task does not list?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trajaudit.datamodel.review import (
    Adjudication,
    HumanDecision,
    LedgerRecord,
    Review,
    ReviewVerdict,
)
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Verdict
from trajaudit.record.reviews import standing
from trajaudit.score.criteria import PATHS

Key = tuple[str, int]
_NAME = 60


class Suggestion(NamedTuple):
    """A trial whose path could be listed, on whose word, and why it is right."""

    task_id: str
    trial: int
    by: str
    reason: str


def unlisted(
    decisions: Mapping[Key, HumanDecision],
    verdicts: Iterable[Verdict],
    records: Sequence[LedgerRecord],
) -> Iterator[Suggestion]:
    """Yield the trials that people passed and no listed path accepts, in the order of verdicts."""
    for one in verdicts:
        decision = decisions.get((one.task_id, one.trial))
        denied = one.scorer == PATHS and one.mode == "lenient" and one.passed is False
        if denied and decision is not None and decision.passed:
            by, reason = _word(decision.item_id, records)
            yield Suggestion(one.task_id, one.trial, by, reason)


def name_for(trajectory: Trajectory, taken: Iterable[str]) -> str:
    """Return a name for the path of a trial: its tools, in order; no other path bears it."""
    tools = list(dict.fromkeys(call.tool for s in trajectory.steps for call in s.tool_calls))
    name = ", then ".join(tools) or "without any call"
    name = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    known = set(taken)
    numbered = (f"{name} ({number})" for number in range(2, len(known) + 3))
    return next(one for one in (name, *numbered) if one not in known)


def _word(item_id: str, records: Sequence[LedgerRecord]) -> tuple[str, str]:
    """Return who passed an item, and what they wrote of it; whoever settled it comes last."""
    own = [one for one in records if one.item_id == item_id]
    passes = [one for one in standing(own) if one.verdict is ReviewVerdict.PASS]
    settled = [
        one for one in own if isinstance(one, Adjudication) and one.verdict is ReviewVerdict.PASS
    ]
    said: list[Review | Adjudication] = [*passes, *settled]
    names = [one.reviewer if isinstance(one, Review) else one.adjudicator for one in said]
    reasons = [one.reason for one in said if one.reason]
    return ", ".join(dict.fromkeys(names)), " / ".join(dict.fromkeys(reasons))
