"""To which value does a reply commit itself, in the end?

The last announced value counts, unless it is withdrawn or corrected after it; values of thinking
blocks, quotes and recited examples do not count; without an announcement the prose is read. What
was cut before it was complete commits to nothing.
"""

import re
from typing import NamedTuple

from trajaudit.score.extract.found import Found, Reader, State
from trajaudit.score.extract.json_answer import JsonAnswer, json_answer
from trajaudit.score.extract.marker import Marked, marked_segments, reply_end, with_declared
from trajaudit.score.extract.read_json import JsonReader
from trajaudit.score.extract.sentence import (
    CONCLUSION,
    CONFIRMATION,
    CORRECTION,
    REFUSAL,
    WITHDRAWAL,
    sentences,
)
from trajaudit.score.extract.visible import visible

READ = 200_000
"""So many characters from the end are read; whoever judges says so when a reply is longer."""
_TAIL = 100_000
"""So many characters from the end are read as prose."""
_CLAIMS = 60
"""So many markers from the end are read."""


class Reading(NamedTuple):
    """What a reply commits to, as a careful person reads it."""

    status: str
    """`value`, `ambiguous` or `no_answer`."""
    found: Found | None = None
    how: str = ""
    """`word`, `heading`, `hashes`, `tag`, `box`, `json`, `prose` or `correction`."""
    label: str | None = None
    """Why there is no value, or what became of an earlier one."""
    earlier: tuple[Found, ...] = ()
    """Values announced before, in order, that the reply gave up."""

    @property
    def plain(self) -> str | None:
        return self.found.plain if self.found else None


def read_reply(
    reply: str,
    reader: Reader,
    *,
    finish_reason: str | None = None,
    answer_format: str | None = None,
) -> Reading:
    """The reading of a whole reply; never raises for any text."""
    seen = visible(reply)
    if not seen.text.strip():
        label = "truncated" if seen.unclosed or finish_reason == "length" else "empty"
        return Reading("no_answer", label=label)
    cut = finish_reason in ("length", "max_tokens") or (seen.unclosed and finish_reason is None)
    text = seen.text[-READ:]
    text = text[: reply_end(text)].rstrip()
    in_json = json_answer(text)
    if in_json is not None and in_json.cut:
        return Reading("no_answer", label="truncated")
    if isinstance(reader, JsonReader):
        in_json = None
    marked = with_declared(marked_segments(text), text, answer_format)
    if in_json is not None and not any(one.start > in_json.end for one in marked):
        return _of_json(in_json, reader, text)
    return _of_text(text, marked, reader, cut=cut)


def _of_json(answer: JsonAnswer, reader: Reader, text: str) -> Reading:
    found = reader.marked(answer.text or "") if answer.text else None
    quote = text[answer.start : answer.end].strip()[:300]
    return _finish(found._replace(quote=quote) if found else None, "json", ())


def _of_text(text: str, marked: list[Marked], reader: Reader, *, cut: bool) -> Reading:
    claims = _claims(text, marked[-_CLAIMS:], reader, cut=cut)
    if not claims:
        return _unmarked(text, reader, cut=cut)
    last, found = claims[-1]
    earlier = tuple(one for _, one in claims[:-1] if one is not None and one.state is State.VALUE)
    if found is None:
        return Reading("no_answer", None, last.form, "truncated" if cut else "refused", earlier)
    return _corrected(text, last, found, reader, earlier)


def _claims(
    text: str, marked: list[Marked], reader: Reader, *, cut: bool
) -> list[tuple[Marked, Found | None]]:
    """Announcements that were read; None where the last words refuse, or were cut."""
    claims: list[tuple[Marked, Found | None]] = []
    for one in marked:
        if one.attributed:
            continue
        found = reader.marked(one.segment)
        if (
            found is None
            and one.form in ("word", "heading", "tag", "declared")
            and REFUSAL.search(one.segment[:200])
        ):
            claims.append((one, None))
            continue
        if found is None or (one.form == "hashes" and not _begins(one.segment)):
            continue
        unfinished = (
            cut
            and one.form in ("word", "heading", "hashes", "declared")
            and not text[one.end :].strip()
        )
        unfinished = unfinished and not re.search(r"[.!?)\]}][\s*_`$]*$", one.segment)
        claims.append((one, None if unfinished else found))
    return claims


