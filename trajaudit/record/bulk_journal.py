"""Writes a whole journal at once, of a trial that happened elsewhere."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from trajaudit.datamodel.event import EventBase
from trajaudit.record.artifact import LINE_TEXT_BYTES, spill
from trajaudit.record.event_line import encoded
from trajaudit.record.journal import NOTHING
from trajaudit.record.redaction import Redactor
from trajaudit.record.stored import storing


@dataclass(frozen=True)
class Written:
    """What `trial.json` keeps of a journal."""

    events: int
    head: str


def write_journal(folder: Path, events: Iterable[EventBase], redactor: Redactor) -> Written:
    """Write `events.jsonl` into a trial's folder, chained like one that grew; `t` is kept.

    Not brought to the disk event by event: what is lost in a crash is imported again.

    Raises:
        StorageError: it cannot be written.
    """
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
    path = folder / "events.jsonl"
    with storing(path):
        path.write_bytes(b"".join(lines))
    return Written(len(lines) // 2, head)
