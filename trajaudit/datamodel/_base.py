"""The base of every record."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

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
    """Return what makes records of a kind of values that another record holds, by name; none is
    checked again, which takes most of the time of making one.

    It raises TypeError where not every field is given, or an unknown one.
    """
    return _maker(kind, {})


def typed(kind: type[R]) -> Callable[..., R]:
    """Return what makes records of a kind of values whose types are known to be right: nothing is
    checked or copied, and what is not given is as it is by default.

    It raises TypeError where a field is unknown, or one without a plain default is not given.
    """
    plain = {
        name: one.default
        for name, one in kind.model_fields.items()
        if not (one.is_required() or one.default_factory)
    }
    return _maker(kind, plain)


def _maker(kind: type[R], plain: Mapping[str, object]) -> Callable[..., R]:
    """Write the function that takes these fields by name: the interpreter compares names for less
    than a comparison of two sets takes. `dataclass` makes its `__init__` in the same way.
    """
    names = set(kind.model_fields)
    given = ", ".join(
        f"{name}=_plain[{name!r}]" if name in plain else name for name in kind.model_fields
    )
    values = ", ".join(f"{name!r}: {name}" for name in kind.model_fields)
    code = f"""
def {kind.__name__}(*, {given}):
    _record = _new(_kind)
    _set_values(_record, {{{values}}})
    _set_given(_record, _names)
    _set_extra(_record, None)
    _set_private(_record, None)
    return _record
"""
    space: dict[str, Any] = {"_kind": kind, "_new": kind.__new__, "_names": names}
    space |= {"_plain": plain, "_set_values": _set_values, "_set_given": _set_given}
    space |= {"_set_extra": _set_extra, "_set_private": _set_private}
    exec(code, space)  # noqa: S102 (names of fields of our own classes)
    made: Callable[..., R] = space[kind.__name__]
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
