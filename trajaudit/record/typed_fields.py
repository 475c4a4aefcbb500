"""Which type does a record want at a place?"""

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from trajaudit.record.fault import Loc

_UNIONS = (Union, types.UnionType)


def field_names(model: type[BaseModel], loc: Loc) -> list[str]:
    """Return the names, as written in YAML, that the record at `loc` knows."""
    found = [option for option in types_at(model, loc) if _is_record(option)]
    return sorted({field.alias or name for record in found for name, field in _fields(record)})


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
        for name, field in _fields(option):
            if part in {name, field.alias} and not _is_tag(option, part):
                return options_of(field.annotation)
        return [option] if _is_tag(option, part) else []
    arguments = get_args(option)
    if get_origin(option) is dict:
        return options_of(arguments[1])
    if get_origin(option) is tuple and isinstance(part, int):
        return options_of(arguments[0])
    return []


def _is_tag(record: type[BaseModel], part: str | int) -> bool:
    """Tell whether `part` of a location names the member of a union, not a field."""
    if getattr(record, "key", None) == part:
        return True
    kind = record.model_fields.get("kind")
    return (
        kind is not None
        and get_origin(kind.annotation) is Literal
        and part in get_args(kind.annotation)
    )


def _is_record(option: Any) -> bool:
    return isinstance(option, type) and issubclass(option, BaseModel)


def _fields(record: type[BaseModel]) -> list[tuple[str, Any]]:
    return list(record.model_fields.items())
