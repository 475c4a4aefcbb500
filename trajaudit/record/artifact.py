"""Where texts lie that are too large for a line of the journal."""

import hashlib
import os
import re
import threading
from pathlib import Path
from typing import Any

from trajaudit.datamodel.event import Event, MessageEvent, PatchEvent, ToolCallEvent
from trajaudit.errors import StorageError
from trajaudit.record.event_line import escaped
from trajaudit.record.raw_json import parsed

ARTIFACTS = "artifacts"
LINE_TEXT_BYTES = 64 * 1024
"""A longer text of an event lies in `artifacts/`, its head in the line."""
HEAD_CHARS = 2000
_SHA256 = re.compile(r"[0-9a-f]{64}")
_TEXTS = {
    "content": "artifact",
    "arguments_text": "artifact",
    "reasoning": "reasoning_artifact",
}
"""Field that holds a text → field that names its artifact."""


def spill(fields: dict[str, Any], directory: Path, *, sync: bool = True) -> None:
    """Move an event's long texts to `artifacts/` in `directory`; their heads stay.

    `sync`: bring them to the disk at once.

    Raises:
        StorageError: one cannot be written.
    """
    for text, reference in _TEXTS.items():
        value = fields.get(text)
        # No character takes more than four bytes, or six when it is escaped.
        if value and reference in fields and len(value) * 6 > LINE_TEXT_BYTES:
            _spill_one(fields, text, reference, directory, sync=sync)
    for call in fields.get("tool_calls", ()):
        spill(call, directory, sync=sync)


def _spill_one(
    fields: dict[str, Any], text: str, reference: str, directory: Path, *, sync: bool
) -> None:
    clean, changed = escaped(fields[text])
    data = clean.encode()
    if len(data) <= LINE_TEXT_BYTES:
        return
    fields[reference] = store_artifact(directory, data, sync=sync)
    fields[text] = clean[:HEAD_CHARS]
    if changed and "escaped" in fields:
        fields["escaped"] = True
    if "arguments" in fields:
        fields["arguments"] = None


def restored(event: Event, directory: Path) -> tuple[Event, list[str]]:
    """Put an event's long texts back; also what is wrong with those that cannot be had."""
    missing: list[str] = []
    update: dict[str, Any] = {}
    if getattr(event, "artifact", None) or getattr(event, "reasoning_artifact", None):
        update = _restored_texts(dict(event), directory, missing)
    patch = event.artifact if isinstance(event, PatchEvent) else None
    if patch is not None and load_artifact(directory, patch) is None:
        missing.append(f"artifact {patch[:80]!r} of the patch is missing or changed")
    if isinstance(event, MessageEvent) and any(call.artifact for call in event.tool_calls):
        calls = [
            call.model_copy(update=_restored_texts(dict(call), directory, missing))
            for call in event.tool_calls
        ]
        update["tool_calls"] = tuple(calls)
    if isinstance(event, ToolCallEvent) and "arguments_text" in update:
        update["arguments"], _ = parsed(update["arguments_text"])
    return (event.model_copy(update=update) if update else event), missing


def _restored_texts(fields: dict[str, Any], directory: Path, missing: list[str]) -> dict[str, Any]:
    update: dict[str, Any] = {}
    for text, reference in _TEXTS.items():
        sha256 = fields.get(reference)
        if sha256 is None or text not in fields:
            continue
        data = load_artifact(directory, sha256)
        if data is None:
            missing.append(f"artifact {sha256[:80]!r} of {text} is missing or changed")
        else:
            update[text] = data.decode(errors="backslashreplace")
    return update


def store_artifact(directory: Path, data: bytes, *, sync: bool = True) -> str:
    """Keep bytes under their SHA-256 in `artifacts/` of a trial's directory; return the hash.

    Raises:
        StorageError: they cannot be written.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    target = directory / ARTIFACTS / sha256
    if target.exists():
        return sha256
    partial = target.with_name(f"{sha256}.{os.getpid()}-{threading.get_ident()}.partial")
    try:
        target.parent.mkdir(exist_ok=True)
        with partial.open("wb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        partial.replace(target)
    except OSError as e:
        partial.unlink(missing_ok=True)
        raise StorageError(f"{target}: cannot be written; {e.strerror}") from e
    return sha256


def load_artifact(directory: Path, sha256: str) -> bytes | None:
    """Return the bytes stored under a hash; None when they are gone or not what they were."""
    if not _SHA256.fullmatch(sha256):
        return None
    try:
        data = (directory / ARTIFACTS / sha256).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == sha256 else None
