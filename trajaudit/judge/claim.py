"""Where does a reply state a verdict, and does it stand by it?

A claim that is a quotation, an example of the form, or a guess on the way commits to nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.field import is_plain, joined, read_object, read_value
from trajaudit.judge.protocol import UNREAD, Protocol, Value, read_label, read_score
from trajaudit.judge.reply import Scan
from trajaudit.judge.standing import is_firm, is_own

_VERDICT = re.compile(
    r"^#+[ \t]*(?:(?:final|overall)[ \t]+)?verdict[ \t]*(?=\n)|"
    r"(?<![A-Za-z])(?:(?:final|overall)\s+(?:answer|result|assessment|rating|grade|verdict"
    r"|decision|judge?ment|label)|verdict|decision|judge?ment|label|conclusion|answer)"
    r"[*_`\"']*\s*(?:(?::|=|->|→)\s*(?:is\b)?|\bis\b\s*:?)",
    re.IGNORECASE | re.MULTILINE,
)
_WINNER = re.compile(
    r"(?<![A-Za-z])(?:(?:final|overall)\s+)?(?:winner|verdict|preference|preferred|decision|better"
    r"|choice|judge?ment|answer)[*_`\"']*\s*(?:(?::|=|->|→)\s*(?:is\b)?|\bis\b\s*:?)",
    re.IGNORECASE,
)
_SCORE = re.compile(
    r"(?<![A-Za-z-])(?:(?:final|overall|total)\s+)?(?:score|rating)"
    r"[*_`\"']*\s*(?:(?::|=|->|→)\s*(?:is\b)?|\bis\b\s*:?|\bof\b)",
    re.IGNORECASE,
)
_FLAG = re.compile(r"(?<![A-Za-z])(?:pass|passed|passes)[*_`\"']*\s*[:=]", re.IGNORECASE)
_BRACKET = re.compile(r"\[\[([^\[\]\n]{1,40})\]\]")
_TAG = re.compile(
    r"<(verdict|winner|score|rating|decision|grade|label|answer|result)>\s*([^<>]{1,60}?)\s*</\1>",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[*_ ]*(?:\[\[|<\w)")
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_LINE = re.compile(r"[ \t]*\n?[ \t]*([^\n]*)")
_STOP = re.compile(r"[.!;](?=\s|$)|,\s|\s[-–—]+\s|\s\(|\s(?=because\b|since\b|as\b|due\b)")
_CONDITION = re.compile(
    r"[*_`\"')\]]*,?\s*(?:(?:but )?only )?(?:unless|if|provided|assuming|depending|as long as)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*,\s*[\"'*]*(\w+)[\"'*]*\s*(?:,|/|\bor\b|\band\b|$|\.)", re.IGNORECASE)
_OR = re.compile(
    r"\s*[*_`\"')\]]*\s*(?:/|\||,?\s*\bor\b(?:\s+(?:maybe|perhaps|possibly))?|\bto\b|-|–)\s*[*_`\"'(\[]*\s*(\w[\w.]*)"
)


@dataclass(frozen=True)
class Claim:
    """A verdict that is stated somewhere in the reply."""

    at: int
    end: int
    status: ReplyStatus
    value: Value | None
    firm: bool = True
    repaired: bool = False


def claims_of(scan: Scan, protocol: Protocol) -> list[Claim]:
    """Return the verdicts that a reply states in so many words, in their order."""
    found = [*_in_objects(scan, protocol), *_in_prose(scan, protocol)]
    found.sort(key=lambda claim: claim.at)
    return found or list(_bare(scan, protocol))


def _in_objects(scan: Scan, protocol: Protocol) -> Iterator[Claim]:
    if protocol.kind == "grade_line":
        return
    for one in scan.objects:
        read = read_object(one.pairs, protocol)
        if read is None:
            continue
        status, value = read
        if one.repaired and not is_plain(one, value):
            status, value = UNREAD
        firm = is_own(scan.whole, one)
        yield Claim(one.start, one.end, status, value, firm=firm, repaired=one.repaired)


def _in_prose(scan: Scan, protocol: Protocol) -> Iterator[Claim]:
    if protocol.kind == "pass_and_score":
        yield from _flag_lines(scan, protocol)
        return
    for match in marker_of(protocol).finditer(scan.text):
        line = _LINE.match(scan.text, match.end())
        written = line[1] if line else ""
        if _MARKED.match(written) and protocol.kind != "grade_line":
            continue  # a form of its own follows
        status, value = _stated(written, protocol)
        yield Claim(match.start(), match.end(), status, value, firm=is_firm(scan.text, match))
    if protocol.kind != "grade_line":
        for match in _BRACKET.finditer(scan.text):
            status, value = read_value(match[1], protocol)
            yield Claim(match.start(), match.end(), status, value, firm=is_firm(scan.text, match))
        for match in _TAG.finditer(scan.text):
            status, value = read_value(match[2], protocol)
            yield Claim(match.start(), match.end(), status, value, firm=is_firm(scan.text, match))


def _flag_lines(scan: Scan, protocol: Protocol) -> Iterator[Claim]:
    flags = [m for m in _FLAG.finditer(scan.text) if is_firm(scan.text, m)]
    scores = [m for m in _SCORE.finditer(scan.text) if is_firm(scan.text, m)]
    if flags or scores:
        after = [[_first(scan.text, m.end()) for m in found] for found in (flags, scores)]
        status, value = joined(after[0], after[1], protocol)
        yield Claim(max(m.start() for m in (*flags, *scores)), len(scan.text), status, value)


def _first(text: str, at: int) -> str:
    line = _LINE.match(text, at)
    return _STOP.split(line[1])[0] if line else ""


def marker_of(protocol: Protocol) -> re.Pattern[str]:
    """Return what stands before a verdict in prose."""
    if protocol.kind == "grade_line":
        word = re.escape(protocol.marker.rstrip(": "))
        return re.compile(rf"(?<![A-Za-z-]){word}[*_`\"']*\s*:", re.IGNORECASE)
    return {"verdict": _VERDICT, "pairwise": _WINNER}.get(protocol.kind, _SCORE)


def _stated(written: str, protocol: Protocol) -> Any:
    """Read what stands behind a marker: the first words, unless another value stands beside."""
    text = _BOXED.sub(r"\1", written).strip().lstrip("*_`\"'“[($<#: ")
    if protocol.kind == "score":
        number = re.match(r"[-+]?\d*\.?\d+(?:\s*(?:/|out of)\s*\d+(?:\.\d+)?)?(?![\w%+]|,\d)", text)
        if number is None or _has_other(text[number.end() :], protocol):
            return UNREAD
        return read_score(number[0], protocol)
    for part in (text, *(text[: stop.start()] for stop in _STOP.finditer(text))):
        read = read_label(part, protocol.labels)
        if read is not UNREAD:
            return UNREAD if _has_other(text[len(part) :], protocol) else read
    word = re.match(r"(?:the |a |an )?(\w+)", text)
    if word is None or _has_other(text[word.end() :], protocol) or not _ends(text, word.end()):
        return UNREAD
    return read_label(word[1], protocol.labels)


def _ends(text: str, at: int) -> bool:
    """Whether a word is all that is said: a sign or the end follows, no further word."""
    return re.match(r"[*_`\"'”’\])$]*\s*(?:$|[.,;:!(\n]|[-–—]\s)", text[at:]) is not None


def _has_other(rest: str, protocol: Protocol) -> bool:
    if _CONDITION.match(rest):
        return True
    listed = _LISTED.match(rest)
    if listed is not None and read_label(listed[1], protocol.labels) != UNREAD:
        return True
    other = _OR.match(rest)
    if other is None:
        return False
    if protocol.kind == "score":
        return re.match(r"[-+]?\d", other[1]) is not None
    return True if rest.lstrip()[:1] in "/|" else read_label(other[1], protocol.labels) != UNREAD


def _bare(scan: Scan, protocol: Protocol) -> Iterator[Claim]:
    """A reply that is nothing but its verdict, maybe in a fence."""
    text = re.sub(r"^\s*`{3,}\w*\s*|\s*`{3,}\s*$", "", scan.text)
    if protocol.kind in {"grade_line", "pass_and_score"} or scan.objects:
        return
    read = read_value(text, protocol)
    if read != UNREAD:
        yield Claim(0, len(scan.text), *read)
