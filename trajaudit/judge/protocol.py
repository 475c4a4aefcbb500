"""What form a verdict has, and what a written value means in it. No value has a default."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trajaudit.datamodel.judging import ReplyStatus

Kind = Literal["verdict", "pairwise", "grade_line", "score", "pass_and_score"]
Value = str | float | dict[str, float | bool]
Read = tuple[ReplyStatus, Value | None]

UNREAD: Read = (ReplyStatus.UNPARSED, None)
_WORDS: dict[str, tuple[str, ...]] = {
    "pass": ("passed", "passes", "✅ pass", "pass ✅"),
    "fail": ("failed", "fails", "❌ fail", "fail ❌"),
    "tie": ("tied", "draw", "a tie", "a draw"),
    "c": ("correct",),
    "i": ("incorrect",),
    "p": ("partial", "partially correct", "partially"),
    "n": ("no answer", "noanswer"),
}
_CANDIDATE = r"(?:assistant|response|model|answer|candidate|agent|option|trajectory|output)"
_DRESS = " \t\r\n*_`\"'“”‘’.,;:!()[]<>$#"
_NUMBER = re.compile(
    r"(?P<value>[-+]?\d+(?:\.\d+)?|[-+]?\.\d+)(?:\s*(?:/|out of|of)\s*(?P<most>\d+(?:\.\d+)?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The form that a judge was asked for."""

    kind: Kind
    labels: tuple[str, ...] = ()
    marker: str = ""
    """Of `grade_line`: what stands before the label, with its colon."""
    low: float = 0.0
    high: float = 1.0
    threshold: float = 0.5
    """Of `pass_and_score`: the least score that passes."""


def read_label(written: Any, labels: Sequence[str]) -> Read:
    """Return the label that a whole value is; a part of a value is never one."""
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    if not isinstance(written, str):
        return UNREAD
    text = " ".join(written.strip(_DRESS).replace("_", " ").split()).casefold()
    for label in labels:
        if text in _spellings(label):
            return ReplyStatus.OK, label
    return UNREAD


def _spellings(label: str) -> set[str]:
    plain = label.replace("_", " ").casefold()
    spelled = {plain, *_WORDS.get(plain, ())}
    if len(plain) == 1:
        names = re.findall(r"\w+", _CANDIDATE[3:-1])
        spelled |= {f"{name} {plain}" for name in names}
        spelled |= {f"{plain} wins", f"{plain} is better"}
    return spelled


def read_score(written: Any, protocol: Protocol) -> Read:
    """Return a number on the scale; another one is out of scale, and never moved onto it."""
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    if isinstance(written, (int, float)) and not isinstance(written, bool):
        return _on_scale(written, protocol)
    if not isinstance(written, str):
        return UNREAD
    match = _NUMBER.fullmatch(written.strip(_DRESS.replace(".", "")).rstrip(".").strip())
    if match is None:
        return UNREAD
    if match["most"] is not None and float(match["most"]) != protocol.high:
        return ReplyStatus.OUT_OF_SCALE, None
    return _on_scale(float(match["value"]), protocol)


def _on_scale(written: float, protocol: Protocol) -> Read:
    try:
        value = float(written)
    except OverflowError:
        return ReplyStatus.OUT_OF_SCALE, None
    if not math.isfinite(value):
        return UNREAD
    if not protocol.low <= value <= protocol.high:
        return ReplyStatus.OUT_OF_SCALE, None
    return ReplyStatus.OK, value


def read_flag(written: Any) -> bool | None:
    """Return true or false, also where it was written as a word; None for anything else."""
    if isinstance(written, bool):
        return written
    if not isinstance(written, str):
        return None
    word = written.strip(_DRESS).casefold()
    if word in {"true", "yes", "pass", "passed"}:
        return True
    return False if word in {"false", "no", "fail", "failed"} else None