def _begins(segment: str) -> bool:
    """A heading `#### Step 2` announces nothing; `#### 42` does."""
    return not re.match(
        r"(?i)[\s*_]*(?:step|part|case|method|solution|check|explanation|\d+[.)]\s)", segment
    )


def _corrected(
    text: str, last: Marked, found: Found, reader: Reader, earlier: tuple[Found, ...]
) -> Reading:
    """Look behind the last announcement for a correction or a withdrawal."""
    tail = text[last.claimed :][-_TAIL:]
    cue = CORRECTION.search(tail)
    if cue is None:
        return _finish(found, last.form, earlier)
    later = reader.prose(tail[cue.start() :])
    if later is not None and later.state is State.VALUE and later.value == found.value:
        return _finish(found, last.form, earlier)
    rest = tail[cue.end() :]
    if CONFIRMATION.search(rest) and not WITHDRAWAL.search(tail):
        return _finish(found, last.form, earlier)
    if later is not None and _corrects(cue[0], later):
        return _finish(later, "correction", (*earlier, found))
    if WITHDRAWAL.search(tail):
        return Reading("no_answer", None, "correction", "retracted", (*earlier, found))
    return _finish(found, last.form, earlier)


_WEAK_CUE = re.compile(r"(?i)\b(?:actually|in fact|rather|better|updated?|revised|so|其实)\W*$")
_CLAIMS_VALUE = re.compile(
    r"(?i)\b(?:it|that|answer|result|total|value|number|sum|count)\b.{0,30}\b(?:is|be|was|equals|comes)\b"
    r"|\bit's\b|\bshould be\b|\bmake (?:it|that)\b|=|是|为"
)


def _corrects(cue: str, later: Found) -> bool:
    """`Actually` also opens small talk: then only words that claim a value correct one."""
    if later.state is State.DENIED or later.weak:
        return False
    weak = _WEAK_CUE.search(cue) is not None
    return not weak or len(later.quote.split()) <= 5 or bool(_CLAIMS_VALUE.search(later.quote))


def _unmarked(text: str, reader: Reader, *, cut: bool) -> Reading:
    if cut:
        return Reading("no_answer", label="truncated")
    found = reader.prose(text[-_TAIL:])
    if found is not None and _is_declined(text, found):
        return Reading("no_answer", found, "prose", "refused")
    if found is None or found.state is State.DENIED:
        refused = bool(REFUSAL.search(text[-_TAIL:]))
        denied = found is not None
        return Reading(
            "no_answer", found, "prose", "refused" if refused and not denied else "no_answer"
        )
    return _finish(found, "prose", ())


_DECLINES = re.compile(
    r"(?i)^\W*(?:(?:i'm|i am) (?:very |so )?sorry\b|sorry\b|unfortunately\b|apologies\b)?"
    r"[\s,.]*(?:but )?"
    r"(?:i|we) (?:cannot|can't|can not|won't|will not|am unable to|am not able to|must decline to)"
    r" (?:help|assist|comply|fulfil\w*|(?:do|answer|provide) (?:that|this))\b"
    r"(?!.*\b(?:but|however)\b)"
)
_MAY_DECLINE = re.compile(r"(?i)\W*(?:i|we|but|sorry|unfortunately|apologies)\b")


def _is_declined(text: str, found: Found) -> bool:
    """A reply that opens by declining answers nothing, unless it concludes all the same."""
    if not _MAY_DECLINE.match(text):
        return False
    head = next(iter(sentences(text)), None)
    return (
        head is not None
        and _DECLINES.search(head.text) is not None
        and CONCLUSION.search(found.quote) is None
    )


def _finish(found: Found | None, how: str, earlier: tuple[Found, ...]) -> Reading:
    if found is None or found.state is State.DENIED:
        return Reading("no_answer", found, how, "no_answer", earlier)
    if found.state is State.AMBIGUOUS:
        return Reading("ambiguous", found, how, None, earlier)
    return Reading("value", found, how, None, earlier)
