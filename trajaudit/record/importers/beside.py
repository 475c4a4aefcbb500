"""Reads files that lie beside or below a log, where the log or its layout names them."""

from pathlib import Path
from typing import Any

from trajaudit.record.importers.json_source import LINE_BYTES, loads
from trajaudit.record.importers.losses import Losses


def inside(folder: Path, *parts: str) -> Path | None:
    """Return a regular file below a folder; None where it is missing or reached by a link.

    A part that is no plain name, for example `../x` or an absolute path, is refused.
    """
    at = folder
    for part in parts:
        if part in {"", ".", ".."} or "/" in part or "\\" in part or "\0" in part:
            return None
        at = at / part
        try:
            if at.is_symlink():
                return None
        except (OSError, ValueError):
            return None
    return at if at.is_file() else None


def json_beside(folder: Path, losses: Losses, *parts: str) -> Any:
    """Return the JSON of a file below a folder; None where there is none.

    What is there but cannot be read is counted as malformed.
    """
    path = inside(folder, *parts)
    if path is None:
        return None
    name = "/".join(parts)
    try:
        if path.stat().st_size > LINE_BYTES:
            losses.malformed(name, f"{path.name}: more than {LINE_BYTES} bytes")
            return None
        return loads(path.read_bytes())
    except (ValueError, OSError) as error:
        losses.malformed(name, f"{path.name}: {error}")
        return None
