"""The mathematical expression that a reply commits to."""

import re

from trajaudit.score.extract.expression import Node, UnreadableError, parse
from trajaudit.score.extract.formula import mathematics, right_side, trimmed, without_lead
from trajaudit.score.extract.found import Found, State
from trajaudit.score.extract.identity import equal
from trajaudit.score.extract.latex import readable
from trajaudit.score.extract.sentence import after_turn, commits_to_nothing, sentences

_LONGEST = 2000
_FACTORIAL = re.compile(
    r"[\w)]!\s*(?:\$|\\\)|\\\])\s*\.?\s*$|^\W*(?:[A-Za-z]|\([^()]{1,40}\))!\s*$"
)
"""The sign at the end of a formula; elsewhere it ends a sentence."""


class ExpressionReader:
    """Reads expressions for one target."""

    def __init__(self, right: str) -> None:
        self._written = right
        named = re.match(r"\s*(?:[A-Za-z]|[A-Za-z]\([A-Za-z]\))\s*=(?!=)", right)
        self._right = _tree(right[named.end() :] if named else right)

    def marked(self, segment: str) -> Found | None:
        line = segment.strip().split("\n\n")[0][:_LONGEST]
        for text in (line, *reversed(mathematics(line)), line.split("\n")[0], *_heads(line)):
            found = _read(text)
            if found is not None:
                return found
        return None

    def prose(self, text: str) -> Found | None:
        whole = _read(text) if len(text) < _LONGEST else None
        if whole is not None:
            return whole
        for sentence in reversed(list(sentences(text))[-100:]):
            claim = after_turn(sentence.text)
            if sentence.is_question or commits_to_nothing(claim):
                continue
            for piece in (*reversed(mathematics(claim)), *_claims(claim)):
                found = _read(piece)
                if found is not None and not re.search(
                    r"(?i)\b(?:not|isn't|rather than)\s*$",
                    claim[: claim.find(piece)].rstrip("$\\( "),
                ):
                    return found
        return None

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        if self._right is None:
            return None, (), f"the target {self._written!r} cannot be read as an expression"
        right = isinstance(value, Node) and equal(value, self._right)
        return (
            right,
            ("equal_expression",) if right else (),
            f"{plain} {'equals' if right else 'does not equal'} {self._written}",
        )


def _tree(text: str) -> Node | None:
    return _parsed(trimmed(readable(text)))


def _parsed(plain: str) -> Node | None:
    try:
        return parse(plain)
    except UnreadableError:
        return None


def _read(text: str) -> Found | None:
    plain = trimmed(readable(text)) + "!" * bool(_FACTORIAL.search(text))
    if not plain or len(plain) > _LONGEST:
        return None
    if re.fullmatch(r"(?i).*\bor\b.*|.*±.*", plain):
        both = [one for one in map(_tree, re.split(r"(?i)\bor\b", plain)) if one]
        return Found(None, None, State.AMBIGUOUS, text.strip()[:300]) if len(both) > 1 else None
    for candidate in dict.fromkeys((plain, right_side(plain), right_side(without_lead(plain)))):
        tree = _parsed(candidate.strip())
        if tree is not None:
            return Found(tree, re.sub(r"\s+", " ", candidate), quote=text.strip()[:300])
    return None


def _heads(line: str) -> list[str]:
    """The words up to a reason or a sentence end."""
    head = re.split(r"(?i)\s+(?:because|since|which|where|as|for|by|\()\b|[.;]\s|,\s", line)[0]
    return [head] if head != line else []


def _claims(sentence: str) -> list[str]:
    """What follows `is`, `=` and the like."""
    pieces = re.split(
        r"(?i)\b(?:is|equals|gives|get|becomes|to|into|obtain|as|are|be|have)\b|:", sentence
    )
    heads = [
        re.split(r"(?i)(?:[,;(]\s*|\s+)(?:not|rather than|instead of)\b", f" {piece}")[0]
        for piece in reversed(pieces[1:])
    ]
    return [head for head in heads if head.strip()]
