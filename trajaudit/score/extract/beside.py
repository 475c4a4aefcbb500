"""What stands beside a value and changes what it is: a start, a comparison, the rest of a formula.

`It fell from 12 to -4` comes to -4, `64, which is 4 more than 60` to 64, `12 + 3i` to no number.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

from trajaudit.score.extract.caseless import Caseless
from trajaudit.score.extract.found import Candidate

_CHANGES = Caseless(
    r"\b(?:went|goes|fell|falls?|rose|rises?|dropped|drops?|grew|grows?|climbed|climbs?|sank"
    r"|shrank|jumped|jumps?|moved?|moves?|changed?|changes?|increase[sd]?|decrease[sd]?|decline[sd]?"
    r"|reduced?|raised?|cut|improved?|slipped|soared)\b[^.;]{0,40}\bfrom\s*[$\u20ac\u00a3*_`]*$"
)
_TO = re.compile(r"[^.;\d]{0,25}\bto\s*[$\u20ac\u00a3*_`]*")
_COMPARED = Caseless(
    r"(?<=\w)(?:,\s*|\s*[\u2013\u2014-]\s+)"
    r"(?:(?:which|that|it) (?:is|was|makes it) |that's |it's )?(?:exactly |only |just |about )?"
    r"(?:(?:[\w.$%]+ ){0,2}?(?:more|less|fewer|higher|lower|greater|smaller|larger|above|below"
    r"|short of|up from|down from|better|worse|times) |(?:twice|double|triple|half) "
    r"|the (?:square|cube|sum|product|double) of )[^,;]*"
)
_TERM_BEFORE = re.compile(
    r"(?:[\d)\u03c0]|(?<![\w'])[A-Za-z])\s?(?:[+\u00d7\u00f7\u00b7^*/]|-\s)\s?[$(]?$"
)
_TERM_AFTER = re.compile(
    r"^\s?(?:[+\u00d7\u00f7\u00b7^]\s?[$(]?[\dA-Za-z(]|[-*/]\s?[\d(]|-\s(?:[a-z]\b|sqrt)"
    r"|[*/][A-Za-z(])"
)
_EQUALS = re.compile(r"\s*[=\u2248]")
RESULT_FIRST = re.compile(r"^\s*=\s*[$(]?\d[\d.,]*\s*[-+*/×÷·][^=]*$")


def without_start(sentence: str, live: list[Candidate]) -> list[Candidate]:
    """Without the values that others changed from."""
    return [
        one
        for one, after in zip_longest(live, live[1:])
        if after is None
        or not _TO.fullmatch(sentence[one.end : after.start])
        or not _CHANGES.search(sentence[max(0, one.start - 80) : one.start])
    ]


def is_compared(sentence: str, one: Candidate, live: Sequence[Candidate]) -> bool:
    """Whether a value belongs to a remark that compares an earlier one."""
    first = live[0].end
    return one.start > first and any(
        remark.start() <= one.start < remark.end() for remark in _COMPARED.finditer(sentence, first)
    )


def is_term(sentence: str, one: Candidate) -> bool:
    """Whether a value is part of a formula that nobody worked out."""
    after = sentence[one.end : one.end + 40]
    if RESULT_FIRST.match(after) or _EQUALS.match(after):
        return False
    before = sentence[max(0, one.start - 12) : one.start]
    return bool(_TERM_BEFORE.search(before) or _TERM_AFTER.match(after))
