"""A judge's reply to a rubric: its criteria, its quotes checked, and what they come to.

Nothing is filled in: a criterion that is missing, a choice that is none, an `overall` that the
criteria deny, or a quote that stands nowhere void the reply.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.judging import (
    CANNOT_ASSESS,
    Citation,
    CriterionVote,
    Overall,
    ReplyStatus,
    Rubric,
)
from trajaudit.judge.form import VoidReplyError, fields_of, listed, stated, text_of, words
from trajaudit.judge.parse import is_revised
from trajaudit.judge.protocol import read_label
from trajaudit.judge.quote import is_supported, step_of
from trajaudit.judge.reply import Found

_FIELDS = frozenset({"criteria", "overall"})


@dataclass(frozen=True)
class Ballot:
    """What a reply says, or why it says nothing."""

    status: ReplyStatus
    overall: Overall | None = None
    criteria: tuple[CriterionVote, ...] = ()
    conflicts: tuple[str, ...] = ()
    note: str = ""


def read_ballot(
    reply: str | None,
    rubric: Rubric,
    texts: Mapping[int, str],
    finish_reason: str | None = None,
) -> Ballot:
    """Return what a reply says to each criterion; never raises.

    Args:
        reply: the text as it came.
        rubric: what was asked.
        texts: step → what was shown of it; quotes have to stand there.
        finish_reason: as the provider gave it.
    """
    try:
        said = stated(reply, _FIELDS, list(texts.values()), finish_reason)
    except VoidReplyError as void:
        return Ballot(void.status, note=str(void))
    found = said.objects
    ballots = [_read(one, rubric, texts) for one in found]
    if _contradict(ballots) and not is_revised(said.read, found[-2].end, found[-1].start):
        return Ballot(ReplyStatus.CONFLICT, note="two replies in one, and no revision is stated")
    return ballots[-1]


def _contradict(ballots: Sequence[Ballot]) -> bool:
    return len({(one.status, one.overall, _verdicts(one)) for one in ballots}) > 1


def _verdicts(ballot: Ballot) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((one.id, one.verdict) for one in ballot.criteria))


def _read(one: Found, rubric: Rubric, texts: Mapping[int, str]) -> Ballot:
    try:
        fields = fields_of(one.pairs)
        criteria = _criteria(fields.get("criteria"), rubric)
        overall = _overall(fields.get("overall"), criteria, rubric)
        conflicts = words(fields.get("conflicts"))
    except VoidReplyError as void:
        return Ballot(void.status, note=str(void))
    criteria = _looked_up(criteria, texts)
    fault = _quote_fault(criteria, rubric)
    if fault is not None:
        # What it said is kept beside it: which of its quotes stand nowhere is worth knowing.
        return Ballot(ReplyStatus.UNSUPPORTED, None, criteria, conflicts, fault)
    status = ReplyStatus.REPAIRED if one.repaired else ReplyStatus.OK
    return Ballot(status, overall, criteria, conflicts)


def _criteria(written: Any, rubric: Rubric) -> tuple[CriterionVote, ...]:
    by_id = {one.id: one for one in rubric.criteria}
    votes: dict[str, CriterionVote] = {}
    for entry in listed(written, "criteria"):
        fields = fields_of(entry)
        name = fields.get("id")
        if not isinstance(name, str) or name not in by_id:
            raise VoidReplyError(ReplyStatus.UNPARSED, f"unknown criterion; got {name!r}"[:200])
        vote = _vote(fields, name, by_id[name].choices)
        if votes.setdefault(name, vote).verdict != vote.verdict:
            raise VoidReplyError(ReplyStatus.CONFLICT, f"{name} has two verdicts")
    missing = [name for name in by_id if name not in votes]
    if missing:
        raise VoidReplyError(ReplyStatus.UNPARSED, f"no verdict on {', '.join(missing)}")
    return tuple(votes[name] for name in by_id)


def _vote(fields: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> CriterionVote:
    status, verdict = read_label(fields.get("verdict"), (*choices, CANNOT_ASSESS))
    if status is not ReplyStatus.OK:
        got = repr(fields.get("verdict"))[:80]
        raise VoidReplyError(
            ReplyStatus.UNPARSED, f"{name}: no choice of this criterion; got {got}"
        )
    evidence = fields.get("evidence") or []
    try:
        return CriterionVote(
            id=name,
            evidence=tuple(Citation.model_validate(_citation(one)) for one in evidence),
            reasoning=text_of(fields, "reasoning"),
            verdict=str(verdict),
            missing=text_of(fields, "missing"),
        )
    except (ValidationError, TypeError) as error:
        raise VoidReplyError(
            ReplyStatus.UNPARSED, f"{name}: evidence is no list of quotes"
        ) from error


def _citation(written: Any) -> dict[str, Any]:
    fields = fields_of(written)
    return {"step": step_of(fields.get("step")), "quote": fields.get("quote")}


def _overall(written: Any, criteria: Sequence[CriterionVote], rubric: Rubric) -> Overall:
    status, said = read_label(written, ("pass", "fail", "abstain"))
    if status is not ReplyStatus.OK:
        raise VoidReplyError(ReplyStatus.UNPARSED, f"overall is no verdict; got {written!r}"[:200])
    due = aggregated(criteria, rubric)
    if said != due:
        raise VoidReplyError(
            ReplyStatus.CONFLICT, f"overall is {said}, and its criteria come to {due}"
        )
    return due


def aggregated(criteria: Sequence[CriterionVote], rubric: Rubric) -> Overall:
    """Return what the criteria come to: a failed one decides, then one that cannot be told."""
    by_id = {one.id: one for one in rubric.criteria}
    told = [by_id[one.id].passed_by(one.verdict) for one in criteria]
    if False in told:
        return "fail"
    return "abstain" if None in told else "pass"


def _looked_up(
    criteria: Sequence[CriterionVote], texts: Mapping[int, str]
) -> tuple[CriterionVote, ...]:
    def with_found(cited: Citation) -> Citation:
        return cited.model_copy(update={"found": is_supported(cited, texts)})

    return tuple(
        vote.model_copy(update={"evidence": tuple(with_found(one) for one in vote.evidence)})
        for vote in criteria
    )


def _quote_fault(criteria: Sequence[CriterionVote], rubric: Rubric) -> str | None:
    by_id = {one.id: one for one in rubric.criteria}
    for vote in criteria:
        for cited in vote.evidence:
            if not cited.found:
                return f"{vote.id}: step {cited.step} does not hold {cited.quote!r}"[:300]
        if not vote.evidence and by_id[vote.id].passed_by(vote.verdict):
            return f"{vote.id} passes without a quote"
    return None
