"""The base of every record."""

from functools import cache
from typing import Self

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1


class Record(BaseModel):
    """An immutable record; an unknown field is an error, never ignored."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        serialize_by_alias=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    @classmethod
    def of_checked(cls, **fields: object) -> Self:
        """Return a record of values that another record holds, in their order; none is checked
        again, which takes most of the time of making one.

        Raises:
            TypeError: not every field of it is given.
        """
        names = _names(cls)
        if len(fields) != len(names):
            raise TypeError(f"{cls.__name__}: got {', '.join(fields)}; expected every field of it")
        record = cls.__new__(cls)
        _set(record, "__dict__", fields)
        _set(record, "__pydantic_fields_set__", names)
        _set(record, "__pydantic_extra__", None)
        _set(record, "__pydantic_private__", None)
        return record


_set = object.__setattr__


@cache
def _names(kind: type[Record]) -> set[str]:
    return set(kind.model_fields)


class StoredRecord(Record):
    """A record that is written to a file and read back by later versions."""

    schema_version: int = SCHEMA_VERSION
