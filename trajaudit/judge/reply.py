"""What does a judge's reply hold: its objects, its prose, and whether it was cut?

Read from left to right, so that a thinking block hides the objects in it, and an object the tags in
its strings. Valid JSON is read as it stands; repair is for what is balanced and broken.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_HIDDEN = re.compile(
    r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff]"
)
_THINK = r"think|thinking|thought|thoughts|reasoning|scratchpad|analysis|reflection"
_OPEN = re.compile(rf"<\s*({_THINK})\s*>|\[({_THINK})\]", re.IGNORECASE)
_CLOSE = re.compile(rf"<\s*/\s*(?:{_THINK})\s*>", re.IGNORECASE)
_LIKE_OBJECT = re.compile(r"\{\s*(?:[\"'“‘]|\w+[\"']?\s*:|\}|$|//|/\*)")
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})


class Pairs(list[tuple[str, Any]]):
    """An object's fields as written, so that a key that stands twice is seen."""


@dataclass(frozen=True)
class Found:
    """A top-level object of the reply."""

    start: int
    end: int
    pairs: Pairs
    raw: str
    repaired: bool = False


@dataclass
class Scan:
    """The parts of a reply."""

    text: str
    """With thinking and objects blanked out, so that places stay what they were."""
    whole: str
    """As it was read: without invisible characters."""
    objects: list[Found] = field(default_factory=list)
    cut: str | None = None
    """An object or a thinking block that never ends."""
    cut_at: int = 0


def visible(text: str) -> str:
    """Return a text without invisible characters, compatibility forms made plain."""
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text))


def scan(reply: str) -> Scan:
    """Take a reply apart; never raises."""
    whole = _unwrapped(visible(reply))
    whole = _after_lone_close(whole)
    found = Scan(text="", whole=whole)
    kept: list[str] = []
    at = 0
    while at < len(whole):
        stop = _next(whole, at)
        kept.append(whole[at:stop])
        if stop == len(whole):
            break
        end = _taken(whole, stop, found)
        if end is None:
            kept.append(whole[stop : stop + 1])
            end = stop + 1
        else:
            kept.append(re.sub(r"[^\n]", " ", whole[stop:end]))
        at = end
    found.text = "".join(kept)
    return found


def _unwrapped(text: str) -> str:
    """A reply that is one JSON string holds what the string holds."""
    stripped = text.strip()
    if len(stripped) > 1 and stripped[0] == stripped[-1] == '"':
        try:
            inner = json.loads(stripped)
        except ValueError:
            return text
        if isinstance(inner, str):
            return inner
    return text


def _after_lone_close(text: str) -> str:
    """Some providers eat the opening tag: what stands before a lone closing one was thought."""
    close = _CLOSE.search(text)
    opened = _OPEN.search(text)
    if close is None or (opened is not None and opened.start() < close.start()):
        return text
    brace = text.find("{")
    object_ = _decoded(text, brace) if 0 <= brace < close.start() else None
    if object_ is not None and object_[1] > close.start():
        return text  # the tag stands in one of its strings
    return " " * close.end() + text[close.end() :]


def _next(text: str, at: int) -> int:
    opened = _OPEN.search(text, at)
    brace = text.find("{", at)
    places = [place for place in (opened.start() if opened else -1, brace) if place >= 0]
    return min(places, default=len(text))


def _taken(text: str, at: int, found: Scan) -> int | None:
    """Take the block that begins at `at`; None: it is ordinary text."""
    if text[at] != "{":
        return _thinking(text, at, found)
    decoded = _decoded(text, at)
    if decoded is not None:
        pairs, end = decoded
        found.objects.append(Found(at, end, pairs, text[at:end]))
        return end
    if not _LIKE_OBJECT.match(text, at):
        return None
    closing = _balanced(text, at)
    if closing is None:
        found.cut, found.cut_at = "object", at
        return len(text)
    repaired = _repaired(text[at:closing])
    if repaired is not None:
        found.objects.append(Found(at, closing, repaired, text[at:closing], repaired=True))
    return closing


def _thinking(text: str, at: int, found: Scan) -> int | None:
    opened = _OPEN.match(text, at)
    if opened is None:
        return None
    name = opened.group(1) or opened.group(2)
    pattern = rf"<\s*/\s*{name}\s*>" if opened.group(1) else rf"\[\s*/\s*{name}\s*\]"
    close = re.compile(pattern, re.IGNORECASE).search(text, opened.end())
    if close is not None:
        return close.end()
    found.cut, found.cut_at = "thinking", at
    return len(text)


def _decoded(text: str, at: int) -> tuple[Pairs, int] | None:
    try:
        value, end = json.JSONDecoder(object_pairs_hook=Pairs).raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, Pairs) else None


def _balanced(text: str, at: int) -> int | None:
    """Return where the braces that open at `at` are closed again, outside of strings."""
    depth, quoted, escaped = 0, False, False
    for place in range(at, len(text)):
        sign = text[place]
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif not quoted and sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return place + 1
    return None


def _repaired(raw: str) -> Pairs | None:
    from json_repair import repair_json

    try:
        value = repair_json(raw.translate(_STRAIGHT), return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    return as_pairs(value) if isinstance(value, Mapping) else None


def as_pairs(value: Any) -> Any:
    """Return mappings as `Pairs`, whatever they lie in."""
    if isinstance(value, Mapping):
        return Pairs((str(key), as_pairs(item)) for key, item in value.items())
    if isinstance(value, list) and not isinstance(value, Pairs):
        return [as_pairs(item) for item in value]
    return value
