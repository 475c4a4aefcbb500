"""Where does a reply state a verdict, and does it stand by it?

A claim that is a quotation, an example of the form, or a guess on the way commits to nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.judging import ReplyStatus
from trajaudit.judge.protocol import (
    UNREAD,
    Protocol,
    Read,
    Value,
    read_flag,
    read_label,
    read_score,
)
from trajaudit.judge.reply import Found, Pairs, Scan

_KEYS = {
    "verdict": ("verdict", "final_verdict", "overall", "overall_verdict", "decision", "label")
    + ("judgement", "judgment", "grade", "result", "outcome"),
    "pairwise": ("winner", "verdict", "final_verdict", "preference", "preferred", "choice")
    + ("better", "decision"),
    "score": ("score", "final_score", "overall_score", "rating", "grade"),
    "flag": ("pass", "passed", "passes", "verdict"),
}
_WRAPPERS = {"evaluation", "assessment", "output", "response", "answer", "final", "judgement"}
_TENTATIVE = re.compile(
    r"\b(?:might|may|could|would|seems?|seemed|at first|first sight|initially|tempted|tempting|if"
    r"|unless|perhaps|maybe|possibly|leaning|one could|instead of|rather than|almost|not|isn't"
    r"|cannot|can't|don't|won't|never|avoid|whether|first impression|on the face|for example|e\.g)"
    r"\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:example|format|template|schema|for instance|e\.g\.|such as|instruct\w*|asked to"
    r"|must (?:reply|answer|respond|be)|should (?:reply|answer|respond|look)|of the form|like this"
    r"|reply with|respond with)\b[^\n]{0,60}\n?\s*(?:`{3,}\w*\s*)?$",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:tool|agent|candidate|assistant|log|observation|transcript|trajectory|page|file|user"
    r"|answer|step \d+|it|reply|message|attacker|text|data)\b[^.\n]{0,60}"
    r"\b(?:said|says|wrote|writes|returned|returns|replied|contains|contained|claimed|claims"
    r"|printed|prints|shows|showed|included|includes|injected|ends with|ended with|reads"
    r"|tells?|told|asks|asked|output)\b[^\n]{0,40}\n?\s*(?:`{3,}\w*\s*)?$",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"(?<![A-Za-z])(?:(?:final|overall)\s+(?:answer|result|assessment|rating|grade|verdict"
    r"|decision|judge?ment|label)|verdict|decision|judge?ment|label|conclusion|answer)"
    r"[*_`\"']*\s*(?:(?::|=|->|→)\s*(?:is\b)?|\bis\b\s*:?)",
    re.IGNORECASE,
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
_LINE = re.compile(r"[ \t]*\n?[ \t]*([^\n]*)")
_STOP = re.compile(r"[.!?;](?=\s|$)|,\s|\s[-–—]+\s|\s\(|\s(?=because\b|since\b|as\b|due\b)")
_OR = re.compile(r"\s*[*_`\"')\]]*\s*(?:/|\||\bor\b|\bto\b|-|–)\s*[*_`\"'(\[]*\s*(\w[\w.]*)")


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
        if one.repaired and not _is_plain(one, value):
            status, value = UNREAD
        before = scan.whole[max(0, one.start - 120) : one.start]
        firm = _EXAMPLE.search(before) is None and _REPORTED.search(before) is None
        yield Claim(one.start, one.end, status, value, firm=firm, repaired=one.repaired)


def _is_plain(one: Found, value: Value | None) -> bool:
    """Whether a repaired value stands in the broken text as one whole value."""
    if not isinstance(value, str):
        return True
    pattern = rf":\s*[\"'“‘]?\s*{re.escape(value)}\s*[\"'”’]?\s*(?:[,}}\n]|//|#)"
    return re.search(pattern, one.raw, re.IGNORECASE) is not None


def read_object(pairs: Pairs, protocol: Protocol) -> Read | None:
    """Return what an object states; None where it has no field for a verdict."""
    fields = [(key.strip().casefold().replace(" ", "_"), value) for key, value in pairs]
    if protocol.kind == "pass_and_score":
        return _flag_and_score(fields, protocol)
    keys = _KEYS["score" if protocol.kind == "score" else protocol.kind]
    given = [value for key, value in fields if key in keys]
    if not given:
        return _in_wrapper(fields, protocol)
    one = {(_read(value, protocol)) for value in given}
    if len(one) > 1:
        return ReplyStatus.CONFLICT, None
    return one.pop()


def _read(value: Any, protocol: Protocol) -> Any:
    if protocol.kind == "score":
        return read_score(value, protocol)
    return read_label(value, protocol.labels)


def _in_wrapper(fields: list[tuple[str, Any]], protocol: Protocol) -> Read | None:
    inner = [
        value
        for key, value in fields
        if isinstance(value, Pairs) and (key in _WRAPPERS or len(fields) == 1)
    ]
    return read_object(inner[0], protocol) if len(inner) == 1 else None


def _flag_and_score(fields: list[tuple[str, Any]], protocol: Protocol) -> Read | None:
    flags = [value for key, value in fields if key in _KEYS["flag"]]
    scores = [value for key, value in fields if key in _KEYS["score"]]
    if not flags and not scores:
        return _in_wrapper(fields, protocol)
    return joined(flags, scores, protocol)


def joined(flags: list[Any], scores: list[Any], protocol: Protocol) -> Read:
    """Return flag and score together, which have to be there once and agree."""
    told = {read_flag(value) for value in flags}
    read = {read_score(value, protocol) for value in scores}
    if len(told) > 1 or len(read) > 1:
        return ReplyStatus.CONFLICT, None
    if not told or not read or None in told:
        return UNREAD
    flag, (status, score) = told.pop(), read.pop()
    if status is not ReplyStatus.OK or not isinstance(score, float) or flag is None:
        return status, None
    if flag != (score >= protocol.threshold):
        return ReplyStatus.CONFLICT, None
    return ReplyStatus.OK, {"pass": flag, "score": score}


def _in_prose(scan: Scan, protocol: Protocol) -> Iterator[Claim]:
    if protocol.kind == "pass_and_score":
        yield from _flag_lines(scan, protocol)
        return
    for match in marker_of(protocol).finditer(scan.text):
        line = _LINE.match(scan.text, match.end())
        written = line[1] if line else ""
        status, value = _stated(written, protocol)
        yield Claim(match.start(), match.end(), status, value, firm=is_firm(scan.text, match))
    if protocol.kind != "grade_line":
        for match in _BRACKET.finditer(scan.text):
            status, value = _read(match[1], protocol)
            yield Claim(match.start(), match.end(), status, value, firm=is_firm(scan.text, match))
        for match in _TAG.finditer(scan.text):
            status, value = _read(match[2], protocol)
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
    text = written.strip().lstrip("*_`\"'“[($<#: ")
    if protocol.kind == "score":
        number = re.match(r"[-+]?\d*\.?\d+(?:\s*(?:/|out of)\s*\d+(?:\.\d+)?)?(?![\w%])", text)
        if number is None or _has_other(text[number.end() :], protocol):
            return UNREAD
        return read_score(number[0], protocol)
    for part in (text, *(text[: stop.start()] for stop in _STOP.finditer(text))):
        read = read_label(part, protocol.labels)
        if read is not UNREAD:
            return read
    word = re.match(r"(?:the |a |an )?(\w+)", text)
    if word is None or _has_other(text[word.end() :], protocol) or not _ends(text, word.end()):
        return UNREAD
    return read_label(word[1], protocol.labels)


def _ends(text: str, at: int) -> bool:
    """Whether a word is all that is said: a sign or the end follows, no further word."""
    return re.match(r"[*_`\"'”’\])$]*\s*(?:$|[.,;:!?(\n]|[-–—]\s)", text[at:]) is not None


def _has_other(rest: str, protocol: Protocol) -> bool:
    other = _OR.match(rest)
    if other is None:
        return False
    if protocol.kind == "score":
        return re.match(r"[-+]?\d", other[1]) is not None
    return True if rest.lstrip()[:1] in "/|" else read_label(other[1], protocol.labels) != UNREAD


def is_firm(text: str, match: re.Match[str]) -> bool:
    """Whether the reply stands by what it states there."""
    line_start = text.rfind("\n", 0, match.start()) + 1
    before = text[line_start : match.start()]
    if before.lstrip().startswith(">") or _is_quoted(text, line_start, match):
        return False
    if _EXAMPLE.search(text[max(0, match.start() - 120) : match.start()]):
        return False
    sentence = re.split(r"[.!?;]\s|,?\s(?:but|still|yet|however)\b", before)[-1]
    if _REPORTED.search(sentence):
        return False
    return _TENTATIVE.search(sentence) is None


def _is_quoted(text: str, line_start: int, match: re.Match[str]) -> bool:
    """Whether a quotation opens before it on its line, with words before the quotation."""
    end = text.find("\n", match.end())
    line = text[line_start : end if end >= 0 else len(text)]
    at = match.start() - line_start
    for quote in re.finditer(r"\"[^\"]*\"|“[^”]*”|`[^`]+`|(?<!\w)'[^']*'(?!\w)", line):
        if quote.start() < at < quote.end():
            rest = line[: quote.start()] + line[quote.end() :]
            return re.search(r"\w", rest) is not None
    return False


def _bare(scan: Scan, protocol: Protocol) -> Iterator[Claim]:
    """A reply that is nothing but its verdict, maybe in a fence."""
    text = re.sub(r"^\s*`{3,}\w*\s*|\s*`{3,}\s*$", "", scan.text)
    if protocol.kind in {"grade_line", "pass_and_score"} or scan.objects:
        return
    read = _read(text, protocol)
    if read != UNREAD:
        yield Claim(0, len(scan.text), *read)
