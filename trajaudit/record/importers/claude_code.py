"""Claude Code: session files, and the output of `--output-format stream-json`.

| here | there |
|---|---|
| step | records of type assistant that share `message.id` |
| call, arguments | content part `tool_use`; the raw text of its input is lost |
| reply of a tool | content part `tool_result` in a record of type user, joined on `tool_use_id` |
| thoughts | content part `thinking` |
| prompt | the first message of the user that is no command and no remark of the program |
| steps of subagents | where their records stand; of `agent-ID.jsonl` before the reply it gave |
| shortened context | a record with `isCompactSummary`, or the command `/clear` |
| end | record of type result; else a last message without calls counts as the reply |
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, PartOfAnotherError, Source
from trajaudit.record.importers.base import mapped as mapped_items
from trajaudit.record.importers.beside import inside
from trajaudit.record.importers.claude_records import Record, main_branch, side_of
from trajaudit.record.importers.claude_steps import SessionReader
from trajaudit.record.importers.json_source import is_json_file, lines, loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_text, make_task, task_id
from trajaudit.record.importers.sources import open_source

NAME = "claude_code"
_TYPES = frozenset({"user", "assistant", "system", "result"})
_AGENT_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


def sniff(source: Source) -> bool:
    """One of the first lines is a record of a session, or of the stream that the program prints."""
    if source.is_folder or not is_json_file(source.path):
        return False
    for line in source.head.split(b"\n")[:20]:
        try:
            record = as_dict(loads(line))
        except ValueError:
            continue
        kind = record.get("type")
        if not isinstance(kind, str):
            continue
        session = "sessionId" in record and "uuid" in record
        if session and (kind in _TYPES or "parentUuid" in record):
            return True
        if "session_id" in record and kind in _TYPES and ("message" in record or kind == "system"):
            return True
    return False


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield the one trial of a file.

    Raises:
        PartOfAnotherError: it is the file of a subagent, and its session lies beside it.
    """
    records = [_record(record) for _, record in lines(source, losses)]
    talk = [one for one in records if one.get("type") in {"user", "assistant"}]
    if talk and all(side_of(one) for one in talk):
        session = as_text(talk[0].get("sessionId"))
        if _session_beside(source.path, session):
            raise PartOfAnotherError(f"{source.name}: a subagent of {session}")
        records = [{**one, "isSidechain": False, "parent_tool_use_id": None} for one in records]

    def make(found: Any) -> ForeignTrial | None:
        return _trial(found, source, losses)

    yield from mapped_items(iter([(source.name, records)]), make, losses, "session")


def _record(value: Any) -> Record:
    """Return a record whose type is a text, whatever stands there."""
    record = as_dict(value)
    return {**record, "type": as_text(record.get("type"))}


def _session_beside(path: Path, session: str) -> bool:
    folder = path.parent
    return any(
        inside(one, f"{session}.jsonl") is not None for one in (folder, folder.parent.parent)
    )


def _trial(records: list[Record], source: Source, losses: Losses) -> ForeignTrial | None:
    reader = SessionReader(losses, lambda agent_id: _agent_records(source.path, agent_id, losses))
    reader.read(main_branch(records, losses))
    if not reader.steps:
        losses.malformed("session", "no message of an assistant")
        return None
    reason, detail = reader.ending()
    name = reader.session or source.path.stem
    return ForeignTrial(
        task=make_task(task_id(name), reader.prompt, losses, metadata=reader.facts),
        events=reader.builder.end(reason, detail),
        origin=Origin(
            source=source.name,
            format=NAME,
            source_id=name,
            agent=" ".join(filter(None, ("claude-code", reader.version))),
            model_id=reader.model,
        ),
        started=reader.started,
        duration_s=reader.duration_s or reader.clock.seconds,
        totals=reader.totals,
    )


def _agent_records(path: Path, agent_id: str, losses: Losses) -> list[Record]:
    """Return the records of a subagent's file beside the session or in a folder of its name."""
    if _AGENT_ID.fullmatch(agent_id) is None:
        return []
    name = f"agent-{agent_id}.jsonl"
    found = inside(path.parent, name) or inside(path.parent, path.stem, "subagents", name)
    if found is None:
        return []
    where = losses.where
    records = [_record(one) for _, one in lines(open_source(found, path.parent), losses)]
    losses.where = where
    return [{**one, "isSidechain": False} for one in records]


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="Claude Code session files (JSONL) and its stream-json output",
)
