"""Is a JSON Schema valid?"""

from collections.abc import Callable
from typing import Any

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
    return None


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
