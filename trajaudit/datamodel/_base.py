"""The base of every record."""

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


class StoredRecord(Record):
    """A record that is written to a file and read back by later versions."""

    schema_version: int = SCHEMA_VERSION
