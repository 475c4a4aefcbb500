"""Where do two states of a world differ? Numbers by value; leniently also numbers kept as text."""

import unicodedata
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from trajaudit.datamodel.worldpath import locate, parse_path
from trajaudit.score.argument_repair import is_exact_integer, numeral_of


def same_value(wanted: JsonValue, found: JsonValue) -> bool:
    """Whether two JSON values are equal; 42 equals 42.0, 1 is not true."""
    return next(differences(wanted, found), None) is None


def differences(
    wanted: JsonValue, found: JsonValue, at: str = "$", used: list[str] | None = None
) -> Iterator[str]:
    """Yield the paths at which two values differ; with `used`, tolerances are added to it."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in sorted(wanted.keys() | found.keys()):
            if key in wanted and key in found:
                yield from differences(wanted[key], found[key], f"{at}.{key}", used)
            else:
                yield f"{at}.{key}"
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from differences(one, other, f"{at}[{number}]", used)
    elif not _same_scalar(wanted, found) and not _tolerated(wanted, found, used):
        yield at


def _tolerated(wanted: JsonValue, found: JsonValue, used: list[str] | None) -> bool:
    if used is None:
        return False
    rung = _tolerance(wanted, found)
    used += [] if rung is None else [rung]
    return rung is not None


def _tolerance(wanted: JsonValue, found: JsonValue) -> str | None:
    """Name the tolerance under which two different scalars say the same."""
    if isinstance(wanted, str) and isinstance(found, str):
        if _text(wanted) != _text(found):
            return None
        composed = [unicodedata.normalize("NFC", text) for text in (wanted, found)]
        return "unicode_nfc" if composed[0] == composed[1] else "whitespace"
    for number, text in ((wanted, found), (found, wanted)):
        if _is_number(number) and isinstance(text, str):
            read = numeral_of(text.strip())
            return "numeric_string" if read is not None and _same_scalar(number, read) else None
    return None


def without(world: JsonValue, paths: Sequence[str]) -> JsonValue:
    """Return the world without what the paths name; an element of a list becomes null.

    Raises:
        ValueError: a path is not in the dotted form.
    """
    for path in paths:
        for concrete, _ in locate(world, path):
            world = _cut(world, [str(part) for part in parse_path(concrete)])
    return world


def _cut(value: JsonValue, where: list[str]) -> JsonValue:
    if not where:
        return None
    head, rest = where[0], where[1:]
    if isinstance(value, dict):
        if not rest:
            return {key: item for key, item in value.items() if key != head}
        return {key: _cut(item, rest) if key == head else item for key, item in value.items()}
    if isinstance(value, list):
        return [
            (_cut(item, rest) if str(number) == head else item) for number, item in enumerate(value)
        ]
    return value


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same_scalar(wanted: JsonValue, found: JsonValue) -> bool:
    if _is_number(wanted) and _is_number(found):
        return _plain(wanted) == _plain(found)
    return type(wanted) is type(found) and wanted == found


def _plain(value: JsonValue) -> JsonValue:
    """Turn an integral float into its integer, so that comparing loses no digit."""
    return int(value) if isinstance(value, float) and is_exact_integer(value) else value


def _text(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip())
