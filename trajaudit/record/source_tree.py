"""The files of a project at one commit, read from somewhere else; what is hostile is refused."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trajaudit.errors import UsageError

MOST_FILES = 100_000
MOST_BYTES = 500_000_000
MOST_FAULTS = 10


class SourceError(UsageError):
    """A source cannot be used; carries every fault, one line each."""

    def __init__(self, where: str, faults: list[str]) -> None:
        self.faults = tuple(faults)
        more = len(faults) - MOST_FAULTS
        shown = [f"{where}: {fault}" for fault in faults[:MOST_FAULTS]]
        super().__init__("\n".join([*shown, *([f"{where}: and {more} more"] if more > 0 else [])]))


@dataclass(frozen=True)
class SourceFile:
    """A file, or a link whose content is where it leads."""

    content: bytes
    executable: bool = False
    link: bool = False


Tree = Mapping[str, SourceFile]


def faults_of(tree: Tree) -> Iterator[str]:
    """Yield what makes a tree dangerous to unpack, or impossible."""
    folders = {parent for path in tree for parent in _parents(path)}
    for path, file in tree.items():
        if fault := _path_fault(path):
            yield fault
        elif path in folders:
            yield f"path is a file and a folder at once, or lies below a link; got {path!r}"
        elif file.link and leads_out(path, file.content.decode("utf-8", "surrogateescape")):
            yield f"link leads out of the tree; got {path!r} to {file.content[:80]!r}"


def leads_out(path: str, target: str) -> bool:
    """Whether a link at `path` leads out of the tree, or into what git keeps of itself."""
    end = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return not target or target.startswith("/") or end.split("/")[0] in {"..", ".git"}


def is_git_own(path: str) -> bool:
    """Whether a path belongs to what git keeps of itself."""
    return any(part.lower() == ".git" for part in path.split("/"))


def without_top(tree: Tree) -> Tree:
    """Return a tree without the one folder that holds everything, as in source archives."""
    tops = {path.partition("/")[0] for path in tree}
    if len(tops) != 1 or not all("/" in path for path in tree):
        return tree
    return {path.partition("/")[2]: file for path, file in tree.items()}


def _path_fault(path: str) -> str:
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or "\\" in path or "\0" in path or ":" in parts[0]:
        return f"path leads out of the tree; got {path!r}"
    if "" in parts or "." in parts:
        return f"path is not plain; got {path!r}"
    return ""


def _parents(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))
