"""Codex CLI: the rollout files of its sessions.

| here | there |
|---|---|
| step | items of one reply: reasoning, message, calls, up to the first output |
| call, raw arguments | `function_call`, `local_shell_call`; `custom_tool_call` as its `input` |
| reply of a tool | `function_call_output`, `custom_tool_call_output`, joined on `call_id` |
| prompt | event `user_message`; else the first message of the user that is no context |
| tokens | event `token_count` |
| shortened context | a line of type compacted |
| end | events `turn_aborted`, `error`; else a last message without calls counts as the reply |

Lines are `{timestamp, type, payload}`; those of early versions are the bare items.
"""

import re
from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.imported import Origin
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.codex_items import RolloutReader
from trajaudit.record.importers.json_source import is_json_file, lines, loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_text, make_task, task_id

NAME = "codex_cli"
_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
# The first line may be longer than the head: it holds the instructions.
_META = re.compile(rb'\s*\{(?:"timestamp"\s*:\s*"[^"]{0,40}"\s*,\s*)?"type"\s*:\s*"session_meta"')
_ITEMS = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "local_shell_call"}
    | {"custom_tool_call", "custom_tool_call_output", "web_search_call"}
)


def sniff(source: Source) -> bool:
    """A first line that tells the session, in the form of today or of early versions."""
    if source.is_folder or not is_json_file(source.path):
        return False
    if _META.match(source.head) is not None:
        return True
    try:
        first = as_dict(loads(source.head.split(b"\n", 1)[0]))
    except ValueError:
        return False
    kind = first.get("type")
    if isinstance(kind, str) and kind in _LINES and isinstance(first.get("payload"), dict):
        return True
    early = {"id", "timestamp", "instructions"} <= first.keys() or {"id", "timestamp", "git"} <= (
        first.keys()
    )
    return early and kind is None and "messages" not in first


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield the one trial of a file."""
    records = [_line(as_dict(record)) for _, record in lines(source, losses)]

    def make(found: Any) -> ForeignTrial | None:
        return _trial(found, source, losses)

    yield from mapped(iter([(source.name, records)]), make, losses, "session")


def _line(record: dict[str, Any]) -> dict[str, Any]:
    """Return a line in the form of today."""
    if isinstance(record.get("payload"), dict):
        return record
    kind = record.get("type")
    if isinstance(kind, str) and kind in _ITEMS:
        return {"type": "response_item", "payload": record}
    if "record_type" in record:
        return {"type": "state", "payload": record}
    return {"type": "session_meta", "timestamp": record.get("timestamp"), "payload": record}


def _trial(records: list[dict[str, Any]], source: Source, losses: Losses) -> ForeignTrial | None:
    reader = RolloutReader(losses)
    reader.read(records)
    if not reader.steps:
        losses.malformed("session", "no reply of a model")
        return None
    reason, detail = reader.ending()
    name = as_text(reader.meta.get("id")) or source.path.stem
    git = as_dict(reader.meta.get("git"))
    facts = {
        "cwd": reader.meta.get("cwd"),
        "repo": git.get("repository_url"),
        "commit": git.get("commit_hash"),
    }
    return ForeignTrial(
        task=make_task(
            task_id(name),
            reader.prompt,
            losses,
            metadata={key: as_text(value) for key, value in facts.items() if value},
        ),
        events=reader.builder.end(reason, detail),
        origin=Origin(
            source=source.name,
            format=NAME,
            source_id=name,
            agent=" ".join(filter(None, ("codex", as_text(reader.meta.get("cli_version"))))),
            model_id=reader.model,
        ),
        started=reader.started,
        duration_s=reader.clock.seconds,
    )


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="Codex CLI rollout files (JSONL), wrapped and early bare lines",
)
