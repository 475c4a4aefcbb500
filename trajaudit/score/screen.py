"""Can a text hold certain words at all? Seen by plain search, before a pattern is tried."""

import re
from collections.abc import Iterator, Sequence

_UNLIKE_LOWER = ("\u0131", "\u0130", "\u017f")
"""Letters that a pattern without case takes for `i` or `s`, and that `str.lower` does not."""


def lowered(text: str) -> str | None:
    """Return a text in lower case, or None where letters in it are read otherwise by a pattern."""
    if not text.isascii() and any(letter in text for letter in _UNLIKE_LOWER):
        return None
    return text.lower()


def may_hold(lower: str | None, words: Sequence[str]) -> bool:
    """Whether one of the words (in lower case, ASCII) may be in a text that was `lowered`."""
    if lower is None:
        return True
    for word in words:  # noqa: SIM110 (this is what every text of every trial goes through)
        if word in lower:
            return True
    return False


def found_from(
    pattern: re.Pattern[str], text: str, words: Sequence[str]
) -> Iterator[re.Match[str]]:
    """Yield what `pattern.finditer` does, where each match begins with one of the words (in lower
    case, ASCII); the pattern is tried only where they stand.
    """
    lower = lowered(text)
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
