"""Was the user told what the task wants told? Values that must appear in the agent's messages.

Strict is the rule that benchmarks of dialogues use, the text somewhere in one message to the user
after lower-casing and without commas, as far as a careful reader agrees with it. Lenient is that
reader alone: a number counts as the number that it is (`1,234.50`, `$1234.5`), never as a part of a
longer one, a text at the start of a word, and nothing that is only denied.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.datamodel.verdict import Evidence, Mode, Verdict
from trajaudit.score.accepted_paths import accept_of
from trajaudit.score.extract.visible import visible

NAME = "communicated"
TOLERANCE = "told_otherwise"
"""Told, but not in the characters that the substring rule wants."""

_NUMBER = re.compile(
    r"(?<!\d[:/.,-])(?<![\w.])[-\u2212]?[$€£]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
    r"(?![.,:/-]?\d)"
)
_PLAIN = re.compile(r"[-\u2212]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_DENIED = re.compile(
    r"(?i)(?:\b(?:not|never|rather than|instead of|no longer)|n['\u2019]t)"
    r"(?:\s+(?:the|a|an|be|been|is|exactly|about|equal to|cost|total))*\s*[$€£*]*$"
)
_WORD_END = r"(?:['\u2019]?s|es)?(?!\w)"
_AROUND = 60
Told = tuple[int | None, int | None, str]
"""Step, seq and text of a message to the user."""


def communicated(scenario: Scenario, task: Task, trajectory: Trajectory) -> list[Verdict]:
    """Look for every text of `communicate` in what the agent told the user."""
    accept = accept_of(scenario, task)
    if accept is None or not accept.communicate:
        return []
    told = [(step, seq, visible(text).text) for step, seq, text in _told(trajectory)]
    found = {text: _find(text, told) for text in accept.communicate}
    missing = [text for text, place in found.items() if place is None]
    by_rule = {text: any(_by_substring(text, said) for _, _, said in told) for text in found}
    only_rule = [text for text in missing if by_rule[text]]
    by_rule_missing = [text for text, hit in by_rule.items() if not hit]
    lenient_misses = by_rule_missing if TOLERANCE in scenario.tolerances.off else []
    return [
        _verdict(trajectory, "strict", found, [*missing, *by_rule_missing], only_rule),
        _verdict(trajectory, "lenient", found, [*missing, *lenient_misses], only_rule),
    ]


def _verdict(
    trajectory: Trajectory,
    mode: Mode,
    found: dict[str, Evidence | None],
    missing: list[str],
    only_rule: list[str],
) -> Verdict:
    lacking = list(dict.fromkeys(missing))
    reworded = any(not _is_literal(text, place) for text, place in found.items())
    reason = f"not told: {', '.join(map(repr, lacking[:5]))}" if lacking else "all of it was told"
    if only_rule:
        reason += f"; {', '.join(map(repr, only_rule[:3]))} only as a part of something else"
    return Verdict(
        task_id=trajectory.task_id,
        trial=trajectory.trial,
        scorer=NAME,
        mode=mode,
        passed=not lacking,
        reason=reason[:500],
        tolerances=(TOLERANCE,) if mode == "lenient" and not lacking and reworded else (),
        evidence=tuple(place for place in found.values() if place is not None)[:20],
        detail={"missing": [*lacking], "only_as_a_part": [*only_rule]},
    )


def _told(trajectory: Trajectory) -> Iterator[Told]:
    """Yield what went to the user: messages without tool calls, and the submission."""
    for step in trajectory.steps:
        if not step.tool_calls and step.message.content:
            yield step.number, step.message.seq, step.message.content
    if trajectory.submitted and trajectory.final_reply:
        yield trajectory.final_step, trajectory.final_seq, trajectory.final_reply


def _by_substring(text: str, said: str) -> bool:
    return text.lower() in said.lower().replace(",", "")


def _is_literal(text: str, place: Evidence | None) -> bool:
    return place is None or _by_substring(text, place.quote)


def _find(text: str, told: list[Told]) -> Evidence | None:
    """Return where a text is told and not denied, the literal places first."""
    literal: Evidence | None = None
    other: Evidence | None = None
    for step, seq, said in told:
        for start, end in _places(text, said):
            if _DENIED.search(said[max(start - _AROUND, 0) : start]):
                continue
            quote = said[max(start - _AROUND, 0) : end + _AROUND]
            place = Evidence(step=step, seq=seq, quote=quote)
            if _by_substring(text, said[start:end]):
                literal = literal or place
            other = other or place
    return literal or other


def _places(text: str, said: str) -> Iterator[tuple[int, int]]:
    stripped = text.strip()
    wanted = _value(stripped) if _PLAIN.fullmatch(stripped) else None
    if wanted is None:
        yield from (match.span() for match in _pattern(stripped).finditer(said))
        return
    for match in _NUMBER.finditer(said):
        if _value(match[0]) == wanted:
            yield match.span()


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in re.findall(r"\w+|[^\w\s]", text.replace(",", " "))]
    starts = r"(?<!\w)" if text[:1].isalnum() else ""
    ends = _WORD_END if text[-1:].isalnum() else ""
    return re.compile(starts + r"[\s,]*".join(words) + ends, re.IGNORECASE)


def _value(text: str) -> Decimal:
    digits = text.replace("\u2212", "-").replace(",", "")
    return Decimal(re.sub(r"[$€£]", "", digits))
