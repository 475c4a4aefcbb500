"""What an instance is made of: a repository's files at a base, the fix, the tests of the fix."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit.errors import UsageError
from trajaudit.record.source_archive import read_archive
from trajaudit.record.source_git import FixCommit, SourceRepository
from trajaudit.record.source_tree import SourceError, Tree

SUFFIX = re.compile(r"\.(?:tar\.\w+|tgz|tar|zip)$")


@dataclass(frozen=True, kw_only=True)
class SourceRequest:
    """Where a project lies, and what fixes it."""

    place: Path
    """Folder of a git repository, or a source archive."""
    gold: str
    """A patch file; of a repository also the commit that fixes it, whose tests are taken apart."""
    base: str | None = None
    """Commit; None: the parent of the commit that fixes it, or HEAD. Of an archive none."""
    tests: Path | None = None
    """Patch file; None: those of the commit, or none."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """What was read."""

    name: str
    repo: str
    commit: str
    """Empty for an archive."""
    tree: Tree
    gold: str
    tests: str
    notes: Sequence[str] = ()


def read_source(request: SourceRequest) -> Source:
    """Read files and patches.

    Raises:
        UsageError: something is missing, cannot be read, or is dangerous.
    """
    if not request.place.exists():
        raise UsageError(f"{request.place}: there is no such folder or archive")
    return _of_repository(request) if request.place.is_dir() else _of_archive(request)


def _of_archive(request: SourceRequest) -> Source:
    if request.base is not None:
        raise UsageError(f"{request.place}: an archive has no commits; got --base {request.base!r}")
    name = SUFFIX.sub("", request.place.name)
    return Source(
        name=name,
        repo=name,
        commit="",
        tree=read_archive(request.place),
        gold=_patch(Path(request.gold)),
        tests=_patch(request.tests) if request.tests is not None else "",
    )


def _of_repository(request: SourceRequest) -> Source:
    repository = SourceRepository(request.place)
    if Path(request.gold).is_file():
        base = repository.commit(request.base or "HEAD")
        gold, tests = _patch(Path(request.gold)), ""
    else:
        fixed = repository.commit(request.gold)
        base = repository.commit(request.base or f"{fixed}^")
        fix = repository.fix(base, fixed)
        _refuse_half(request, fix)
        gold, tests = (_text(one, request.gold) for one in (fix.source, fix.tests))
    tree, submodules = repository.tree(base)
    name = request.place.resolve().name
    left_out = f"submodules are left out: {', '.join(submodules)}"
    return Source(
        name=f"{name}-{base[:12]}",
        repo=name,
        commit=base,
        tree=tree,
        gold=gold,
        tests=_patch(request.tests) if request.tests is not None else tests,
        notes=(left_out,) * bool(submodules),
    )


def _refuse_half(request: SourceRequest, fix: FixCommit) -> None:
    where = f"{request.place}: commit {request.gold}"
    if not fix.source:
        raise UsageError(f"{where} changes no source beside tests; name the commit that fixes")
    if not fix.tests and request.tests is None:
        raise UsageError(f"{where} changes no test; give the tests of the fix with --tests FILE")


def _patch(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as e:
        reason = (e.strerror or "").lower()
        raise UsageError(f"{path}: patch cannot be read; {reason}") from e
    text = _text(content, str(path))
    if not text.strip():
        raise UsageError(f"{path}: patch is empty")
    return text


def _text(content: bytes, where: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as e:
        reason = f"patch must be UTF-8; got {e}; make it with `git diff --binary`"
        raise SourceError(where, [reason]) from e
