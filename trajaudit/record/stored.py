"""How do records get into files whole, and out of them checked?"""

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import orjson
from pydantic import ValidationError

from trajaudit.datamodel._base import SCHEMA_VERSION, Record
from trajaudit.errors import RunDirError, StorageError

R = TypeVar("R", bound=Record)
_BUFFER = 256 * 1024


@contextlib.contextmanager
def storing(path: str | Path) -> Iterator[None]:
    """Turn an OSError of writing into a StorageError that names the path."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StorageError(f"{path}: cannot be written; {reason}") from error


def write_atomic(path: Path, chunks: Iterable[bytes], *, named: bool = True) -> None:
    """Write a file so that it is there whole, or as it was before; brought to the disk.

    Args:
        path: of the file.
        chunks: its content.
        named: bring its name to the disk as well; who writes more there does it once, at the end.

    Raises:
        StorageError: it cannot be written; nothing is left behind, or the new file where only its
            name could not be brought to the disk.
    """
    with storing(path):
        fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(fd, "wb", _BUFFER) as stream:
                for chunk in chunks:
                    stream.write(chunk)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
        if named:
            sync_folder(path.parent)


def write_new(path: str, content: bytes) -> None:
    """Write a file that is not there yet, with as few calls as that takes: imports write thousands.
    It is not brought to the disk.

    Raises:
        OSError: it is there, or cannot be written.
    """
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(fd, rest) :]
    finally:
        os.close(fd)


def sync_folder(folder: Path) -> None:
    """Bring the entries of a folder to the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def dumped(record: Record) -> bytes:
    """Return a record as one line of JSON; text that is no Unicode is escaped by backslashes."""
    try:
        # As `model_dump_json` does, without the way over a text.
        return record.__pydantic_serializer__.to_json(record)
    except ValueError:
        fields = _escaped(record.model_dump())
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), default=str).encode()


def dumped_plain(record: Record) -> bytes:
    """Return the same, in a third of the time, of a record that holds what JSON knows, enumerated
    texts and records of that kind, all under their own names.
    """
    try:
        return orjson.dumps(record.__dict__, _fields_of)
    except TypeError:  # text that is no Unicode, a number of more than 64 bits, nested too deeply
        return dumped(record)


def _fields_of(value: object) -> dict[str, object]:
    if isinstance(value, Record):
        return value.__dict__
    raise TypeError(f"{type(value).__name__} is no JSON")


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_escaped(key): _escaped(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_escaped(item) for item in value]
    return value


def read_record(path: Path, model: type[R]) -> R:
    """Return the record of a JSON file.

    Raises:
        RunDirError: it is missing, damaged, or of a newer version; `path:line:`.
    """
    return parse_record(_content(path), model, path)


def read_records(path: Path, model: type[R]) -> Iterator[R]:
    """Yield the records of a JSONL file, one a line; a file that is not there has none.

    Raises:
        RunDirError: a line is damaged or of a newer version; `path:line:`.
    """
    for number, line in numbered_lines(path):
        yield parse_record(line.rstrip(b"\n"), model, path, number)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each line, its end included; a file that is not there has none.

    Raises:
        RunDirError: it cannot be read; `path:1:`.
    """
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        return
    except OSError as error:
        raise RunDirError(f"{path}:1: cannot be read; {error.strerror}") from error
    with stream:
        yield from enumerate(stream, 1)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise RunDirError(f"{path}:1: there is no such file") from None
    except OSError as error:
        raise RunDirError(f"{path}:1: cannot be read; {error.strerror}") from error


def parse_record(content: bytes, model: type[R], path: Path, line: int = 1) -> R:
    """Return the record of a line; RunDirError when it is damaged or of a newer version."""
    try:
        record = model.model_validate_json(content)
    except ValidationError as error:
        _refuse_newer(_version(content), f"{path}:{line}")
        line += _json_line(content) - 1
        raise RunDirError(f"{path}:{line}: damaged; {_first(error)}") from error
    _refuse_newer(getattr(record, "schema_version", None), f"{path}:{line}")
    return record


def _version(content: bytes) -> Any:
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return value.get("schema_version") if isinstance(value, dict) else None


def _refuse_newer(version: Any, place: str) -> None:
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise RunDirError(
            f"{place}: was written by a newer trajaudit; got schema version {version}; "
            f"this one reads up to {SCHEMA_VERSION}"
        )


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    # The line is said by us; of a line of many it would be the wrong one.
    what = re.sub(r" at line \d+ column \d+$", "", first["msg"].lower())
    return f"{field + ': ' if field else ''}{what}"


def _json_line(content: bytes) -> int:
    try:
        orjson.loads(content)
    except orjson.JSONDecodeError as error:
        return error.lineno
    return 1
