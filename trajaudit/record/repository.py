"""A folder of files that an agent works on, read as it lies beside a scenario."""

import hashlib
import os
import posixpath
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trajaudit.errors import ScenarioError
from trajaudit.record.project_files import ProjectFiles

MOST_FILES = 5000
MOST_BYTES = 20_000_000
BYPRODUCTS = (
    *("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"),
    *(".coverage", ".tox", ".nox", ".venv", "node_modules"),
)
"""Names of what tools leave behind; never part of a repository."""
_ENDINGS = (".pyc", ".pyo")


@dataclass(frozen=True)
class SourceFile:
    """A regular file, as git sees it."""

    content: bytes
    executable: bool = False


def is_byproduct(path: str) -> bool:
    """Whether a path lies in what tools leave behind."""
    return path.endswith(_ENDINGS) or any(part in BYPRODUCTS for part in path.split("/"))


def read_repository(files: ProjectFiles, folder: str) -> dict[str, SourceFile]:
    """Return path in the repository → file; the hash of each is remembered.

    Raises:
        ForeignPathError: the folder is outside of the project.
        ScenarioError: there is no such folder, or something in it is no plain file.
    """
    root = files.path(folder)
    shown = files.display(folder)
    if not root.is_dir():
        raise ScenarioError([f"{shown}:1: there is no such folder; a folder of files is wanted"])
    found: dict[str, SourceFile] = {}
    size = 0
    for path, place in _places(root, shown):
        content = files.read(posixpath.join(folder, path))
        size += len(content)
        if len(found) >= MOST_FILES or size > MOST_BYTES:
            raise ScenarioError(
                [f"{shown}:1: is too large; at most {MOST_FILES} files and {MOST_BYTES} bytes"]
            )
        found[path] = SourceFile(content, bool(place.stat().st_mode & stat.S_IXUSR))
    if not found:
        raise ScenarioError([f"{shown}:1: the folder is empty; a folder of files is wanted"])
    # Beside those of the files, so that one that was added is noticed as well.
    files.sha256[f"{folder}/"] = hashlib.sha256("\0".join(found).encode()).hexdigest()
    return found


def _places(root: Path, shown: str) -> Iterator[tuple[str, Path]]:
    """Yield the files in the order of their paths.

    Raises:
        ScenarioError: something is neither a folder nor a plain file; every such thing is named.
    """
    faults = []
    found = []
    for folder, names, file_names in os.walk(root):
        inside = Path(folder).relative_to(root)
        for name in [*file_names, *names]:
            place = Path(folder, name)
            path = (inside / name).as_posix()
            if is_byproduct(path):
                continue
            if name.lower() == ".git":
                faults.append(f"{shown}/{path}:1: is kept by git; leave it out")
            elif place.is_symlink() or not (place.is_dir() or place.is_file()):
                faults.append(f"{shown}/{path}:1: is no plain file; leave it out")
            elif place.is_file():
                found.append((path, place))
        names[:] = [name for name in names if name.lower() != ".git"]
    if faults:
        raise ScenarioError(sorted(faults))
    yield from sorted(found)
