"""A trial's container: commands, files, the agent's program."""

import errno
import io
import posixpath
import tarfile
from collections.abc import Mapping, Sequence
from typing import Self

from trajaudit.errors import SandboxError
from trajaudit.sandbox import command
from trajaudit.sandbox.base import ExecResult, Isolation
from trajaudit.sandbox.command import Place
from trajaudit.sandbox.container import Container
from trajaudit.sandbox.docker_agent import DockerAgentProcess

FILE_TIMEOUT_S = 60
READ = (
    'if [ -d "$1" ]; then exit 91; elif [ ! -e "$1" ]; then exit 92; elif [ ! -f "$1" ]; '
    'then exit 93; elif [ ! -r "$1" ]; then exit 94; fi; exec head -c "$2" "$1"'
)
"""`head` bounds what is sent, not only what is kept; the exit codes are no shell's own."""
READ_ERRORS = {
    91: (errno.EISDIR, "is a directory"),
    92: (errno.ENOENT, "no such file"),
    93: (errno.EINVAL, "not a regular file"),
    94: (errno.EACCES, "permission denied"),
}
WRITE = 'mkdir -p "$(dirname "$1")" && cat > "$1"'
WRITE_ERRORS = {b"No space left": errno.ENOSPC, b"fork": errno.EAGAIN}
"""What shells and tar say; anything else is a refusal."""


class DockerSandbox:
    """A started container."""

    isolation: Isolation = "container"

    def __init__(self, place: Place) -> None:
        self._place = place
        self._container: Container = place.container
        self._agents: list[DockerAgentProcess] = []
        self._stopped = False

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        stdin: bytes | None = None,
        max_output: int = 1_000_000,
    ) -> ExecResult:
        """Run a command to its end, in the work directory, as the sandbox's user."""
        try:
            return command.run(
                self._place, argv, timeout_s=timeout_s, stdin=stdin, max_output=max_output
            )
        except SandboxError as e:
            raise SandboxError(self.died() or str(e)) from e

    def spawn(self, argv: Sequence[str], *, env: Mapping[str, str]) -> DockerAgentProcess:
        """Start the agent's program."""
        process = DockerAgentProcess.start(self._place, argv, env)
        self._agents.append(process)
        return process

    def read_file(self, path: str, *, max_bytes: int = 10_000_000) -> bytes:
        """Return a file's bytes; OSError (EFBIG) when it is larger than `max_bytes`."""
        argv = ["sh", "-c", READ, "read", self._inside(path), str(max_bytes + 1)]
        result = self.exec(argv, timeout_s=FILE_TIMEOUT_S, max_output=max_bytes + 4096)
        if result.exit_code == 0 and len(result.stdout) > max_bytes:
            raise OSError(errno.EFBIG, f"file is larger than {max_bytes} bytes", path)
        if result.exit_code in READ_ERRORS:
            raise OSError(*READ_ERRORS[result.exit_code], path)
        if result.exit_code != 0:
            raise OSError(errno.EIO, _text(result), path)
        return result.stdout

    def write_file(self, path: str, content: bytes) -> None:
        """Write a file, making its folders."""
        argv = ["sh", "-c", WRITE, "write", self._inside(path)]
        _check(self.exec(argv, timeout_s=FILE_TIMEOUT_S, stdin=content), path)

    def write_files(self, files: Mapping[str, bytes]) -> None:
        """Write many files into the work directory at the cost of one."""
        if not files:
            return
        argv = ["tar", "-x", "-f", "-", "-o", "-C", self._place.workdir]
        result = self.exec(argv, timeout_s=FILE_TIMEOUT_S, stdin=archive(files))
        if result.exit_code in {126, 127}:  # no tar in the image
            for path, content in files.items():
                self.write_file(path, content)
            return
        _check(result, self._place.workdir)

    def died(self) -> str | None:
        """Return why the container is gone, or None."""
        return "stopped" if self._stopped else self._container.died()

    def stop(self) -> None:
        """Remove everything."""
        self._stopped = True
        self._container.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def _inside(self, path: str) -> str:
        return posixpath.join(self._place.workdir, path)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return a tar archive of regular files.

    Raises:
        SandboxError: a path leads out of the folder.
    """
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for path, content in files.items():
            clean = posixpath.normpath(path)
            if clean.startswith(("/", "..")):
                raise SandboxError(f"file leads out of its folder; got {path!r}")
            info = tarfile.TarInfo(clean)
            info.size = len(content)
            info.mode = 0o755 if content.startswith(b"#!") else 0o644
            tar.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def _check(result: ExecResult, path: str) -> None:
    if result.exit_code == 0 and not result.timed_out:
        return
    codes = (code for text, code in WRITE_ERRORS.items() if text in result.stderr)
    raise OSError(next(codes, errno.EACCES), _text(result), path)


def _text(result: ExecResult) -> str:
    text = result.stderr.decode(errors="replace").strip()
    return text or f"exit code {result.exit_code}"
