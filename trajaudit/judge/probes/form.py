"""Do looks and length decide? The same words in another dress, and words that say nothing."""

import re

from trajaudit.judge.probes.base import Probe, Side, Subject, of, with_reply, with_thoughts

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_IDLE = (
    "Thank you for your message.",
    "Please tell me if there is anything else.",
    "Further questions are welcome at any time.",
    "I wish you a pleasant day.",
)
_LEAST_GROWTH = 4
"""The padded text is at least so many times as long."""


def _styled(text: str) -> str:
    if not text.strip():
        return text
    lines = [f"- **{part}**" for part in _SENTENCE.split(text.strip())]
    return "\n".join(["## ✅ Summary", "", *lines, "", "---"])


def _style(subject: Subject) -> Side | None:
    trajectory = subject.trajectory
    if not trajectory.final_reply:
        return None
    restyled = with_thoughts(trajectory, _styled)
    return of(subject, with_reply(restyled, _styled(trajectory.final_reply)))


def _padded(text: str) -> str:
    found = text
    at = 0
    while len(found) < _LEAST_GROWTH * len(text) or at < len(_IDLE):
        found = f"{found} {_IDLE[at % len(_IDLE)]}"
        at += 1
    return found


def _length(subject: Subject) -> Side | None:
    trajectory = subject.trajectory
    if not trajectory.final_reply:
        return None
    longer = with_thoughts(trajectory, lambda text: f"{text} I go on with the next step.".strip())
    return of(subject, with_reply(longer, _padded(trajectory.final_reply)))


STYLE = Probe("style", "the same words as headings and bold lists", _style, must_pass=True)
LENGTH = Probe("length", "several times as long by words that say nothing", _length)
