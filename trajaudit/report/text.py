"""Hostile text made harmless and visible: what a terminal or a page must never obey.

Logs hold whatever an agent wrote: escape sequences, characters that turn the reading direction,
invisible tags. They are shown as backslash escapes; letters of every script stay as they are.
"""

import re

_UNSEEN = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # controls, but for tab and line feed
    "\\xad\\u180e\\u200b\\u2060-\\u2064\\ufeff"  # without width
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f"  # direction and line separators
    "\\ufff9-\\ufffb\\U000e0000-\\U000e007f"  # annotations and tags
    "\\ud800-\\udfff"  # halves of a pair, which no encoding can write
)
_HARMFUL = re.compile(f"[{_UNSEEN}]")
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    """Escape what would act instead of being read; tabs and line feeds stay."""
    return _HARMFUL.sub(_escape, text)


def one_line(text: str, limit: int | None = None) -> str:
    """On one line, at most `limit` characters; `…` says that there was more."""
    line = visible(_SPACES.sub(" ", text).strip())
    return line if limit is None or len(line) <= limit else line[: limit - 1] + "…"


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
