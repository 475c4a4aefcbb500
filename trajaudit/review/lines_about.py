"""Which lines of a file are about one trial? Found without reading the others.

Files of a run have a line for each trial, or many. Task and number stand beside each other in every
line that trajaudit writes, so that they are looked for as bytes, and only what was found is parsed.
"""

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import orjson

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.review import Place
from trajaudit.record.stored import parse_record

R = TypeVar("R", bound=Record)


def lines_about(path: Path, place: Place, model: type[R]) -> tuple[R, ...]:
    """Return the records of a JSONL file that are about a trial; none where there is no file.

    A last line without its end is no record.

    Raises:
        RunDirError: one of them is damaged; the line number counts from the start of the file.
    """
    try:
        stream = path.open("rb")
    except OSError:
        return ()
    with stream:
        if path.stat().st_size == 0:
            return ()
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return tuple(
                parse_record(content[start:end], model, path, content[:start].count(b"\n") + 1)
                for start, end in _found(content, _key(place))
            )


def _key(place: Place) -> bytes:
    task = orjson.dumps(place.task_id.encode("utf-8", "backslashreplace").decode())
    return b'"task_id":' + task + b',"trial":' + str(place.trial).encode() + b","


def _found(content: mmap.mmap, key: bytes) -> Iterator[tuple[int, int]]:
    at = content.find(key)
    while at >= 0:
        start, end = content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at)
        if end < 0:
            return
        # The same words may stand inside of a text; the line itself says whose it is.
        if content.find(key, start, end) == at and _is_of(content[start:end], key):
            yield start, end
        at = content.find(key, end)


def _is_of(line: bytes, key: bytes) -> bool:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return True
    wanted = orjson.loads(b"{" + key.rstrip(b",") + b"}")
    return bool((fields.get("task_id"), fields.get("trial")) == tuple(wanted.values()))
