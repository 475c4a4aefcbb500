"""Where do two states of a world differ? Numbers by value; leniently also numbers kept as text."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from trajaudit.datamodel.worldpath import locate, parse_path
from trajaudit.score.argument_repair import is_exact_integer
from trajaudit.score.json_text import parse_strictly

_NUMERAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)


def same_value(wanted: JsonValue, found: JsonValue) -> bool:
    """Whether two JSON values are equal; 42 equals 42.0, 1 is not true."""
    return next(differences(wanted, found), None) is None


def same_meaning(wanted: JsonValue, found: JsonValue) -> tuple[str, ...] | None:
    """Return the tolerances under which two scalars say the same, or None."""
    if same_value(wanted, found):
        return ()
    if isinstance(wanted, str) and isinstance(found, str):
        if _text(wanted) == _text(found):
            return (
                ("unicode_nfc",) if wanted.strip() == wanted == found.strip() else ("whitespace",)
            )
        return None
    for number, text in ((wanted, found), (found, wanted)):
        if _is_number(number) and isinstance(text, str) and _NUMERAL.fullmatch(text.strip()):
            return ("numeric_string",) if same_value(number, parse_strictly(text)) else None
    return None


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
    elif not _same_scalar(wanted, found):
        rungs = (
            same_meaning(wanted, found) if used is not None and _scalars(wanted, found) else None
        )
        if rungs is None:
            yield at
        elif used is not None:
            used += rungs


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


def _scalars(*values: JsonValue) -> bool:
    return not any(isinstance(value, (dict, list)) for value in values)


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
