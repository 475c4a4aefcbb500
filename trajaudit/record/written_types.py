"""Is each value written as the type that is wanted? Nothing is converted in silence."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from trajaudit.datamodel.accept import MATCHER_KEYS, ExpectedCall, Matcher
from trajaudit.record.check import Found
from trajaudit.record.fault import described
from trajaudit.record.typed_fields import step, types_at
from trajaudit.record.yaml_nodes import Node

_WANTED = {bool: "true or false", int: "a whole number", float: "a number"}
_MATCHER_KEYS = {*MATCHER_KEYS, "within", "exact"}


def written_faults(root: Node, model: type[BaseModel]) -> Iterator[Found]:
    """Yield where text stands for a number, true for 1, and the like."""
    yield from _walk(root, types_at(model, ()), ())


def _walk(node: Node, options: list[Any], loc: tuple[str | int, ...]) -> Iterator[Found]:
    if Matcher in options and not node.children.keys() <= _MATCHER_KEYS:
        return  # a mapping that is meant as it stands
    if node.kind == "scalar":
        text = _fault(node.value, options)
        if text:
            yield loc, text
    for key, child in node.children.items():
        inner = [found for option in options for found in step(option, key)]
        if not inner and ExpectedCall in options:
            inner = types_at(ExpectedCall, ("arguments",))
        if inner:
            yield from _walk(child, inner, (*loc, key))


def _fault(value: Any, options: list[Any]) -> str | None:
    """Return a fault when none of the `options` is what `value` is, but one would be made of it."""
    wanted = [kind for kind in _WANTED if kind in options]
    others = [option for option in options if option not in {*_WANTED, type(None)}]
    if not wanted or others or value is None or _fits(value, wanted):
        return None
    return f"wrong type; got {described(value)}; {_WANTED[wanted[0]]} is wanted"


def _fits(value: Any, wanted: list[type]) -> bool:
    if isinstance(value, (bool, str)):
        return type(value) in wanted
    return not isinstance(value, (int, float)) or wanted != [bool]
