"""Reads foreign JSON: exactly, in pieces, and within limits."""

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
from pydantic_core import from_json

from trajaudit.record.importers.base import HEAD_BYTES, Source, SourceError
from trajaudit.record.importers.losses import Losses

WHOLE_BYTES = 64 * 1024 * 1024
"""A document up to this size is read at once, a larger one piece by piece."""
LINE_BYTES = 256 * 1024 * 1024
"""A longer line is no record of anybody's log."""


def loads(data: bytes) -> Any:
    """Return the value of a JSON text: integers exact, NaN and infinities allowed as some write.

    Raises:
        ValueError: it is no JSON, or nested too deeply.
    """
    try:
        # Not orjson: it reads integers of more than 64 bits as floats, and thereby changes ids.
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):
        pass
    try:
        return from_json(data, cache_strings="keys")  # NaN, infinities
    except ValueError:
        pass
    # Marks at the beginning, half surrogates, and more than 200 levels.
    try:
        return json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def document(source: Source) -> Any:
    """Return a whole JSON file.

    Raises:
        SourceError: it is too large to be read at once, cannot be read, or is no JSON.
    """
    size = source.path.stat().st_size
    if size > LINE_BYTES:
        raise SourceError(f"{source.name}: too large; got {size} bytes; at most {LINE_BYTES}")
    try:
        return loads(source.path.read_bytes())
    except (ValueError, OSError) as error:
        raise SourceError(f"{source.name}: not JSON; {error}") from error


def lines(source: Source, losses: Losses) -> Iterator[tuple[str, Any]]:
    """Yield (`file:line`, value) of a JSONL file; broken lines are counted and passed over."""
    with source.path.open("rb") as stream:
        number = 0
        while line := stream.readline(LINE_BYTES + 1):
            number += 1
            losses.where = f"{source.name}:{number}"
            if len(line) > LINE_BYTES:
                losses.malformed("line", f"more than {LINE_BYTES} bytes")
                _skip_line(stream)
            elif line.strip():
                try:
                    value = loads(line)
                except ValueError as error:
                    losses.malformed("line", f"not JSON; {error}")
                else:
                    yield losses.where, value


def _skip_line(stream: Any) -> None:
    while (rest := stream.readline(1024 * 1024)) and not rest.endswith(b"\n"):
        pass


def elements(source: Source, losses: Losses, *path: str) -> Iterator[tuple[str, Any]]:
    """Yield (`file#index`, value) of the array at `path` in a JSON file; no path: the root.

    A file of more than 64 MiB is read piece by piece, so that memory does not grow with it.

    Raises:
        SourceError: it is no JSON, or there is no array; what came before an error was yielded.
    """
    if source.path.stat().st_size > WHOLE_BYTES:
        values = _streamed(source, ".".join((*path, "item")))
    else:
        found = document(source)
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        if not isinstance(found, list):
            place = ".".join(path) or "the root"
            raise SourceError(f"{source.name}: {place} is no array; got {type(found).__name__}")
        values = iter(found)
    for index, value in enumerate(values):
        losses.where = f"{source.name}#{index}"
        yield losses.where, value


def records(
    source: Source, losses: Losses, is_part: Callable[[Any], bool]
) -> Iterator[tuple[str, Any]]:
    """Yield (place, record) of a file that is one record, an array of them, or one a line.

    `is_part`: whether an element of an array is a part of one record, not a record of its own.
    """
    value = head_value(source)
    if source.path.suffix.lower() != ".json":
        yield from lines(source, losses)
    elif isinstance(value, dict) or (isinstance(value, list) and value and is_part(value[0])):
        yield source.name, value
    else:
        yield from elements(source, losses)


def _streamed(source: Source, prefix: str) -> Iterator[Any]:
    import ijson

    with source.path.open("rb") as stream:
        try:
            # Not with `use_float`, which refuses integers of more than 64 bits.
            yield from map(_with_floats, ijson.items(stream, prefix))
        except (ijson.JSONError, ValueError, ArithmeticError, RecursionError) as error:
            raise SourceError(f"{source.name}: broken JSON; {error}") from error


def member(source: Source, *path: str) -> Any:
    """Return one value of a large JSON file, found piece by piece; None: there is none.

    Raises:
        SourceError: what stands before it is no JSON.
    """
    return next(_streamed(source, ".".join(path)), None)


def _with_floats(value: Any) -> Any:
    """Turn decimal numbers into floats, as they are when a document is read at once."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _with_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_floats(item) for item in value]
    return value


def head_value(source: Source) -> Any:
    """Return the first JSON value of a file's head as far as it can be told, for sniffing.

    A whole small file or the first line of JSONL is parsed; else None.
    """
    for piece in (source.head, source.head.split(b"\n", 1)[0]):
        try:
            return loads(piece)
        except (ValueError, RecursionError):
            continue
    return None


def head_beginning(source: Source) -> Any:
    """Return the first JSON value of a file's head; of a value that is longer than the head what
    stands before its last comma there. None: it does not begin with a JSON value.
    """
    value = head_value(source)
    if value is not None or len(source.head) < HEAD_BYTES:
        return value
    open_ones, cut, left_open = bytearray(), 0, b""
    for match in _TOKENS.finditer(source.head):
        token = match.group()
        if token in _CLOSED_BY:
            open_ones += _CLOSED_BY[token]
        elif token == b",":
            cut, left_open = match.start(), bytes(open_ones)
        elif token in b"]}" and (not open_ones or open_ones.pop() != token[0]):
            return None
    try:
        return loads(source.head[:cut] + left_open[::-1]) if left_open else None
    except (ValueError, RecursionError):
        return None


_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
"""Texts, as far as they go, and what opens, parts and closes."""
_CLOSED_BY = {b"[": b"]", b"{": b"}"}


def head_keys(source: Source) -> frozenset[str]:
    """Return the keys that stand in a JSON file's head, whatever their depth: a cheap hint."""
    return frozenset(
        match.decode("utf-8", "replace")
        for match in re.findall(rb'"([A-Za-z0-9_.\-]{1,60})"\s*:', source.head)
    )


def is_json_file(path: Path) -> bool:
    """Return whether the name says JSON or JSON lines."""
    return path.suffix.lower() in {".json", ".jsonl", ".ndjson"}
