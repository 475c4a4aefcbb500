"""Is a JSON Schema valid?"""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def schema_fault(schema: Any) -> str | None:
    """Return what is wrong with a JSON Schema (draft 2020-12), or None."""
    if _is_plain(schema):
        return None
    # Slow to import, and most schemas of tools are plain.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        where = "/".join(str(part) for part in error.absolute_path)
        return f"no JSON Schema; {error.message[:120]}{f' at {where}' if where else ''}"
    except RecursionError:
        return "no JSON Schema; nested too deep"
    # Validators fetch what lies elsewhere; a scenario must not make anybody call a host.
    for reference in _references(schema):
        if not _leads_somewhere(schema, reference):
            got = f"got the reference {reference[:60]!r}"
            return f"no JSON Schema on its own; {got}; refer to a place inside, like #/$defs/name"
    return None


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key in {"$ref", "$dynamicRef"} and isinstance(value, str):
                yield value
            elif key not in {"const", "enum", "default", "examples"}:
                yield from _references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)


def _leads_somewhere(schema: Any, reference: str) -> bool:
    if not reference.startswith("#/"):
        return reference == "#"
    place = schema
    for step in reference[2:].split("/"):
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        else:
            return False
    return True


def _is_plain(schema: Any) -> bool:
    """Tell whether a schema is certainly valid: only well-known keywords with right values."""
    if isinstance(schema, bool):
        return True
    return isinstance(schema, dict) and all(_is_plain_pair(*pair) for pair in schema.items())


def _is_plain_pair(key: str, value: Any) -> bool:
    check = _PLAIN.get(key)
    return check is not None and check(value)


def _is_names(value: Any) -> bool:
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return texts and len(set(value)) == len(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_PLAIN: dict[str, Callable[[Any], bool]] = {
    "type": lambda value: isinstance(value, str) and value in _TYPES,
    "properties": lambda value: isinstance(value, dict) and all(map(_is_plain, value.values())),
    "required": _is_names,
    "enum": lambda value: isinstance(value, list) and value != [],
    **dict.fromkeys(("title", "description"), lambda value: isinstance(value, str)),
    **dict.fromkeys(("default", "const"), lambda _: True),
    **dict.fromkeys(("items", "additionalProperties"), _is_plain),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _is_count),
}
