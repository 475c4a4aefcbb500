"""Which file of a tree does a path in a patch mean, and may a patch write there?"""

import re
from collections.abc import Container, Sequence
from fnmatch import fnmatchcase

PREFIX = "path_prefix"
ABSOLUTE = "absolute_path"
USUAL_ROOTS = ("testbed", "workspace", "repo", "work", "app", "code", "src")
"""Folders at which projects usually lie in containers."""
MOST_LEADING = 4
_GIT = re.compile(r"(?i)\.git[ .]*|git~\d")
_PREFIXES = ("a/", "b/", "i/", "w/", "c/", "o/", "1/", "2/")
_DRIVE = re.compile(r"[A-Za-z]:")


def is_unsafe(path: str) -> bool:
    """Whether a path leads out of the tree, or into what git keeps of itself."""
    parts = re.split(r"[/\\]", path)
    return (
        not path
        or "\0" in path
        or not {".", ".."}.isdisjoint(parts)
        or bool(_DRIVE.match(path))
        or any(_GIT.fullmatch(part) for part in parts)
    )


def without_prefix(path: str) -> str:
    """Return what `git apply` takes a path for: without its first folder."""
    return path.partition("/")[2]


def has_prefix(path: str) -> bool:
    """Whether a path carries one of the prefixes that git writes."""
    return path.startswith(_PREFIXES)


def existing(
    path: str, tree: Container[str], roots: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]] | None:
    """Return the file of the tree that a path means, and how it had to be read; None: none."""
    plain = without_prefix(path)
    if plain and plain in tree:
        return plain, ()
    if path in tree:
        return path, (PREFIX,)
    for start in (path, plain) if has_prefix(path) else (path,):
        inside = below_root(start, tree, roots)
        if inside is not None:
            return inside, (ABSOLUTE,)
    return None


def below_root(path: str, tree: Container[str], roots: Sequence[str] = ()) -> str | None:
    """Return the part of an absolute path that is a file of the tree."""
    known = (*(root.strip("/") for root in roots), *USUAL_ROOTS)
    parts = path.strip("/").split("/")
    for count in range(1, min(MOST_LEADING, len(parts) - 1) + 1):
        inside = "/".join(parts[count:])
        if inside in tree and (path.startswith("/") or "/".join(parts[:count]) in known):
            return inside
    return None


def new_path(path: str, roots: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Return where a new file belongs, and how its path had to be read."""
    plain = without_prefix(path) if has_prefix(path) else path.removeprefix("./")
    how: tuple[str, ...] = () if has_prefix(path) else (PREFIX,)
    for root in (*roots, *(f"/{name}" for name in USUAL_ROOTS[:3])):
        lead = root.strip("/") + "/"
        if plain.lstrip("/").startswith(lead) and (path.startswith("/") or root in roots):
            return plain.lstrip("/").removeprefix(lead), (ABSOLUTE,)
    return plain, how


def is_protected(path: str, protected: Sequence[str]) -> bool:
    """Whether a path is one of the protected files, lies below one, or fits a pattern."""
    return any(
        path == one.rstrip("/") or path.startswith(one.rstrip("/") + "/") or fnmatchcase(path, one)
        for one in protected
    )
