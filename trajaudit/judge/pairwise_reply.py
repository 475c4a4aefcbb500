"""Which of two trials does a reply prefer, its quotes checked and its letters mapped back?

Nothing is filled in: a criterion that is missing, a choice that is none, an `overall` that the
criteria deny, or a quote that does not stand in its step void the reply.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.judging import Citation, ReplyStatus
from trajaudit.datamodel.pairwise import Choice, PairCitation, PairRubric, Preference, Side
from trajaudit.judge.form import VoidReplyError, fields_of, listed, stated, text_of, words
from trajaudit.judge.pairwise_prompt import CHOICES, LETTERS
from trajaudit.judge.parse import is_revised
from trajaudit.judge.protocol import read_label
from trajaudit.judge.quote import is_supported, step_of
from trajaudit.judge.reply import Found, Pairs

_FIELDS = frozenset({"criteria", "overall"})
Texts = Mapping[Side, Mapping[int, str]]
"""Run → step → what was shown of it."""
Sides = Mapping[str, Side]
"""Letter → run."""


@dataclass(frozen=True)
class PairBallot:
    """What a reply says about two trials, or why it says nothing."""

    status: ReplyStatus
    choice: Choice | None = None
    criteria: tuple[Preference, ...] = ()
    conflicts: tuple[str, ...] = ()
    note: str = ""


def read_pair(
    reply: str | None,
    rubric: PairRubric,
    texts: Texts,
    sides: Sides,
    finish_reason: str | None = None,
) -> PairBallot:
    """Return what a reply prefers; never raises.

    Args:
        reply: the text as it came.
        rubric: what was asked.
        texts: quotes have to stand there; step 0 is the task, the same on both sides.
        sides: which run stood behind which letter.
        finish_reason: as the provider gave it.
    """
    shown = [text for side in texts.values() for text in side.values()]
    try:
        said = stated(reply, _FIELDS, shown, finish_reason)
    except VoidReplyError as void:
        return PairBallot(void.status, note=str(void))
    ballots = [_read(one, rubric, texts, sides) for one in said.objects]
    last = said.objects[-2:]
    if _contradict(ballots) and not is_revised(said.read, last[0].end, last[1].start):
        return PairBallot(ReplyStatus.CONFLICT, note="two replies in one, and no revision stated")
    return ballots[-1]


def _contradict(ballots: Sequence[PairBallot]) -> bool:
    said = {
        (one.status, one.choice, tuple(sorted((each.id, each.verdict) for each in one.criteria)))
        for one in ballots
    }
    return len(said) > 1


def _read(one: Found, rubric: PairRubric, texts: Texts, sides: Sides) -> PairBallot:
    try:
        fields = fields_of(one.pairs)
        criteria = _criteria(fields.get("criteria"), rubric, sides)
        choice = _overall(fields.get("overall"), criteria, sides)
        _check_quotes(criteria, texts)
    except VoidReplyError as void:
        return PairBallot(void.status, note=str(void))
    status = ReplyStatus.REPAIRED if one.repaired else ReplyStatus.OK
    return PairBallot(status, choice, criteria, words(fields.get("conflicts")))


def _criteria(written: Any, rubric: PairRubric, sides: Sides) -> tuple[Preference, ...]:
    names = [one.id for one in rubric.criteria]
    found: dict[str, Preference] = {}
    for entry in listed(written, "criteria"):
        fields = fields_of(entry)
        name = fields.get("id")
        if not isinstance(name, str) or name not in names:
            raise VoidReplyError(ReplyStatus.UNPARSED, f"unknown criterion; got {name!r}"[:200])
        one = _preference(fields, name, sides)
        if found.setdefault(name, one).verdict != one.verdict:
            raise VoidReplyError(ReplyStatus.CONFLICT, f"{name} has two verdicts")
    missing = [name for name in names if name not in found]
    if missing:
        raise VoidReplyError(ReplyStatus.UNPARSED, f"no verdict on {', '.join(missing)}")
    return tuple(found[name] for name in names)


def _preference(fields: Mapping[str, Any], name: str, sides: Sides) -> Preference:
    evidence = fields.get("evidence") or []
    try:
        return Preference(
            id=name,
            evidence=tuple(_citation(one, sides) for one in evidence),
            reasoning=text_of(fields, "reasoning"),
            verdict=_choice(fields.get("verdict"), sides, name),
            missing=text_of(fields, "missing"),
        )
    except (ValidationError, TypeError) as error:
        note = f"{name}: evidence is no list of quotes"
        raise VoidReplyError(ReplyStatus.UNPARSED, note) from error


def _citation(written: Any, sides: Sides) -> PairCitation:
    fields = fields_of(written)
    step = step_of(fields.get("step"))
    status, letter = read_label(fields.get("trial"), LETTERS)
    task = step in (0, "0")
    if status is not ReplyStatus.OK and not task:
        got = repr(fields.get("trial"))[:80]
        raise VoidReplyError(ReplyStatus.UNPARSED, f"a quote names its trial, A or B; got {got}")
    side = None if task else sides[str(letter)]
    return PairCitation.model_validate({"side": side, "step": step, "quote": fields.get("quote")})


def _choice(written: Any, sides: Sides, name: str) -> Choice:
    status, said = read_label(written, CHOICES)
    if status is not ReplyStatus.OK or isinstance(written, Pairs):
        raise VoidReplyError(ReplyStatus.UNPARSED, f"{name}: no choice; got {written!r}"[:200])
    if said in LETTERS:
        return sides[str(said)]
    return "tie" if said == "tie" else "cannot_tell"


def _overall(written: Any, criteria: Sequence[Preference], sides: Sides) -> Choice:
    said = _choice(written, sides, "overall")
    due = preferred(criteria)
    if said != due:
        letters: dict[str, str] = {side: letter for letter, side in sides.items()}
        told = [letters.get(one, one) for one in (said, due)]
        note = f"overall is {told[0]}, and its criteria come to {told[1]}"
        raise VoidReplyError(ReplyStatus.CONFLICT, note)
    return due


def preferred(criteria: Sequence[Preference]) -> Choice:
    """Return what the criteria come to, most important first: the first that is no tie decides."""
    return next((one.verdict for one in criteria if one.verdict != "tie"), "tie")


def _check_quotes(criteria: Sequence[Preference], texts: Texts) -> None:
    for one in criteria:
        for cited in one.evidence:
            there = texts["a" if cited.side is None else cited.side]
            if not is_supported(Citation(step=cited.step, quote=cited.quote), there):
                note = f"{one.id}: step {cited.step} of that trial does not hold {cited.quote!r}"
                raise VoidReplyError(ReplyStatus.UNSUPPORTED, note[:300])
        if one.verdict in ("a", "b") and not one.evidence:
            raise VoidReplyError(ReplyStatus.UNSUPPORTED, f"{one.id} is decided without a quote")
