"""Which type does a record want at a place?"""

import types
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from trajaudit.record.fault import Loc

_UNIONS = (Union, types.UnionType)


def field_names(model: type[BaseModel], loc: Loc) -> list[str]:
    """Return the names, as written in YAML, that the record at `loc` knows."""
    found = [option for option in types_at(model, loc) if _is_record(option)]
    names = {field.alias or name for record in found for name, field in record.model_fields.items()}
    return sorted(names)


def types_at(model: type[BaseModel], loc: Loc) -> list[Any]:
    """Return the types that are possible at `loc`, unions taken apart."""
    options: list[Any] = [model]
    for part in loc:
        options = [inner for option in options for inner in step(option, part)]
    return options


def options_of(annotation: Any) -> list[Any]:
    """Return the members of a type: of a union all, of an annotated type the type."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return options_of(get_args(annotation)[0])
    if origin in _UNIONS:
        return [inner for member in get_args(annotation) for inner in options_of(member)]
    return [annotation]


def step(option: Any, part: str | int) -> list[Any]:
    """Return the types that are possible one part of a location further."""
    if _is_record(option):
        # What names the member may be the name of a field as well: a target has both.
        return [*([option] if part in _tags(option) else []), *_members(option).get(part, [])]
    arguments = get_args(option)
    if get_origin(option) is dict:
        return options_of(arguments[1])
    if get_origin(option) is tuple and isinstance(part, int):
        return options_of(arguments[0])
    return []


@cache
def _tags(record: type[BaseModel]) -> frozenset[object]:
    """Return what names this member of a union in a location, without being a field."""
    key = getattr(record, "key", None)
    kind = record.model_fields.get("kind")
    literals = get_args(kind.annotation) if kind and get_origin(kind.annotation) is Literal else ()
    return frozenset([*literals, *([key] if key is not None else [])])


@cache
def _members(record: type[BaseModel]) -> dict[str | int, list[Any]]:
    found: dict[str | int, list[Any]] = {}
    for name, field in record.model_fields.items():
        options = options_of(field.annotation)
        found.update({name: options, field.alias or name: options})
    return found


def _is_record(option: Any) -> bool:
    return isinstance(option, type) and issubclass(option, BaseModel)
