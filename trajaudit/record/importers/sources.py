"""Which files and folders are logs, and of which format?"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from trajaudit.errors import UsageError
from trajaudit.record.importers.base import HEAD_BYTES, ODD, Importer, Source

MOST_ENTRIES = 1000
_SKIPPED = frozenset({".git", "__pycache__", "node_modules", ".venv"})


def find_sources(
    paths: list[Path], importers: Mapping[str, Importer]
) -> Iterator[tuple[Source, Importer | None]]:
    """Yield what lies under the paths, sorted by name, each with the importer that takes it.

    A folder that an importer takes is one log; else what is in it is looked at. Symbolic links
    inside of folders are not followed. None: nobody recognises the file.

    Raises:
        UsageError: a path does not exist or cannot be read.
    """
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder")
        base = path if path.is_dir() else path.parent
        yield from _walk(path, base, importers)


def _walk(
    path: Path, base: Path, importers: Mapping[str, Importer]
) -> Iterator[tuple[Source, Importer | None]]:
    source = open_source(path, base)
    found = recognise(source, importers)
    if found is not None or not path.is_dir():
        if found is not None or path.stat().st_size:
            yield source, found
        return
    for name in _names(path):
        inner = path / name
        if not inner.is_symlink() and name not in _SKIPPED and (inner.is_file() or inner.is_dir()):
            yield from _walk(inner, base, importers)


def open_source(path: Path, base: Path) -> Source:
    """Return what importers see of a path.

    Raises:
        UsageError: it cannot be read.
    """
    name = path.name if path == base else os.path.relpath(path, base)
    try:
        if path.is_dir():
            return Source(path, name, entries=tuple(_names(path)[:MOST_ENTRIES]))
        with path.open("rb") as stream:
            return Source(path, name, head=stream.read(HEAD_BYTES))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read; {error.strerror}") from error


def recognise(source: Source, importers: Mapping[str, Importer]) -> Importer | None:
    """Return the first importer, in the order of the table, that takes a source."""
    return next((one for one in importers.values() if _takes(one, source)), None)


def _takes(importer: Importer, source: Source) -> bool:
    """Odd content is not what an importer looks for, and must not keep others from looking."""
    try:
        return importer.sniff(source)
    except ODD:
        return False


def _names(path: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(path))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read; {error.strerror}") from error
