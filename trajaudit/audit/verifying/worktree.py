"""The repository in a container, seen from outside: which files it has, what they hold."""

import io
import posixpath
import tarfile
from collections.abc import Iterable, Iterator, Mapping

from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import ExecResult, Sandbox

STEP_S = 120
MOST_BYTES = 200_000_000
GIT = (
    "git",
    "-c",
    "safe.directory=*",
    "-c",
    "core.fileMode=false",
    "-c",
    "core.hooksPath=/dev/null",
)


class Worktree(Mapping[str, bytes]):
    """Path → content, read when asked for and remembered as it was at first."""

    def __init__(self, sandbox: Sandbox, root: str) -> None:
        self.root = root
        self._sandbox = sandbox
        listed = self.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        if listed.exit_code != 0 or listed.truncated:
            said = listed.stderr.decode(errors="replace").strip()
            raise SandboxError(f"the image holds no git repository to verify in; got: {said}")
        self._paths = set(listed.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""}
        self._known: dict[str, bytes] = {}

    def git(self, *argv: str, stdin: bytes | None = None) -> ExecResult:
        """Run git in the repository."""
        return self._run([*GIT, *argv], stdin)

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Return the present content of those paths that are regular files."""
        names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in set(paths))
        links = "--hard-dereference"  # a second name of a file has its content, too
        argv = ["tar", "-c", "-f", "-", "--no-recursion", links, "--null", "-T", "-"]
        done = self._run(argv, names)  # exit code 2: some are not there
        if done.truncated or done.timed_out or done.exit_code not in {0, 2}:
            raise SandboxError("files cannot be read out of the container")
        found = {}
        with tarfile.open(fileobj=io.BytesIO(done.stdout), errors="surrogateescape") as archive:
            for member in archive:
                stream = archive.extractfile(member) if member.isreg() else None
                if stream is not None:
                    found[posixpath.normpath(member.name)] = stream.read()
        return found

    def links(self, paths: Iterable[str]) -> set[str]:
        """Return those paths that are symbolic links at present."""
        look = 'for path; do if [ -L "$path" ]; then printf "%s\\0" "$path"; fi; done'
        names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in set(paths))
        done = self._run(["xargs", "-0", "sh", "-c", look, "links"], names)
        if done.truncated or done.exit_code != 0:
            raise SandboxError("links cannot be told from files in the container")
        return set(done.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""}

    def write(
        self,
        files: Mapping[str, bytes | None],
        modes: Mapping[str, int] | None = None,
        *,
        folder: str = ".",
    ) -> None:
        """Make files hold a content, or not be there."""
        gone = [path for path, content in files.items() if content is None]
        if gone:
            self._must(["rm", "-f", "--", *gone], None)
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w", errors="surrogateescape") as archive:
            for path, content in files.items():
                if content is not None:
                    info = tarfile.TarInfo(path)
                    info.size = len(content)
                    info.mode = (modes or {}).get(path, 0o644) & 0o777
                    archive.addfile(info, io.BytesIO(content))
        self._must(
            ["tar", "-x", "-f", "-", "--unlink-first", "-o", "-C", folder], stream.getvalue()
        )

    def __getitem__(self, path: str) -> bytes:
        if path not in self._paths:
            raise KeyError(path)
        if path not in self._known:
            self._known.update(self.read([path]))
        return self._known[path]

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def _run(self, argv: list[str], stdin: bytes | None) -> ExecResult:
        return self._sandbox.exec(argv, timeout_s=STEP_S, stdin=stdin, max_output=MOST_BYTES)

    def _must(self, argv: list[str], stdin: bytes | None) -> None:
        done = self._run(argv, stdin)
        if done.exit_code != 0:
            said = done.stderr.decode(errors="replace").strip()
            raise SandboxError(f"files cannot be written into the container; got: {said}")
