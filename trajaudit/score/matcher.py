"""Does a value satisfy a matcher as it stands, without any tolerance that the matcher lacks?"""

import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal, cast

from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from pydantic import JsonValue
from referencing import Registry

from trajaudit.datamodel.accept import Matcher
from trajaudit.score.argument_repair import canonical
from trajaudit.score.extract.linear_pattern import fits
from trajaudit.score.identity import Same
from trajaudit.score.plain_schema import Check, plain_check

Kind = Literal["exact", "strict", "approx", "any_of", "any", "regex", "schema", "like", "unordered"]
_KINDS: dict[str, Kind] = {
    "exact": "exact",
    "strict": "strict",
    "approx": "approx",
    "any_of": "any_of",
    "any": "any",
    "regex": "regex",
    "schema_": "schema",
    "like": "like",
    "unordered": "unordered",
}
_RELATIVE = Decimal("1e-6")


def kind_of(matcher: Matcher) -> Kind:
    """Return the one field that is set; a matcher without any demands null."""
    for field, kind in _KINDS.items():
        if field in matcher.model_fields_set:
            return kind
    return "exact"


def is_matched(matcher: Matcher, value: JsonValue) -> bool:
    """Whether `value` satisfies the matcher literally; a broken matcher is never satisfied."""
    kind = kind_of(matcher)
    if kind in {"exact", "strict", "any_of"}:
        return any(_is_same(value, item) for item in _alternatives(matcher, kind))
    return _SPECIAL[kind](matcher, value)


def _is_same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are equal as JSON; only nested ones are written to see it."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (str, bool, int)) or one is None:
        return one == other
    return canonical(one) == canonical(other)


def _alternatives(matcher: Matcher, kind: Kind) -> tuple[JsonValue, ...]:
    if kind == "any_of":
        return matcher.any_of or ()
    return (matcher.strict if kind == "strict" else matcher.exact,)


def _like(matcher: Matcher, value: JsonValue) -> bool:
    return isinstance(value, str) and gist(value) == gist(matcher.like or "")


def _unordered(matcher: Matcher, value: JsonValue) -> bool:
    wanted = sorted(map(canonical, matcher.unordered or ()))
    return isinstance(value, list) and wanted == sorted(map(canonical, value))


_SPECIAL: dict[Kind, Callable[[Matcher, JsonValue], bool]] = {
    "any": lambda _matcher, _value: True,
    "approx": lambda matcher, value: is_near(matcher.approx, matcher.within, value),
    "regex": lambda matcher, value: (
        isinstance(value, str) and fits_regex(matcher.regex or "", value)
    ),
    "schema": lambda matcher, value: fits_schema(matcher.schema_ or {}, value),
    "like": _like,
    "unordered": _unordered,
}


def is_near(wanted: float | None, within: float | None, value: JsonValue) -> bool:
    """Whether a number is near another: by an absolute distance, else a relative 1e-6."""
    if wanted is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        distance = abs(Decimal(str(value)) - Decimal(str(wanted)))
        limit = Decimal(str(within if within is not None else abs(wanted)))
        return distance <= (limit if within is not None else limit * _RELATIVE)
    except InvalidOperation:  # infinity and NaN are near nothing
        return False


def fits_regex(pattern: str, text: str) -> bool:
    """Whether the whole text fits; a pattern that is not matched in linear time fits nothing."""
    return fits(pattern, text) is True


def fits_schema(schema: dict[str, JsonValue], value: JsonValue) -> bool:
    """Whether a value is valid under a JSON Schema; a broken schema validates nothing."""
    return not schema_faults(schema, value)


def schema_faults(schema: dict[str, JsonValue], value: JsonValue) -> list[str]:
    """Return what is wrong with a value under a schema, one message a fault."""
    same = Same(schema)
    plain = _plain(same)
    if plain is not None and plain(value):
        return []
    try:
        faults = sorted(
            _validator(same).iter_errors(value),
            key=lambda error: list(map(str, error.path)),
        )
    except Exception as error:  # noqa: BLE001 (a broken schema raises anything, also in references)
        return [f"the schema cannot be applied: {type(error).__name__}"]
    return [fault.message[:200] for fault in faults]


@lru_cache(maxsize=256)
def _plain(one: Same) -> Check | None:
    return plain_check(one.things[0])


@lru_cache(maxsize=256)
def _validator(one: Same) -> Validator:
    schema = cast("dict[str, JsonValue]", one.things[0])
    found: Validator = validator_for(schema)(schema, registry=Registry())  # nothing is fetched
    return found


def gist(text: str) -> str:
    """Fold case, blanks, punctuation and compatibility forms."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w\s]|_", " ", plain).split())
