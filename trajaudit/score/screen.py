"""Can a text hold certain words at all? Seen by plain search, before a pattern is tried."""

from collections.abc import Sequence

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
