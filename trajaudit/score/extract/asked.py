"""What does a question ask for: how many of what, in which unit?"""

import re
from functools import lru_cache

from trajaudit.score.extract.unit import Unit, find_unit, unit_pattern
from trajaudit.score.screen import found_from

_ASKED_NOUN = re.compile(
    r"(?i)\b(?:how many|how much|number of|total|wie viele?|combien de"
    r"|cu[aá]nt[oa]s)\s+((?:[\w'-]+\s*){1,4})"
)
_STARTS_OF_NOUNS = (
    *("how many", "how much", "number of", "total", "wie viel", "combien de", "cuant", "cu\xe1nt"),
)
_NO_NOUNS = frozenset((
    "is", "are", "does", "do", "did", "will", "were", "was", "has", "have", "of", "the", "in",
    "more", "can", "would", "money", "total", "long", "far", "it", "he", "she",
))  # fmt: skip
_ASKED_UNIT = re.compile(r"(?i)\b(?:in|how many|how much in|of)\s+(?:whole |total |US |full )?")
_LEAD = re.compile(r"[\s*_]*(?P<word>)(?:[a-z]+ )?")
_ENDS_NOUN = re.compile(r"(?:s|es)?\b")


def asked_unit(unit: str | None, question: str) -> Unit | None:
    """The unit of the target, else the one that the question asks for."""
    if unit is not None:
        return find_unit(unit)
    for match in _ASKED_UNIT.finditer(question):
        word = _unit_word().match(question, match.end())
        found = (
            find_unit(word[0]) if word and len(word[0]) > 1 and word[0].lower() != "in" else None
        )
        if found is not None:
            return found
    return None


@lru_cache(maxsize=1)
def _unit_word() -> re.Pattern[str]:
    return re.compile(rf"(?i){unit_pattern()}(?![\w²³])")


def asked_nouns(question: str) -> tuple[str, ...]:
    """The words that follow `how many` and the like, without an `s` at their end."""
    words: list[str] = []
    for match in list(found_from(_ASKED_NOUN, question, _STARTS_OF_NOUNS))[-2:]:
        for word in match[1].lower().split():
            if word in _NO_NOUNS:
                break
            words.append(word.rstrip("s"))
    return tuple(words)


def is_before(after: str, nouns: tuple[str, ...]) -> bool:
    """Whether one of the nouns comes next, or after one more word."""
    lead = _LEAD.match(after)
    starts = (*range(lead.start("word") + 1), lead.end()) if lead else ()
    return any(
        after.startswith(noun, start) and _ENDS_NOUN.match(after, start + len(noun))
        for noun in nouns
        for start in starts
    )
