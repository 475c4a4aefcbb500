"""Which verdict does a judge's reply commit to? Where it commits to none, which status says why.

The last committed verdict counts where all agree or a revision is stated. What is not allowed
there is never replaced by an earlier verdict, moved onto the scale or given a default.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.claim import Claim, claims_of
from trajaudit.judge.comparison import compared
from trajaudit.judge.protocol import Protocol, Value
from trajaudit.judge.reply import Pairs, Scan, scan
from trajaudit.judge.standing import REVISED, denied

_REFUSED = re.compile(
    r"\b(?:i\s*(?:'m| am)? ?(?:sorry|unable|not able)|i (?:cannot|can't|can not|won't|will not|must"
    r" decline|decline|refuse)|as an ai|apologi[sz]e|not (?:something|comfortable)|against my"
    r"|unable to (?:assist|help|evaluate|comply|judge|grade))\b",
    re.IGNORECASE,
)
_THEREFORE = re.compile(
    r"\b(?:therefore|thus|hence|consequently|so)\b,? "
    r"(?P<said>(?:the |this |it |its |my )[^.!?]{0,60}?"
    r"\b(?P<word>pass(?:es|ed)?|fail(?:s|ed)?))\s*(?:[.!]|$)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not?|never|cannot|without|n't|nothing|none|claim\w*|says|said|thinks?|believes?"
    r"|expected|supposed)\b|n't",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_REASONS = {"reason", "reasoning", "justification", "explanation", "rationale", "comment"}


@dataclass(frozen=True)
class Parsed:
    """What a reply is worth."""

    status: ReplyStatus
    value: Value | None = None
    note: str = ""

    @property
    def counts(self) -> bool:
        return self.status.counts


def parse(reply: str | None, protocol: Protocol, finish_reason: str | None = None) -> Parsed:
    """Return the verdict of a reply, or why there is none; never raises.

    Args:
        reply: the text as it came; None where the provider sent none.
        protocol: the form that was asked for.
        finish_reason: `length` where the output limit cut it, `content_filter` where it was held
            back.
    """
    if finish_reason == "content_filter":
        return Parsed(ReplyStatus.REFUSED, note="held back by the provider's filter")
    if reply is None or not reply.strip():
        return Parsed(ReplyStatus.EMPTY, note="no text")
    read = scan(reply)
    if not read.whole.strip():
        return Parsed(ReplyStatus.EMPTY, note="nothing but invisible characters or thinking")
    return _cut_off(read, finish_reason) or _settled(read, protocol)


def broken_off(read: Scan, finish_reason: str | None) -> Parsed | None:
    """Return why a reply of objects commits to nothing: it was cut, is empty, or denies itself."""
    cut = _cut_off(read, finish_reason)
    note = denied(read) if cut is None else None
    return cut if note is None else Parsed(ReplyStatus.CONFLICT, note=note)


def _cut_off(read: Scan, finish_reason: str | None) -> Parsed | None:
    if read.cut is not None:
        return Parsed(ReplyStatus.TRUNCATED, note=f"the {read.cut} never ends")
    if finish_reason == "length" and not _is_one_object(read):
        return Parsed(ReplyStatus.TRUNCATED, note="the output limit cut the reply")
    if not read.text.strip() and not read.objects:
        return Parsed(ReplyStatus.EMPTY, note="nothing but thinking")
    return None


def _is_one_object(read: Scan) -> bool:
    return len(read.objects) == 1 and not read.text.strip(" \t\r\n`") and not read.cut


def _settled(read: Scan, protocol: Protocol) -> Parsed:
    stated = claims_of(read, protocol)
    claims = [claim for claim in stated if claim.firm]
    if not claims and not stated:
        claims = compared(read.text, protocol)
    if not claims:
        return nothing_read(read)
    last = claims[-1]
    if last.status is not ReplyStatus.OK:
        return Parsed(last.status, note="the last verdict is none of the protocol")
    if _differs(claims, read):
        return Parsed(ReplyStatus.CONFLICT, note="two verdicts, and no revision is stated")
    if _denies_itself(read, last):
        return Parsed(ReplyStatus.CONFLICT, note="the reasons end in the opposite verdict")
    return Parsed(ReplyStatus.REPAIRED if last.repaired else ReplyStatus.OK, last.value)


def nothing_read(read: Scan) -> Parsed:
    """Return what a reply without a verdict is."""
    if not read.objects and _REFUSED.search(read.text):
        return Parsed(ReplyStatus.REFUSED, note="the judge declines")
    return Parsed(ReplyStatus.UNPARSED, note="no verdict in the form that was asked for")


def _differs(claims: Sequence[Claim], read: Scan) -> bool:
    """Whether an earlier verdict stands against the last one without being taken back."""
    last = claims[-1]
    others = [at for at, claim in enumerate(claims) if claim.value != last.value]
    if not others:
        return False
    latest = others[-1]
    return not is_revised(read, claims[latest].end, claims[latest + 1].end)


def is_revised(read: Scan, start: int, end: int) -> bool:
    """Whether the words between two places take back what stood before."""
    return REVISED.search(read.text[start:end]) is not None


def _denies_itself(read: Scan, last: Claim) -> bool:
    if last.value not in ("pass", "fail"):
        return False
    found = next((one for one in read.objects if one.start == last.at), None)
    reasons = _reasons(found.pairs) if found else [read.text]
    for reason in reasons:
        for match in _THEREFORE.finditer(_QUOTED.sub(" ", reason)):
            says = "pass" if match["word"].casefold().startswith("pass") else "fail"
            if says != last.value and not _DENIED.search(match["said"]):
                return True
    return False


def _reasons(pairs: Pairs) -> list[str]:
    return [
        value
        for key, value in pairs
        if key.strip().casefold() in _REASONS and isinstance(value, str)
    ]
