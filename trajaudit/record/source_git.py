"""Reads a commit of a local git repository, and the difference between two, as bytes.

Deliberate: only commands that read objects are used, so that no hook, filter or program that a
repository configures is run.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit.record.source_tree import (
    MOST_BYTES,
    MOST_FILES,
    SourceError,
    SourceFile,
    Tree,
    faults_of,
)

TIMEOUT_S = 120
ALONE = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
"""A partial clone would fetch what it lacks, by a program that its configuration names."""
LINK, SUBMODULE, EXECUTABLE = b"120000", b"160000", b"100755"
TEST_PATH = re.compile(r"(?:^|/)tests?/|(?:^|/)(?:test_[^/]*|[^/]*_test\.\w+|conftest\.py)$")
DIFF = (
    "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--full-index",
    "--no-relative", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "-U3",
)  # fmt: skip


@dataclass(frozen=True)
class FixCommit:
    """What a commit changed, with its tests apart."""

    source: bytes
    tests: bytes


class SourceRepository:
    """A git repository on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def commit(self, revision: str) -> str:
        """Return the full hash of a commit.

        Raises:
            SourceError: there is no such commit, or no repository.
        """
        spec = f"{revision}^{{commit}}"
        self._git("rev-parse", "--git-dir")
        try:
            return self._git("rev-parse", "--verify", "--end-of-options", spec).decode().strip()
        except SourceError as e:
            fault = f"there is no commit {revision!r} in it"
            raise SourceError(str(self.folder), [fault]) from e

    def tree(self, commit: str) -> tuple[Tree, list[str]]:
        """Return the files of a commit, and the paths of submodules, which are left out.

        Raises:
            SourceError: it cannot be read, is too large, or dangerous to unpack.
        """
        listed = list(_entries(self._git("ls-tree", "-r", "-l", "-z", "--full-tree", commit)))
        submodules = [path for mode, _, _, path in listed if mode == SUBMODULE]
        blobs = [one for one in listed if one[0] != SUBMODULE]
        if len(blobs) > MOST_FILES or sum(size for _, _, size, _ in blobs) > MOST_BYTES:
            bounds = f"{MOST_FILES} files and {MOST_BYTES} bytes"
            raise SourceError(str(self.folder), [f"commit {commit} is larger than {bounds}"])
        contents = self._blobs([name for _, name, _, _ in blobs])
        found = {
            path: SourceFile(content, mode == EXECUTABLE, mode == LINK)
            for (mode, _, _, path), content in zip(blobs, contents, strict=True)
        }
        faults = list(faults_of(found))
        if faults or not found:
            raise SourceError(str(self.folder), faults or [f"commit {commit} holds no file"])
        return found, submodules

    def fix(self, base: str, fixed: str) -> FixCommit:
        """Return what lies between two commits, tests apart.

        Raises:
            SourceError: it cannot be read.
        """
        named = self._git(*DIFF, "--name-only", "-z", base, fixed)
        paths = [one.decode("utf-8", "surrogateescape") for one in named.split(b"\0") if one]
        tests = [path for path in paths if TEST_PATH.search(path)]
        source = [path for path in paths if path not in set(tests)]
        return FixCommit(self._diff(base, fixed, source), self._diff(base, fixed, tests))

    def _diff(self, base: str, fixed: str, paths: Sequence[str]) -> bytes:
        """Return a difference; what is not UTF-8 in it as binary, which can be stored as text."""
        if not paths:
            return b""
        names = [f":(top,literal){path}" for path in paths]
        plain = self._git(*DIFF, "--binary", base, fixed, "--", *names)
        try:
            plain.decode()
        except UnicodeDecodeError:
            return self._git("-c", "core.attributesFile=/dev/stdin", *DIFF, "--binary", base, fixed,
                             "--", *names, stdin=b"* -diff\n")  # fmt: skip
        return plain

    def _blobs(self, names: Sequence[bytes]) -> Iterator[bytes]:
        content = self._git("cat-file", "--batch", stdin=b"".join(one + b"\n" for one in names))
        at = 0
        for _ in names:
            end = content.index(b"\n", at)
            size = int(content[at:end].rsplit(b" ", 1)[1])
            yield content[end + 1 : end + 1 + size]
            at = end + size + 2

    def _git(self, *words: str, stdin: bytes = b"") -> bytes:
        command = ["git", "-C", str(self.folder), *words]
        try:
            run = subprocess.run(  # noqa: S603 (fixed words, paths and commits)
                command,
                input=stdin,
                capture_output=True,
                check=False,
                timeout=TIMEOUT_S,
                env={**os.environ, **ALONE},
            )
        except (OSError, subprocess.SubprocessError, ValueError) as e:
            raise SourceError(str(self.folder), [f"git cannot be run; got: {e}"]) from e
        if run.returncode != 0:
            said = run.stderr.decode(errors="replace").strip() or f"exit code {run.returncode}"
            raise SourceError(str(self.folder), [f"git refuses; got: {said.splitlines()[0]}"])
        return run.stdout


def _entries(listed: bytes) -> Iterator[tuple[bytes, bytes, int, str]]:
    """Yield mode, object, size and path."""
    for line in listed.split(b"\0"):
        if line:
            about, _, path = line.partition(b"\t")
            mode, _, name, size = about.split()
            shown = path.decode("utf-8", "surrogateescape")
            yield mode, name, int(size) if size != b"-" else 0, shown
