"""Which field of an object holds the verdict, and what does it say?"""

import re
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
from trajaudit.judge.reply import Found, Pairs

_KEYS = {
    "verdict": frozenset(
        {"verdict", "final_verdict", "overall", "overall_verdict", "decision", "label"}
        | {"judgement", "judgment", "grade", "result", "outcome"}
    ),
    "pairwise": frozenset(
        {"winner", "verdict", "final_verdict", "preference", "preferred", "choice"}
        | {"better", "decision"}
    ),
    "score": frozenset({"score", "final_score", "overall_score", "rating", "grade"}),
    "flag": frozenset({"pass", "passed", "passes", "verdict"}),
}
_WRAPPERS = {"evaluation", "assessment", "output", "response", "answer", "final", "judgement"}


def is_plain(one: Found, value: Value | None) -> bool:
    """Whether a repaired value stands in the broken text as one whole value."""
    if not isinstance(value, str):
        return True
    pattern = rf":\s*[\"'“‘]?\s*{re.escape(value)}\s*[\"'”’]?\s*(?:[,}}\n]|//|/\*|#)"
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
    one = {(read_value(value, protocol)) for value in given}
    if len(one) > 1:
        return ReplyStatus.CONFLICT, None
    return one.pop()


def read_value(value: Any, protocol: Protocol) -> Read:
    """Return what a value means in the protocol."""
    if isinstance(value, Pairs):
        return read_object(value, protocol) or UNREAD
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
