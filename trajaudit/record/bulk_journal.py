"""Writes a whole journal at once, of a trial that happened elsewhere."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.event import EventBase, StateEvent
from trajaudit.record.artifact import LINE_TEXT_BYTES, spill
from trajaudit.record.event_line import encoded
from trajaudit.record.journal import NOTHING
from trajaudit.record.redaction import Redactor
from trajaudit.record.stored import write_new


@dataclass(frozen=True)
class Written:
    """What `trial.json` keeps of a journal."""

    events: int
    head: str
    is_plain: bool
    """The events say what the file says: nothing was redacted, escaped, cut or rewritten."""


def write_journal(folder: str | Path, events: Sequence[EventBase], redactor: Redactor) -> Written:
    """Write `events.jsonl` into a trial's folder, chained like one that grew; `t` is kept.

    Not brought to the disk event by event: what is lost in a crash is imported again.

    Raises:
        OSError: it cannot be written.
        StorageError: a text that lies beside it cannot be.
    """
    plain = _plain_lines(events)
    is_plain = plain is not None and not redactor.may_hold(plain[0])
    if plain is None or not is_plain:
        plain = _careful_lines(Path(folder), events, redactor)
    content, head = plain
    write_new(f"{folder}/events.jsonl", content)
    # A world may hold numbers that JSON does not have.
    is_plain = is_plain and StateEvent not in map(type, events)
    return Written(len(events), head, is_plain)


def _plain_lines(events: Sequence[EventBase]) -> tuple[bytes, str] | None:
    """Return the lines and the hash of the last; None: one needs care."""
    lines: list[bytes] = []
    head = NOTHING
    blanks: dict[type[EventBase], dict[str, Any]] = {}
    before, t = None, 0.0
    for seq, event in enumerate(events, start=1):
        # The fields as they are, not as a dump: they are what is written, and a copy costs most.
        given = event.__dict__
        fields = blanks.get(type(event))
        if fields is None:
            fields = blanks[type(event)] = _blank(type(event)).copy()
        fields.update(given)
        if given["t"] is not before:
            before = given["t"]
            t = round(before, 6)
        fields["seq"], fields["t"], fields["prev"] = seq, t, head
        try:
            line = orjson.dumps(fields, _fields)
        except (TypeError, ValueError):
            return None
        if len(line) > LINE_TEXT_BYTES:
            return None
        head = hashlib.sha256(line).hexdigest()
        lines.append(line)
    lines.append(b"")
    return b"\n".join(lines), head


@cache
def _blank(kind: type[EventBase]) -> dict[str, Any]:
    """Return the fields of an event in the order of a line, without values."""
    last = ("seq", "t", "kind", "prev")
    others = (name for name in kind.model_fields if name not in last)
    return dict.fromkeys(("seq", "t", "kind", *others, "prev"))


def _fields(record: object) -> dict[str, Any]:
    if not isinstance(record, Record):
        raise TypeError(f"{type(record).__name__} is not of JSON")
    return record.__dict__


def _careful_lines(
    folder: Path, events: Sequence[EventBase], redactor: Redactor
) -> tuple[bytes, str]:
    lines: list[bytes] = []
    head = NOTHING
    for seq, event in enumerate(events, start=1):
        place = {"seq": seq, "t": round(event.t, 6), "prev": head}
        line = encoded({**event.model_dump(), **place})
        if len(line) > LINE_TEXT_BYTES or redactor.may_hold(line):
            fields = redactor.tree(event.model_dump())
            spill(fields, folder, sync=False)
            line = encoded({**fields, **place})
        head = hashlib.sha256(line).hexdigest()
        lines += (line, b"\n")
    return b"".join(lines), head
