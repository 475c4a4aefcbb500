"""Is a value plainly valid under a JSON Schema? Yes is certain; no means: ask the validator.

Most tools declare an object of named values of plain types, and most calls fit. Such a schema is
turned into checks once; whatever says more than that is left to the validator.
"""

from collections.abc import Callable, Mapping
from operator import ge, gt, le, lt, pos
from typing import Any

Check = Callable[[Any], bool]
_TYPES: dict[str, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
    "null": frozenset({type(None)}),
}
_SILENT = frozenset(
    {"$schema", "title", "description", "default", "examples", "deprecated", "readOnly", "format"}
)
"""Keywords that no value can offend: nothing checks a format."""
_DRAFTS = frozenset(
    {f"http://json-schema.org/draft-0{number}/schema" for number in (6, 7)}
    | {f"https://json-schema.org/draft/{name}/schema" for name in ("2019-09", "2020-12")}
)
"""Versions of JSON Schema in which all that is read here means the same."""
_LENGTHS: dict[str, dict[str, Callable[[Any, Any], bool]]] = {
    "string": {"minLength": ge, "maxLength": le},
    "array": {"minItems": ge, "maxItems": le},
}
_NUMBERS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": ge,
    "maximum": le,
    "exclusiveMinimum": gt,
    "exclusiveMaximum": lt,
}
_DEPTH = 8


def plain_check(schema: object, depth: int = 0) -> Check | None:
    """Return a check of the schema; None: it says what only the validator can judge."""
    if not isinstance(schema, dict) or depth > _DEPTH or not _is_of_known_draft(schema):
        return None
    keys = {key for key in schema if key not in _SILENT and not str(key).startswith("x-")}
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return _bounded(schema, keys, depth, _NUMBERS, pos)
    if kind in ("string", "array"):
        return _bounded(schema, keys, depth, _LENGTHS[kind], len)
    return _unbounded(schema, keys, depth)


def _is_of_known_draft(schema: Mapping[str, Any]) -> bool:
    named = schema.get("$schema")
    return named is None or (isinstance(named, str) and named.removesuffix("#") in _DRAFTS)


def _unbounded(schema: Mapping[str, Any], keys: set[str], depth: int) -> Check | None:
    if keys == {"anyOf"}:
        return _any_of(schema["anyOf"], depth)
    kind = schema.get("type")
    if kind == "object":
        return _object(schema, keys, depth)
    if kind == "array" and keys <= {"type", "items"}:
        return _array(schema, depth)
    if keys == {"type", "enum"} and kind == "string":
        return _member(schema["enum"])
    return _scalar(kind) if keys == {"type"} else None


def _bounded(
    schema: Mapping[str, Any],
    keys: set[str],
    depth: int,
    compared: Mapping[str, Callable[[Any, Any], bool]],
    size: Callable[[Any], Any],
) -> Check | None:
    check = _unbounded(schema, keys - compared.keys(), depth)
    bounds = [(compare, schema[key]) for key, compare in compared.items() if key in keys]
    if check is None or not bounds:
        return check
    if not all(type(limit) in {int, float} for _, limit in bounds):
        return None
    return lambda value: check(value) and all(fits(size(value), limit) for fits, limit in bounds)


def _scalar(kind: object) -> Check | None:
    names = kind if isinstance(kind, list) else [kind]
    known = [_TYPES[name] for name in names if isinstance(name, str) and name in _TYPES]
    if not known or len(known) != len(names):
        return None
    types = frozenset[type]().union(*known)
    return lambda value: type(value) in types


def _member(listed: object) -> Check | None:
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        return None
    members = frozenset(listed)
    return lambda value: type(value) is str and value in members


def _array(schema: Mapping[str, Any], depth: int) -> Check | None:
    if "items" not in schema:
        return lambda value: type(value) is list
    item = plain_check(schema["items"], depth + 1)
    if item is None:
        return None
    return lambda value: type(value) is list and all(map(item, value))


def _any_of(branches: object, depth: int) -> Check | None:
    if not isinstance(branches, list) or not branches:
        return None
    checks = [plain_check(branch, depth + 1) for branch in branches]
    known = [check for check in checks if check is not None]
    if len(known) != len(checks):
        return None
    return lambda value: any(check(value) for check in known)


def _object(schema: Mapping[str, Any], keys: set[str], depth: int) -> Check | None:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    open_ = schema.get("additionalProperties", True)
    if not keys <= {"type", "properties", "required", "additionalProperties"}:
        return None
    if not (isinstance(properties, dict) and isinstance(required, list) and type(open_) is bool):
        return None
    checks = {name: plain_check(one, depth + 1) for name, one in properties.items()}
    known = {name: check for name, check in checks.items() if check is not None}
    if len(known) != len(checks) or not all(isinstance(name, str) for name in required):
        return None
    return _of_properties(known, frozenset(required), is_open=open_)


def _of_properties(
    checks: Mapping[str, Check], required: frozenset[str], *, is_open: bool
) -> Check:
    def check(value: Any) -> bool:
        if type(value) is not dict or not required <= value.keys():
            return False
        for name, item in value.items():
            fits = checks.get(name)
            if not (is_open if fits is None else fits(item)):
                return False
        return True

    return check
