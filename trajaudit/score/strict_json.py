"""What does a text say as RFC 8259 JSON, to the letter?"""

import json
from collections.abc import Sequence
from itertools import chain
from typing import NoReturn

import orjson
from pydantic import JsonValue

_EXACT = frozenset({str, int, bool, type(None)})
"""Types of values that orjson reads as every other parser does."""
_OBJECT = frozenset({dict})
_values = dict[str, JsonValue].values


def parse_strictly(text: str) -> JsonValue:
    """Parse RFC 8259 JSON; a name given twice, NaN and infinity are errors (ValueError)."""
    if text[:1] != "{":
        return _parse_slowly(text)
    # An object of texts, small integers and words, as most arguments are, is parsed faster. orjson
    # takes the last of two values of one name, and a float for a large integer. An object that has
    # as many names as the text has colons has no name twice and nothing inside; one without floats
    # has lost no digit.
    try:
        value: JsonValue = orjson.loads(text)
    except ValueError:
        return _parse_slowly(text)
    if not isinstance(value, dict) or text.count(":") != len(value):
        return _parse_slowly(text)
    for one in value.values():
        if type(one) not in _EXACT:
            return _parse_slowly(text)
    return value


def _parse_slowly(text: str) -> JsonValue:
    try:
        if text[:1] == "{":  # nearly always; what follows is looked for only where something does
            found: tuple[JsonValue, int] = _STRICT.raw_decode(text)
            if found[1] == len(text):
                return found[0]
        value: JsonValue = _STRICT.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def parse_plain_objects(texts: Sequence[str]) -> list[dict[str, JsonValue]] | None:
    """Parse texts that are plain objects, all in one go; None where one of them is anything else.

    They are parsed as one list. That each value comes from its own text follows from the counts:
    no string spans two texts, since a raw line feed ends it; an object that spans two has, after
    the comma between them, a name of the second, hence more names than the first has colons; and
    a text that holds more than one object has more colons than its first has names, or holds empty
    ones, after which nothing with a colon can follow in its place, so that there are too many.
    """
    try:
        values = orjson.loads("[" + ",\n".join(texts) + "]")
    except ValueError:
        return None
    if not _OBJECT.issuperset(map(type, values)):
        return None
    if list(map(len, values)) != [text.count(":") for text in texts]:
        return None
    if not _EXACT.issuperset(map(type, chain.from_iterable(map(_values, values)))):
        return None
    found: list[dict[str, JsonValue]] = values
    return found


def _distinct(pairs: list[tuple[str, JsonValue]]) -> JsonValue:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name is given twice")
    return value


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


_STRICT = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_no_constant)
