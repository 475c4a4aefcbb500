"""What a sandbox can do: one Protocol, one conformance suite for all kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, Self

from trajaudit.datamodel.scenario import SandboxSpec

Isolation = Literal["container", "process", "none"]


@dataclass(frozen=True, kw_only=True)
class ExecResult:
    """What a command in a sandbox did. Output is bytes, cut in the middle with a mark."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    truncated: bool = False
    duration_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class SandboxRequest:
    """One sandbox for one trial."""

    spec: SandboxSpec
    run_id: str
    name: str
    """Unique within the run, `task/trial`; becomes a label."""
    gateway_dir: Path
    """Host directory that holds the trial's socket `gateway.sock`; seen inside as `/run/trajaudit`,
    read-only."""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Path in the work directory → content."""


class AgentProcess(Protocol):
    """A program that was started in a sandbox and runs beside the trial."""

    def wait(self, timeout_s: float | None = None) -> int | None:
        """Return the exit code, or None when it still runs after `timeout_s`."""

    def output(self) -> tuple[bytes, bytes]:
        """Return the tails of stdout and stderr so far (at most 64 KiB each)."""

    def kill(self) -> None:
        """End it and everything it started; safe to call twice."""


class Sandbox(Protocol):
    """A started container or a stand-in with limits. Use `with`; leaving it removes everything."""

    isolation: Isolation

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        stdin: bytes | None = None,
        max_output: int = 1_000_000,
    ) -> ExecResult:
        """Run a command to its end, in the work directory, as the sandbox's user.

        Raises:
            SandboxError: the sandbox itself failed (never for a command that fails or is killed).
        """

    def spawn(self, argv: Sequence[str], *, env: Mapping[str, str]) -> AgentProcess:
        """Start the agent's program."""

    def read_file(self, path: str, *, max_bytes: int = 10_000_000) -> bytes:
        """Return a file's bytes; FileNotFoundError, IsADirectoryError as for a local file."""

    def write_file(self, path: str, content: bytes) -> None:
        """Write a file, making its folders; OSError when the sandbox's disk is full."""

    def died(self) -> str | None:
        """Return why the sandbox is gone (`out of memory`, `engine lost`, ...), or None."""

    def stop(self) -> None:
        """Remove everything; safe to call twice, never raises."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class Worker(Protocol):
    """A program in a container of its own that answers one line with one line."""

    def ask(self, line: bytes, *, timeout_s: float) -> bytes:
        """Send a line (without its line feed) and return the answer's line.

        Raises:
            TimeoutError: no answer in time; the worker is ended and starts afresh at the next ask.
            SandboxError: the container failed or the program ended.
        """

    def stop(self) -> None:
        """Remove it; safe to call twice, never raises."""


class SandboxProvider(Protocol):
    """A kind of sandbox: prepared once per run, then asked for one sandbox per trial."""

    isolation: Isolation

    def prepare(self, spec: SandboxSpec) -> tuple[str, str | None]:
        """Make the image available and return (image reference, digest).

        Raises:
            NoEngineError: there is no engine; the text says how to get one.
            SandboxError: the image cannot be had or built.
        """

    def start(self, request: SandboxRequest) -> Sandbox:
        """Start a sandbox; SandboxError when it does not come up."""

    def worker(
        self, spec: SandboxSpec, *, run_id: str, argv: Sequence[str], files: Mapping[str, bytes]
    ) -> Worker:
        """Start a program with no network and none of an agent's files.

        `files` (path below /mocks → content) are copied in, read-only for the program.
        """

    def reap(self) -> int:
        """Remove what runs whose process is dead have left behind; return how many."""

    def close(self) -> None:
        """Release connections."""
