"""Whether written arguments (`"*"` = anything) match those of a call."""

from collections.abc import Mapping

from pydantic import JsonValue

ANYTHING = "*"


def same_json(left: JsonValue, right: JsonValue) -> bool:
    """Whether two values are the same JSON: 1 equals 1.0, and true equals neither."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            same_json(value, right[key]) for key, value in left.items()
        )
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def specificity(
    pattern: Mapping[str, JsonValue], arguments: Mapping[str, JsonValue]
) -> tuple[int, int] | None:
    """Return how exactly `pattern` describes the call, or None when it does not match.

    A call matches when it has each listed argument, equal or `"*"`; arguments that are not
    listed do not matter. More equal ones beat more `"*"`, which beat fewer.
    """
    if any(
        name not in arguments or (value != ANYTHING and not same_json(value, arguments[name]))
        for name, value in pattern.items()
    ):
        return None
    free = sum(1 for value in pattern.values() if value == ANYTHING)
    return len(pattern) - free, free
