"""How two worlds differ: JSON patches (RFC 6902) that the journal holds after each call.

Deliberate: only `add`, `remove` and `replace` are written, and lists are compared by position,
so that a patch can be read next to the call that caused it.
"""

import copy
from collections.abc import Iterable, Iterator
from typing import cast

from pydantic import JsonValue

Patch = tuple[dict[str, JsonValue], ...]


def diff(before: JsonValue, after: JsonValue) -> Patch:
    """Return the patch that turns `before` into `after`; empty when they are the same JSON.

    `1`, `1.0` and `true` are three values here: the end state is rebuilt digit by digit.
    """
    return tuple(_changes("", before, after))


def apply(world: JsonValue, patch: Iterable[dict[str, JsonValue]]) -> JsonValue:
    """Return a new world with the patch applied; `world` itself stays as it is.

    Raises:
        ValueError: the patch does not fit this world, or uses an operation other than
            add, remove and replace.
    """
    root: dict[str, JsonValue] = {"": copy.deepcopy(world)}
    for change in patch:
        try:
            _carry_out(root, change)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"patch does not fit the world: {change!r}") from error
    return root[""]


def _changes(at: str, before: JsonValue, after: JsonValue) -> Iterator[dict[str, JsonValue]]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _object_changes(at, before, after)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_changes(at, before, after)
    elif type(before) is not type(after) or before != after:
        yield {"op": "replace", "path": at, "value": copy.deepcopy(after)}


def _object_changes(
    at: str, before: dict[str, JsonValue], after: dict[str, JsonValue]
) -> Iterator[dict[str, JsonValue]]:
    for key, value in before.items():
        if key in after:
            yield from _changes(_below(at, key), value, after[key])
        else:
            yield {"op": "remove", "path": _below(at, key)}
    for key, value in after.items():
        if key not in before:
            yield {"op": "add", "path": _below(at, key), "value": copy.deepcopy(value)}


def _list_changes(
    at: str, before: list[JsonValue], after: list[JsonValue]
) -> Iterator[dict[str, JsonValue]]:
    shared = min(len(before), len(after))
    for index in range(shared):
        yield from _changes(_below(at, str(index)), before[index], after[index])
    for index in range(len(before) - 1, shared - 1, -1):
        yield {"op": "remove", "path": _below(at, str(index))}
    for value in after[shared:]:
        yield {"op": "add", "path": _below(at, "-"), "value": copy.deepcopy(value)}


def _below(at: str, key: str) -> str:
    """Extend a JSON pointer (RFC 6901)."""
    return f"{at}/{key.replace('~', '~0').replace('/', '~1')}"


def _carry_out(root: dict[str, JsonValue], change: dict[str, JsonValue]) -> None:
    pointer = cast("str", change["path"])
    *above, last = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")]
    if change["op"] not in ("add", "remove", "replace"):
        raise ValueError(f"unknown operation {change['op']!r}")
    parent: JsonValue = root
    for key in above:
        parent = _entry(parent, key)
    if isinstance(parent, list):
        _edit_list(parent, last, change)
    elif not isinstance(parent, dict):
        raise TypeError(f"nothing can lie below {parent!r}")
    elif change["op"] == "remove":
        del parent[last]
    else:
        parent[last] = copy.deepcopy(change["value"])


def _entry(parent: JsonValue, key: str) -> JsonValue:
    if isinstance(parent, dict):
        return parent[key]
    if isinstance(parent, list):
        return parent[int(key)]
    raise TypeError(f"nothing can lie below {parent!r}")


def _edit_list(values: list[JsonValue], key: str, change: dict[str, JsonValue]) -> None:
    index = len(values) if key == "-" else int(key)
    if change["op"] == "remove":
        del values[index]
    elif change["op"] == "replace":
        values[index] = copy.deepcopy(change["value"])
    else:
        values.insert(index, copy.deepcopy(change["value"]))
