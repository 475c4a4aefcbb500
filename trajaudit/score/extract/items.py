"""A wanted text that names several things: `Brazil, Colombia and Ecuador`, in any order.

Only where the question asks for several things and for no order, and where the reply names no
further one beside them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from trajaudit.score.extract.found import Candidate
from trajaudit.score.extract.name import Asked, standing
from trajaudit.score.extract.spelling import is_in_number, places, tokens

_PARTED = re.compile(r"\s*[,;]\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+")
_MOST, _LONGEST, _MOST_PLACES = 12, 4, 100
"""Items of a text, words of an item, places of an item that are looked at."""
_LONGEST_TEXT = 400
_SEVERAL = re.compile(
    r"(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|[2-9]|1[0-2]|several|both"
    r"|names)\b"
    r"|\b(?:which|what|who) (?:are|were)\b|\b(?:which|what) (?:\w+ ){0,2}\w{2,}(?<!s)s\b"
)
_ASKS = re.compile(r"(?i)\b(?:who|whose|which|what|where|when|how)\b")
_ORDERED = re.compile(
    r"(?i)\b(?:order(?:ed)?|respectively|sequence|rank\w*|steps?|first|last|alphabetical\w*"
    r"|chronological\w*|second|third|then|winners?|runners?-up|from|sort\w*|arrang\w+|revers\w+"
    r"|path|route|start|end|birth|death|before|after|between|home|and|output|returns?|prints?"
    r"|tuple|whom|hoist|oldest|newest|distance|length"
    r"|(?:top|left|right|bottom|largest|smallest|highest|lowest|biggest) to)\b"
    r"|[,;]\s+(?:who|which|what|where|when|how)\b"
)
"""A question for an order, or more than one question."""
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_NAMED = re.compile(r"[^\W\d_]{2}")
_BETWEEN = re.compile(
    r"(?i)[\s\"'*_`)]*(?:[,;]|[,;]?\s*(?:\band\b|&)|\n[-*\d.)\s]*)[\s\"'*_`(]*(?:(?:the|an?)\s+)?"
)
_ADDS = r"(?:and|or|plus|as well as|along with|together with|besides|also|but also)"
_MORE = re.compile(
    rf"[\s\"'*_`)]*(?:[,;]?\s*\(?,?\s*(?i:{_ADDS}\b|with\b|[&+/|])|\s*[\u2013\u2014-]\s*\w"
    r"|[,;]\s*(?i:(?:the|an?)\s+)?[A-Z\d]|,\s*\w+\s*(?:,|and\b|or\b|[.]|$)"
    r"|\s+(?:is|are|was|were)\s+(?:\w+\s+)?(?:wrong|incorrect|not)\b"
    r"|[^.!?]{0,40}[.!?]\s+(?:\w+\s+){0,2}(?i:also|additionally|in addition|another)\b)"
)
_LINE_AFTER = re.compile(r"[ \t\"'*_`)]*\n[ \t]*(?:[-*\u2022]|\d+[.)])?[ \t]*\w")
"""Another line of the list."""
_MORE_BEFORE = re.compile(
    rf"(?:\b[A-Z]\w*\s*[,;]|(?i:\b{_ADDS}\b|[&+/])|(?:^|[,;:]|\b(?:are|is|were|was))\s*[\w'-]+\s*,"
    r"|(?:^|\n)\s*(?:[-*\u2022]|\d+[.)])[^\n]*\n\s*(?:[-*\u2022]|\d+[.)])"
    r"|(?:^|\n)[\w ]{1,40}\n)\s*(?i:the\s+|an?\s+)?[\"'*_(]*$"
)
_EXCEPT = re.compile(
    r"(?i)\b(?:besides|apart from|in addition to|other than|except|all but|not|none|neither"
    r"|never|nor)\b[^.!?]*$"
)


@dataclass(frozen=True)
class Items:
    """The things that a text names."""

    text: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, text: str, question: str) -> "Items | None":
        """Return them; None: it names one thing, or the order may matter."""
        if len(text) > _LONGEST_TEXT:
            return None
        names = tuple(one.strip(" .") for one in _PARTED.split(text))
        short = all(0 < len(tokens(one)) <= _LONGEST for one in names)
        # Two numbers may be a point: only years are a list.
        listed = all(map(_YEAR.fullmatch, names)) or all(map(_NAMED.search, names))
        if not 1 < len(names) <= _MOST or not short or not listed:
            return None
        asks_one = _ASKS.search(question) and not _SEVERAL.search(question)
        if asks_one or _ORDERED.search(question):
            return None
        return cls(text, names) if len(set(map(str.lower, names))) == len(names) else None

    def found(self, text: str, asked: Asked) -> Candidate | None:
        """Return where all of them stand beside each other, and nothing else is named with them."""
        found = {name: _places(name, text, asked) for name in self.names}
        if not all(found.values()):
            return None
        ordered = sorted(place for some in found.values() for place in some)
        size = len(self.names)
        for at in range(len(ordered) - size + 1):
            run = ordered[at : at + size]
            if len({name for _, _, name in run}) == size and _is_list(text, run):
                return Candidate(self.text, run[0][0], run[-1][1], self.text, notes=("any_order",))
        return None


def _places(name: str, text: str, asked: Asked) -> list[tuple[int, int, str]]:
    return [
        (*one.span(), name)
        for one in islice(places(name, text), _MOST_PLACES)
        if standing(text, *one.span(), asked) != "part" and not is_in_number(text, *one.span())
    ]


def _is_list(text: str, run: Sequence[tuple[int, int, str]]) -> bool:
    if not all(_BETWEEN.fullmatch(text[one[1] : two[0]]) for one, two in pairwise(run)):
        return False
    before, after = text[max(0, run[0][0] - 100) : run[0][0]], text[run[-1][1] : run[-1][1] + 100]
    if _LINE_AFTER.match(after):
        return False
    return not (_MORE.match(after) or _MORE_BEFORE.search(before) or _EXCEPT.search(before))
