"""A sandbox in memory with canned answers, for tests of what uses a sandbox."""

from collections.abc import Callable, Mapping, Sequence
from typing import Self

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import ExecResult, Isolation, SandboxRequest

Answer = Callable[[Sequence[str], bytes | None], ExecResult]
LineAnswer = Callable[[bytes], bytes]


def nothing(_argv: Sequence[str], _stdin: bytes | None) -> ExecResult:
    """Answer any command with an empty success."""
    return ExecResult(exit_code=0, stdout=b"", stderr=b"")


def echo(line: bytes) -> bytes:
    """Answer a worker's line with itself."""
    return line


class ScriptedProcess:
    """A program that has ended already."""

    def __init__(self, result: ExecResult) -> None:
        self._result = result

    def wait(self, timeout_s: float | None = None) -> int | None:  # noqa: ARG002 (ended already)
        """Return the canned exit code."""
        return self._result.exit_code

    def output(self) -> tuple[bytes, bytes]:
        """Return the canned output."""
        return self._result.stdout, self._result.stderr

    def kill(self) -> None:
        """Do nothing."""


class ScriptedSandbox:
    """Files in a dict; commands answered by a function and remembered in `calls`."""

    isolation: Isolation = "none"

    def __init__(self, files: Mapping[str, bytes], answer: Answer, workdir: str = "/work") -> None:
        self.files = dict(files)
        self.calls: list[tuple[str, ...]] = []
        self._answer = answer
        self._workdir = workdir
        self._stopped = False

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,  # noqa: ARG002 (nothing takes time)
        stdin: bytes | None = None,
        max_output: int = 1_000_000,  # noqa: ARG002 (the answer is given)
    ) -> ExecResult:
        """Return the canned answer."""
        if self._stopped:
            raise SandboxError("stopped")
        self.calls.append(tuple(argv))
        return self._answer(argv, stdin)

    def spawn(self, argv: Sequence[str], *, env: Mapping[str, str]) -> ScriptedProcess:  # noqa: ARG002 (the Protocol's)
        """Return a program that ended with the canned answer."""
        return ScriptedProcess(self.exec(argv, timeout_s=0))

    def read_file(self, path: str, *, max_bytes: int = 10_000_000) -> bytes:
        """Return a file's bytes."""
        key = self._key(path)
        if key not in self.files:
            if any(name.startswith(key + "/") for name in self.files):
                raise IsADirectoryError(21, "is a directory", path)
            raise FileNotFoundError(2, "no such file", path)
        if len(self.files[key]) > max_bytes:
            raise OSError(27, f"file is larger than {max_bytes} bytes", path)
        return self.files[key]

    def write_file(self, path: str, content: bytes) -> None:
        """Keep a file."""
        self.files[self._key(path)] = content

    def died(self) -> str | None:
        """Return `stopped`, or None."""
        return "stopped" if self._stopped else None

    def stop(self) -> None:
        """Remember that it is over."""
        self._stopped = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def _key(self, path: str) -> str:
        return path.removeprefix(self._workdir + "/")


class ScriptedWorker:
    """Answers lines by a function."""

    def __init__(self, answer: LineAnswer) -> None:
        self._answer = answer

    def ask(self, line: bytes, *, timeout_s: float) -> bytes:  # noqa: ARG002 (nothing takes time)
        """Return the answer."""
        return self._answer(line)

    def stop(self) -> None:
        """Do nothing."""


class ScriptedProvider:
    """Hands out scripted sandboxes and remembers them in `started`."""

    isolation: Isolation = "none"

    def __init__(self, answer: Answer = nothing, worker_answer: LineAnswer = echo) -> None:
        self.started: list[ScriptedSandbox] = []
        self._answer = answer
        self._worker_answer = worker_answer

    def prepare(self, spec: SandboxSpec) -> tuple[str, str | None]:  # noqa: ARG002 (no image is needed)
        """Return that there is no image."""
        return "scripted", None

    def start(self, request: SandboxRequest) -> ScriptedSandbox:
        """Return a sandbox that holds the request's files."""
        sandbox = ScriptedSandbox(request.files, self._answer, request.spec.workdir)
        self.started.append(sandbox)
        return sandbox

    def worker(
        self,
        spec: SandboxSpec,  # noqa: ARG002 (the Protocol's)
        *,
        run_id: str,  # noqa: ARG002 (the Protocol's)
        argv: Sequence[str],  # noqa: ARG002 (the Protocol's)
        files: Mapping[str, bytes],  # noqa: ARG002 (the Protocol's)
    ) -> ScriptedWorker:
        """Return a worker that answers by the given function."""
        return ScriptedWorker(self._worker_answer)

    def reap(self) -> int:
        """Find nothing."""
        return 0

    def close(self) -> None:
        """Release nothing."""
