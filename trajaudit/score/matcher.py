"""Does a value satisfy a matcher as it stands, without any tolerance that the matcher lacks?"""

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import Literal

import jsonschema
from pydantic import JsonValue

from trajaudit.datamodel.accept import Matcher
from trajaudit.score.argument_repair import canonical

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
    if kind == "any":
        return True
    if kind == "approx":
        return is_near(matcher.approx, matcher.within, value)
    if kind == "regex":
        return isinstance(value, str) and fits_regex(matcher.regex or "", value)
    if kind == "schema":
        return fits_schema(matcher.schema_ or {}, value)
    if kind == "like":
        return isinstance(value, str) and gist(value) == gist(matcher.like or "")
    wanted = [canonical(item) for item in _alternatives(matcher, kind)]
    if kind == "unordered":
        return isinstance(value, list) and sorted(wanted) == sorted(map(canonical, value))
    return canonical(value) in wanted


def _alternatives(matcher: Matcher, kind: Kind) -> tuple[JsonValue, ...]:
    if kind == "any_of":
        return matcher.any_of or ()
    if kind == "unordered":
        return matcher.unordered or ()
    return (matcher.strict if kind == "strict" else matcher.exact,)


def is_near(wanted: float | None, within: float | None, value: JsonValue) -> bool:
    """Whether a number is near another: by an absolute distance, else a relative 1e-6."""
    if wanted is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        distance = abs(Decimal(str(value)) - Decimal(str(wanted)))
        limit = (
            Decimal(str(within)) if within is not None else abs(Decimal(str(wanted))) * _RELATIVE
        )
        return distance <= limit
    except InvalidOperation:
        return False


def fits_regex(pattern: str, text: str) -> bool:
    """Whether the whole text fits the pattern; a pattern that cannot be compiled fits nothing."""
    try:
        return re.fullmatch(pattern, text) is not None
    except re.error:
        return False


def fits_schema(schema: dict[str, JsonValue], value: JsonValue) -> bool:
    """Whether a value is valid under a JSON Schema; a broken schema validates nothing."""
    return not schema_faults(schema, value)


def schema_faults(schema: dict[str, JsonValue], value: JsonValue) -> list[str]:
    """Return what is wrong with a value under a schema, one message a fault."""
    try:
        validator = jsonschema.validators.validator_for(schema)(schema)
        faults = sorted(validator.iter_errors(value), key=lambda error: list(map(str, error.path)))
    except Exception as error:  # noqa: BLE001 (a broken schema raises anything, also in references)
        return [f"the schema cannot be applied: {type(error).__name__}"]
    return [fault.message[:200] for fault in faults]


def gist(text: str) -> str:
    """Fold case, blanks, punctuation and compatibility forms."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w\s]|_", " ", plain).split())
