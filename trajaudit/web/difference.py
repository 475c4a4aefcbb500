"""What changed, so that a person sees it: lines of a patch, and two states of a world."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import JsonValue

MOST_LINES = 3000
MOST_CHANGES = 400
_VALUE_CHARS = 4000


@dataclass(frozen=True)
class Line:
    """One line of a patch; `kind` is a class of the style sheet, the sign stands in the text."""

    kind: str
    text: str


@dataclass(frozen=True)
class PatchView:
    """A patch, or the beginning of it."""

    lines: tuple[Line, ...]
    more: int
    """Lines that are not among them."""
    added: int
    removed: int


def patch_view(text: str, *, whole: bool = False) -> PatchView:
    """Lay out a patch; its first lines, or the `whole` of it."""
    lines = list(_lines(text))
    shown = lines if whole else lines[:MOST_LINES]
    return PatchView(
        lines=tuple(shown),
        more=len(lines) - len(shown),
        added=sum(line.kind == "add" for line in lines),
        removed=sum(line.kind == "del" for line in lines),
    )


def _lines(text: str) -> Iterator[Line]:
    in_hunk = False
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("diff ") or (not in_hunk and line.startswith(("--- ", "+++ "))):
            in_hunk = False
            yield Line("file", line)
        elif line.startswith("@@"):
            in_hunk = True
            yield Line("hunk", line)
        else:
            yield Line({"+": "add", "-": "del"}.get(line[:1], "") if in_hunk else "", line)


@dataclass(frozen=True)
class Changed:
    """One place of a world; None: it is not there."""

    path: str
    before: str | None
    after: str | None


def changed(before: JsonValue, after: JsonValue) -> tuple[tuple[Changed, ...], bool]:
    """Return the first places at which two states differ, and whether these are all."""
    found = list(islice(_changes("", before, after), MOST_CHANGES + 1))
    return tuple(found[:MOST_CHANGES]), len(found) <= MOST_CHANGES


def _changes(path: str, before: JsonValue, after: JsonValue) -> Iterator[Changed]:
    if isinstance(before, dict) and isinstance(after, dict):
        keys = {**before, **after}
        yield from _inside(path, [(key, before, after) for key in keys])
    elif isinstance(before, list) and isinstance(after, list):
        old, new = dict(enumerate(before)), dict(enumerate(after))
        yield from _inside(path, [(number, old, new) for number in {**old, **new}])
    elif type(before) is not type(after) or before != after:
        yield Changed(path or "/", _text(before), _text(after))


def _inside(path: str, entries: Iterable[tuple[Any, Any, Any]]) -> Iterator[Changed]:
    for key, before, after in entries:
        here = f"{path}/{key}"
        if key not in after:
            yield Changed(here, _text(before[key]), None)
        elif key not in before:
            yield Changed(here, None, _text(after[key]))
        else:
            yield from _changes(here, before[key], after[key])


def _text(value: JsonValue) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _VALUE_CHARS else text[: _VALUE_CHARS - 1] + "…"
