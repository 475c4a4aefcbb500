"""What did the agent make of its repository? Taken out of its container, and trusted in nothing.

The tree is copied out as it lies there and compared outside with what was put in: no git of the
agent's is asked, and no file of its `.git` is read.
"""

import io
import posixpath
import re
import tarfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from trajaudit.errors import SandboxError
from trajaudit.record.repository import BYPRODUCTS, SourceFile, is_byproduct
from trajaudit.run.repository.difference import changed_paths, difference
from trajaudit.sandbox.base import Sandbox

TAKE_S = 120
MOST_TREE = 64_000_000
"""Bytes of all files together."""
MOST_PATCH = 10_000_000
MOST_FILES = 20_000
MOST_NAMED = 100
"""Of the files that are changed or left out, by name."""
# An agent may have taken the right to read from its own files; to tar that is a fault.
COPY = 'chmod -R -f u+rX . ; exec tar -c -f - --hard-dereference "$@" -C . .'
_SEPARATOR = re.compile(r"[/\\]")
_OF_GIT = re.compile(r"(?i)\.git[ .]*|git~\d|\.\.")
"""Parts of a path that git refuses in a patch, whatever the system."""
_KINDS = {tarfile.SYMTYPE: "a link", tarfile.FIFOTYPE: "a pipe"}


@dataclass(frozen=True, kw_only=True)
class Taken:
    """The patch, or why there is none."""

    patch: bytes = b""
    files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    problem: Literal["too_large", "unreadable", "lost"] | None = None
    detail: str = ""


@dataclass
class _Tree:
    files: dict[str, SourceFile] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def take(
    sandbox: Sandbox, base: Mapping[str, SourceFile], aside: Collection[str] = frozenset()
) -> Taken:
    """Return what an agent changed of `base`; files in `aside` were given to it beside it.

    Raises:
        SandboxError: the sandbox failed, which is not the agent's doing.
    """
    argv = ["sh", "-c", COPY, "copy", *(f"--exclude={name}" for name in (".git", *BYPRODUCTS))]
    try:
        done = sandbox.exec(argv, timeout_s=TAKE_S, max_output=MOST_TREE)
    except SandboxError:
        reason = sandbox.died() or ""
        if "out of memory" not in reason:
            raise
        return Taken(problem="lost", detail=f"the agent's container is gone: {reason}")
    if done.truncated or done.timed_out:
        return Taken(
            problem="too_large",
            detail=f"the repository holds more than {MOST_TREE} bytes, or takes more than "
            f"{TAKE_S} s to read",
        )
    if done.exit_code not in {0, 1}:  # 1: a file changed while it was read
        said = done.stderr.decode(errors="replace").strip()[-500:]
        return Taken(problem="unreadable", detail=said or f"exit code {done.exit_code}")
    try:
        tree = _read(done.stdout, {*aside} - base.keys())
    except (tarfile.TarError, ValueError, EOFError) as error:
        return Taken(problem="unreadable", detail=str(error))
    return _taken(base, tree)


def _taken(base: Mapping[str, SourceFile], tree: _Tree) -> Taken:
    left_out = _named(tree.left_out)
    if len(tree.files) > MOST_FILES:
        detail = f"the repository holds more than {MOST_FILES} files"
        return Taken(problem="too_large", detail=detail, left_out=left_out)
    files = _named(map(_shown, changed_paths(base, tree.files)))
    patch = difference(base, tree.files)
    if len(patch) > MOST_PATCH:
        detail = f"the patch has {len(patch)} bytes; at most {MOST_PATCH} are taken"
        return Taken(problem="too_large", detail=detail, files=files, left_out=left_out)
    return Taken(patch=patch, files=files, left_out=left_out)


def _read(archive: bytes, aside: Collection[str]) -> _Tree:
    """Return the plain files; anything else is left out and named."""
    tree = _Tree()
    stream = io.BytesIO(archive)
    with tarfile.open(fileobj=stream, mode="r:", errors="surrogateescape") as found:
        for member in found:
            path = posixpath.normpath(member.name)
            if member.isdir() or path in aside or is_byproduct(path):
                continue
            if any(_OF_GIT.fullmatch(part) for part in _SEPARATOR.split(path)):
                tree.left_out.append(f"{_shown(path)}: git keeps such names for itself")
            elif not member.isreg():
                kind = _KINDS.get(member.type, "no plain file")
                tree.left_out.append(f"{_shown(path)}: is {kind}")
            elif len(tree.files) <= MOST_FILES:
                content = found.extractfile(member)
                data = b"" if content is None else content.read()
                tree.files[path] = SourceFile(data, bool(member.mode & 0o100))
    return tree


def _named(names: Iterable[str]) -> tuple[str, ...]:
    every = list(names)
    more = len(every) - MOST_NAMED
    return (*every[:MOST_NAMED], *((f"and {more} more",) if more > 0 else ()))


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
