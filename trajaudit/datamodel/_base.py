"""The base of every record."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1
R = TypeVar("R", bound="Record")


class Record(BaseModel):
    """An immutable record; an unknown field is an error, never ignored."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        serialize_by_alias=True,
        validate_by_name=True,
        validate_by_alias=True,
    )


_slots = vars(BaseModel)
_set_values, _set_extra = _slots["__dict__"].__set__, _slots["__pydantic_extra__"].__set__
_set_given, _set_private = (
    _slots[name].__set__ for name in ("__pydantic_fields_set__", "__pydantic_private__")
)


def checked(kind: type[R]) -> Callable[..., R]:
    """Return what makes records of a kind of values that another record holds, in their order; none
    is checked again, which takes most of the time of making one.

    It raises TypeError where not every field is given.
    """
    names, new = set(kind.model_fields), kind.__new__
    size = len(names)

    def made(**fields: object) -> R:
        if len(fields) != size:
            told = f"{kind.__name__}: got {', '.join(fields)}; expected every field of it"
            raise TypeError(told)
        record = new(kind)
        _set_values(record, fields)
        _set_given(record, names)
        _set_extra(record, None)
        _set_private(record, None)
        return record

    return made


def typed(kind: type[R]) -> Callable[..., R]:
    """Return what makes records of a kind of values whose types are known to be right: nothing is
    checked or copied, and what is not given is as it is by default.

    It raises TypeError where a field is unknown, or one without a plain default is not given.
    """
    names, new = set(kind.model_fields), kind.__new__
    known, size = kind.model_fields.items(), len(names)
    defaults = {name: one.default for name, one in known}
    needed = frozenset(name for name, one in known if one.is_required() or one.default_factory)

    def made(**fields: object) -> R:
        values = defaults | fields
        if len(values) != size or not needed.issubset(fields):
            told = f"{kind.__name__}: got {', '.join(fields)}; expected {', '.join(sorted(needed))}"
            raise TypeError(told)
        record = new(kind)
        _set_values(record, values)
        _set_given(record, names)
        _set_extra(record, None)
        _set_private(record, None)
        return record

    return made


def varied(kind: type[R]) -> Callable[..., R]:
    """Return what copies records of a kind with other values of the right types: as `model_copy`
    does, in a third of the time.

    It raises TypeError where a field is unknown.
    """
    names, new = set(kind.model_fields), kind.__new__
    size = len(names)

    def made(one: R, /, **fields: object) -> R:
        values = one.__dict__ | fields
        if len(values) != size:
            told = f"{kind.__name__}: got {', '.join(fields)}; expected fields of it"
            raise TypeError(told)
        record = new(kind)
        _set_values(record, values)
        _set_given(record, names)
        _set_extra(record, None)
        _set_private(record, None)
        return record

    return made


class StoredRecord(Record):
    """A record that is written to a file and read back by later versions."""

    schema_version: int = SCHEMA_VERSION
