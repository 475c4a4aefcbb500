"""Reads the raw argument text of a tool call: exactly, or not at all."""

import json
import math
from typing import NoReturn

import msgspec
from pydantic import JsonValue

MAX_DEPTH = 100
"""Deeper nesting is nobody's honest argument, and breaks what works recursively."""


def parsed(text: str) -> tuple[JsonValue, str | None]:
    """Return the value of a JSON text and None, or None and what is wrong with it.

    Integers keep every digit. NaN and infinities are no JSON. Of a key that comes twice the last
    one counts, as everywhere.
    """
    try:
        value: JsonValue = _read(text)
    except RecursionError:
        return None, f"nested too deeply; at most {MAX_DEPTH} levels"
    except ValueError as e:
        text = str(e)
        return None, f"not JSON; {text[:1].lower()}{text[1:]}"
    # Each level has a bracket: few brackets are not counted level by level.
    if text.count("[") + text.count("{") >= MAX_DEPTH and _depth(value) > MAX_DEPTH:
        return None, f"nested too deeply; at most {MAX_DEPTH} levels"
    return value, None


def _read(text: str) -> JsonValue:
    """Return the value; what is wrong with a text is told by the slower reader."""
    try:
        quick: JsonValue = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        pass
    else:
        return quick
    exact: JsonValue = json.loads(text, parse_constant=_refused, parse_float=_finite)
    return exact


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def _refused(name: str) -> NoReturn:
    raise ValueError(f"the number {name} is none of JSON")


def _depth(value: JsonValue) -> int:
    depth, level = 0, [value]
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            item
            for parent in level
            if isinstance(parent, (dict, list))
            for item in (parent.values() if isinstance(parent, dict) else parent)
        ]
    return depth
