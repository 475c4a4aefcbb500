"""A judge's reply to a rubric: its criteria, its quotes checked, and what they come to.

Nothing is filled in: a criterion that is missing, a choice that is none, an `overall` that the
criteria deny, or a quote that stands nowhere void the reply.
"""

import re
import unicodedata
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
from trajaudit.judge.parse import broken_off, is_revised, nothing_read
from trajaudit.judge.protocol import read_label
from trajaudit.judge.reply import Found, Pairs, scan, visible
from trajaudit.judge.standing import is_own

_DOTS = re.compile(r"\s*(?:\[?\.\.\.\]?|\[?…\]?)\s*")


@dataclass(frozen=True)
class Ballot:
    """What a reply says, or why it says nothing."""

    status: ReplyStatus
    overall: Overall | None = None
    criteria: tuple[CriterionVote, ...] = ()
    conflicts: tuple[str, ...] = ()
    note: str = ""


class _Void(Exception):  # noqa: N818 (a reply that counts for nothing, no error of ours)
    def __init__(self, status: ReplyStatus, note: str) -> None:
        self.status = status
        super().__init__(note)


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
    if finish_reason == "content_filter":
        return Ballot(ReplyStatus.REFUSED, note="held back by the provider's filter")
    if reply is None or not reply.strip():
        return Ballot(ReplyStatus.EMPTY, note="no text")
    read = scan(reply)
    cut = broken_off(read, finish_reason)
    if cut is not None:
        return Ballot(cut.status, note=cut.note)
    shown = [plain(text) for text in texts.values()]
    found = [
        one
        for one in read.objects
        if _is_ballot(one) and is_own(read.whole, one) and not _is_copied(one, shown)
    ]
    if not found:
        none = nothing_read(read)
        return Ballot(none.status, note=none.note)
    ballots = [_read(one, rubric, texts) for one in found]
    if _contradict(ballots) and not is_revised(read, found[-2].end, found[-1].start):
        return Ballot(ReplyStatus.CONFLICT, note="two replies in one, and no revision is stated")
    return ballots[-1]


def _is_ballot(one: Found) -> bool:
    return bool({"criteria", "overall"} & {key.strip().casefold() for key, _ in one.pairs})


def _is_copied(one: Found, shown: Sequence[str]) -> bool:
    """Whether an object stands word for word in what was shown: a quotation, not a verdict."""
    return any(plain(one.raw) in text for text in shown)


def _contradict(ballots: Sequence[Ballot]) -> bool:
    return len({(one.status, one.overall, _verdicts(one)) for one in ballots}) > 1


def _verdicts(ballot: Ballot) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((one.id, one.verdict) for one in ballot.criteria))


def _read(one: Found, rubric: Rubric, texts: Mapping[int, str]) -> Ballot:
    try:
        fields = _fields(one.pairs)
        criteria = _criteria(fields.get("criteria"), rubric)
        overall = _overall(fields.get("overall"), criteria, rubric)
        conflicts = _words(fields.get("conflicts"))
    except _Void as void:
        return Ballot(void.status, note=str(void))
    criteria = _looked_up(criteria, texts)
    fault = _quote_fault(criteria, rubric)
    if fault is not None:
        # What it said is kept beside it: which of its quotes stand nowhere is worth knowing.
        return Ballot(ReplyStatus.UNSUPPORTED, None, criteria, conflicts, fault)
    status = ReplyStatus.REPAIRED if one.repaired else ReplyStatus.OK
    return Ballot(status, overall, criteria, conflicts)


def _fields(pairs: Any) -> dict[str, Any]:
    if not isinstance(pairs, Pairs):
        raise _Void(ReplyStatus.UNPARSED, f"an object is wanted; got {type(pairs).__name__}")
    fields: dict[str, Any] = {}
    for name, value in pairs:
        key = name.strip().casefold()
        if key in fields and fields[key] != value:
            raise _Void(ReplyStatus.CONFLICT, f"{key} stands twice, with two values")
        fields[key] = value
    return fields


def _criteria(written: Any, rubric: Rubric) -> tuple[CriterionVote, ...]:
    if not isinstance(written, list) or isinstance(written, Pairs):
        raise _Void(ReplyStatus.UNPARSED, "criteria is no list")
    by_id = {one.id: one for one in rubric.criteria}
    votes: dict[str, CriterionVote] = {}
    for entry in written:
        fields = _fields(entry)
        name = fields.get("id")
        if not isinstance(name, str) or name not in by_id:
            raise _Void(ReplyStatus.UNPARSED, f"unknown criterion; got {name!r}"[:200])
        vote = _vote(fields, name, by_id[name].choices)
        if votes.setdefault(name, vote).verdict != vote.verdict:
            raise _Void(ReplyStatus.CONFLICT, f"{name} has two verdicts")
    missing = [name for name in by_id if name not in votes]
    if missing:
        raise _Void(ReplyStatus.UNPARSED, f"no verdict on {', '.join(missing)}")
    return tuple(votes[name] for name in by_id)


def _vote(fields: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> CriterionVote:
    status, verdict = read_label(fields.get("verdict"), (*choices, CANNOT_ASSESS))
    if status is not ReplyStatus.OK:
        got = repr(fields.get("verdict"))[:80]
        raise _Void(ReplyStatus.UNPARSED, f"{name}: no choice of this criterion; got {got}")
    evidence = fields.get("evidence") or []
    try:
        return CriterionVote(
            id=name,
            evidence=tuple(Citation.model_validate(_citation(one)) for one in evidence),
            reasoning=_text(fields.get("reasoning")),
            verdict=str(verdict),
            missing=_text(fields.get("missing")),
        )
    except (ValidationError, TypeError) as error:
        raise _Void(ReplyStatus.UNPARSED, f"{name}: evidence is no list of quotes") from error


def _citation(written: Any) -> dict[str, Any]:
    fields = _fields(written)
    step = fields.get("step")
    if isinstance(step, str):
        step = step.strip().removeprefix("[").removeprefix("S").removesuffix("]")
    return {"step": step, "quote": fields.get("quote")}


def _text(written: Any) -> str:
    return "" if written is None else str(written)


def _words(written: Any) -> tuple[str, ...]:
    listed = written if isinstance(written, list) and not isinstance(written, Pairs) else [written]
    return tuple(str(one) for one in listed if one)


def _overall(written: Any, criteria: Sequence[CriterionVote], rubric: Rubric) -> Overall:
    status, said = read_label(written, ("pass", "fail", "abstain"))
    if status is not ReplyStatus.OK:
        raise _Void(ReplyStatus.UNPARSED, f"overall is no verdict; got {written!r}"[:200])
    due = aggregated(criteria, rubric)
    if said != due:
        raise _Void(ReplyStatus.CONFLICT, f"overall is {said}, and its criteria come to {due}")
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


def is_supported(cited: Citation, texts: Mapping[int, str]) -> bool:
    """Whether the words stand in the step; parts around an ellipsis in their order."""
    text = plain(texts.get(cited.step, ""))
    parts = [plain(part) for part in _DOTS.split(cited.quote)]
    at = 0
    for part in filter(None, parts):
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return any(parts)


def plain(text: str) -> str:
    """Return a text without what differs between ways to copy it: case, blanks, quotation marks."""
    clean = unicodedata.normalize("NFKC", visible(text)).casefold()
    clean = re.sub(r"[\"'`“”„‘’*\\]", "", clean)
    return " ".join(clean.split())
