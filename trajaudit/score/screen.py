"""Can a text hold certain words at all, or what a pattern finds? Seen before a pattern is tried.

Deliberate: the engine of pydantic-core instead of `in` and `re`. It goes through a text once,
whatever the text is, for all words together, in a tenth of the time that one of them takes.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from pydantic_core import SchemaValidator, core_schema

_UNLIKE_LOWER = ("\u0131", "\u0130", "\u017f", "\u212a")
"""Letters that a pattern without case takes for `i`, `s` or `k`."""
_UNLIKE = re.compile(r"[A-Z]|\\[dw]|\(\?[^:]|[$^](?![^\[\]]*\])")
"""Capital letters, and what the two engines read otherwise."""


def lowered(text: str) -> str | None:
    """Return a text with its ASCII letters in lower case, or None where letters in it are read
    otherwise by a pattern, or are none.
    """
    if text.isascii():
        return text.lower()
    if any(letter in text for letter in _UNLIKE_LOWER):
        return None
    try:
        # Of other letters `str.lower` looks up each one, which takes several times as long.
        return text.encode().lower().decode()
    except UnicodeEncodeError:
        return None


def may_hold(lower: str | None, words: tuple[str, ...]) -> bool:
    """Whether one of the words (in lower case, or without case) may be in a text that was
    `lowered`; fastest for up to twenty words, of four letters and more.
    """
    return lower is None or _finder_of(words)(lower)


@lru_cache(maxsize=256)
def _finder_of(words: tuple[str, ...]) -> Callable[[str], bool]:
    return finder("|".join(map(re.escape, words)))


def finder(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether the engine finds a pattern of its own in a text."""
    wanted = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex", strict=True)
    return SchemaValidator(wanted).isinstance_python


class Screen:
    """Whether a pattern without case may find something; no only where it finds nothing."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Take a pattern whose letters are ASCII and in lower case, without look-around.

        Raises:
            ValueError: it has something in it that is not screened.
        """
        bare = pattern.pattern.removeprefix("(?i)")
        known = bare.isascii() and not _UNLIKE.search(bare)
        if not (known and pattern.flags & re.IGNORECASE):
            raise ValueError(f"cannot screen {pattern.pattern[:80]}")
        # Looser in places: where words end is told otherwise, and to count takes most of the time.
        bare = bare.replace(r"\b", "").replace(r"\s", r"[\s\x1c-\x1f]")
        self._finds = finder(re.sub(r"\{0,\d+\}", "*", bare))

    def may_find(self, lower: str | None) -> bool:
        """Whether the pattern may find something in a text that was `lowered`."""
        return lower is None or self._finds(lower)


def found_from(
    pattern: re.Pattern[str], text: str, words: Sequence[str]
) -> Iterator[re.Match[str]]:
    """Yield what `pattern.finditer` does, where each match begins with one of the words (in lower
    case); the pattern is tried only where they stand.
    """
    lower = text.lower() if lowered(text) is not None else None
    if lower is None or len(lower) != len(text):
        yield from pattern.finditer(text)
        return
    end = 0
    for start in sorted({at for word in words for at in _places(lower, word)}):
        match = pattern.match(text, start) if start >= end else None
        if match is not None:
            end = match.end()
            yield match


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
