"""A piece of hostile text as a page shows it: folded when long, JSON indented, quotes marked."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from trajaudit.report.text import one_line, visible

_FOLD_CHARS = 1500
_FOLD_LINES = 24
_HEAD_CHARS = 140
_LINE_CHARS = 80
_INDENT_AT_MOST = 1_000_000
"""Characters of JSON; beyond that it is shown as it is."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


@dataclass(frozen=True)
class Block:
    """Text in parts; a marked part is what evidence quotes. Nothing is ever left out."""

    parts: tuple[tuple[str, bool], ...]
    head: str
    size: str
    folded: bool
    marked: bool
    is_json: bool


def block(text: str, quotes: Iterable[str] = (), *, verbatim: bool = False) -> Block:
    """Prepare a text; long JSON is indented without touching a digit of it, unless `verbatim`."""
    fits = len(text) <= _LINE_CHARS and "\n" not in text
    indented = None if verbatim or fits else indent_json(text)
    shown = visible(text if indented is None else indented)
    parts = _marked(shown, [visible(quote) for quote in quotes])
    lines = shown.count("\n") + 1
    noun = "line" if lines == 1 else "lines"
    return Block(
        parts=tuple(parts),
        head=one_line(text[: 4 * _HEAD_CHARS], _HEAD_CHARS),
        size=f"{len(text):,} characters, {lines:,} {noun}",
        folded=len(shown) > _FOLD_CHARS or lines > _FOLD_LINES,
        marked=len(parts) > 1 or any(marked for _, marked in parts),
        is_json=indented is not None,
    )


def indent_json(text: str) -> str | None:
    """The same JSON tokens on indented lines; None where the text is no JSON object or array.

    Tokens are copied, never parsed and written again: 1.50, 2^60 and repeated keys stay.
    """
    if text.lstrip()[:1] not in {"{", "["} or len(text) > _INDENT_AT_MOST:
        return None
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    return _indented(_TOKEN.findall(text))


def _indented(tokens: list[str]) -> str:
    written: list[str] = []
    depth = 0
    for part, before in zip(tokens, ["", *tokens], strict=False):
        if part in {"}", "]"}:
            depth -= 1
            written.append(part if before in {"{", "["} else f"\n{'  ' * depth}{part}")
            continue
        if before in {"{", "[", ","}:
            written.append("\n" + "  " * depth)
        written.append(": " if part == ":" else part)
        depth += part in {"{", "["}
    return "".join(written)


def _marked(text: str, quotes: Iterable[str]) -> list[tuple[str, bool]]:
    """Cut at the first place of each quote; overlapping ones are marked once."""
    spans = sorted(
        (start, start + len(quote))
        for quote in set(quotes)
        if quote.strip() and (start := text.find(quote)) >= 0
    )
    parts: list[tuple[str, bool]] = []
    at = 0
    for start, end in spans:
        if start >= at:
            parts += [(text[at:start], False), (text[start:end], True)]
            at = end
    parts.append((text[at:], False))
    return [part for part in parts if part[0]]
