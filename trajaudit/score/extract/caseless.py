"""Patterns that look past case, tried only where they may find something.

Deliberate: the engine of pydantic-core goes first. It goes through a text once, whatever the
pattern is, in a tenth of the time that `re` takes to find nothing, which is what most patterns find
in most texts. It knows no look-around, so it is asked for a looser pattern.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from trajaudit.score.screen import finder

_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_PIECE = re.compile(
    r"[^\\\[(){$]+|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\{0,\d+\}|\{1,\d+\}|.",
    re.DOTALL,
)
_INNER = re.compile(r"\\.|\[", re.DOTALL)
_ASCII = {r"\w": "0-9a-z_", r"\d": "0-9", r"\s": r"\s\x1c-\x1f"}
"""What these stand for in ASCII text in lower case, as `re` has it."""


class Caseless:
    """A pattern, written in lower case, that fits letters in any case.

    The words of a match are in lower case where the text is ASCII.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE)

    @cached_property
    def _lower(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @cached_property
    def _may_find(self) -> Callable[[str], bool]:
        return finder(loosened(self.pattern))

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return what the method of a pattern does."""
        if not text.isascii():
            return self._any.search(text, start)
        lower = text.lower()
        return self._lower.search(lower, start) if self._may_find(lower) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return what the method of a pattern does."""
        if not text.isascii():
            return self._any.match(text)
        lower = text.lower()
        return self._lower.match(lower) if self._may_find(lower) else None

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """Return what the method of a pattern does."""
        if not text.isascii():
            return self._any.finditer(text, start)
        lower = text.lower()
        return self._lower.finditer(lower, start) if self._may_find(lower) else iter(())


def loosened(pattern: str) -> str:
    """Return a pattern for the other engine that finds something in each ASCII text in which `re`
    does: without look-around, and without counting, which takes most of its time.
    """
    end = "$" if pattern.startswith("(?m)") else r"\n?\z"
    kept: list[str] = []
    depth = skipped = 0
    for piece in _PIECE.findall(pattern):
        depth += piece.startswith("(")
        if piece in _LOOKS and not skipped:
            skipped = depth
        if not skipped:
            kept.append(_loose(piece, end))
        if piece == ")":
            skipped = 0 if skipped == depth else skipped
            depth -= 1
    return "".join(kept)


def _loose(piece: str, end: str) -> str:
    if piece[0] == "[" and len(piece) > 1:
        return "[" + _INNER.sub(_in_class, piece[1:-1]) + "]"
    if piece[0] == "{" and len(piece) > 1:
        return "*" if piece[1] == "0" else "+"
    if piece in _ASCII:
        return f"[{_ASCII[piece]}]"
    return {"$": end, r"\b": r"(?-u:\b)", r"\W": r"[^0-9a-z_]", r"\S": "."}.get(piece, piece)


def _in_class(match: re.Match[str]) -> str:
    return r"\[" if match[0] == "[" else _ASCII.get(match[0], match[0])


def starting(words: Iterable[str]) -> str:
    """Return a pattern of the first two characters of words, which keeps long lists of them cheap
    where none stands.
    """
    seconds: dict[str, set[str]] = {}
    for word in words:
        seconds.setdefault(word[0].lower(), set()).add(word[1:2].lower())
    alone = sorted(first for first, rest in seconds.items() if "" in rest)
    pairs = (re.escape(first) + _any_of(seconds[first]) for first in sorted(seconds.keys() - alone))
    return "|".join((_any_of(alone), *pairs) if alone else pairs)


def _any_of(characters: Iterable[str]) -> str:
    return f"[{re.escape(''.join(sorted(characters)))}]"
