"""Which entries of a nested object are beside the point: its schema lets them pass unknown."""

from pydantic import JsonValue

from trajaudit.score.argument_repair import canonical
from trajaudit.score.schema_view import SchemaView


def is_extra(key: str, view: SchemaView) -> bool:
    """Whether a nested entry is unknown to a schema that knows others and lets it pass.

    Where a schema knows no entry, each of them is data, and none is beside the point.
    """
    return bool(view.properties) and key not in view.properties and view.is_open


def has_all(wanted: JsonValue, given: JsonValue, view: SchemaView) -> bool:
    """Whether a form says what another one says, and beyond it only what the schema lets pass."""
    view = view.chosen(given)
    if isinstance(wanted, dict) and isinstance(given, dict):
        return all(
            has_all(wanted[key], given[key], view.property_(key))
            if key in wanted and key in given
            else key not in wanted and is_extra(key, view)
            for key in wanted.keys() | given.keys()
        )
    if not isinstance(wanted, list) or not isinstance(given, list) or len(wanted) != len(given):
        return canonical(wanted) == canonical(given)
    if view.text("x-order") == "any":
        return _have_all(wanted, given, view.items())
    return all(has_all(a, b, view.items()) for a, b in zip(wanted, given, strict=True))


def _have_all(wanted: list[JsonValue], given: list[JsonValue], view: SchemaView) -> bool:
    """Whether each item finds one of its own that has all of it; equal ones are paired first."""
    rest = list(given)
    for item in sorted(wanted, key=lambda item: item not in given):
        numbered = enumerate(rest)
        found = next((at for at, other in numbered if has_all(item, other, view)), None)
        if found is None:
            return False
        del rest[found]
    return True
