"""Plain processes with limits: for the built-in agent with mocked tools where no engine exists.

This is no isolation: a program could read what this user can read and reach the network. It gets
a folder of its own, only the listed variables, limits of memory and file size, and is ended whole.
"""

import json
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Self

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import ExecResult, Isolation, SandboxRequest, Worker
from trajaudit.sandbox.hostprocess import HostProcess, kill_marked
from trajaudit.sandbox.owner import Owner

PREFIX = "trajaudit-process-"
OWNER_FILE = "owner.json"
SOCKET = "gateway.sock"
PASSED = ("LANG", "LC_ALL", "TZ", "SYSTEMROOT")
"""Variables of the host that a program sees; everything else, and so every key, stays outside."""


class ProcessSandbox:
    """A folder and the processes that were started in it."""

    isolation: Isolation = "process"

    def __init__(self, request: SandboxRequest) -> None:
        self._spec = request.spec
        self._root = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._work = self._root / "work"
        self._work.mkdir()
        (self._root / OWNER_FILE).write_text(json.dumps(asdict(Owner.current())))
        self._env = {
            **{name: os.environ[name] for name in PASSED if name in os.environ},
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]),
            "HOME": str(self._work),
            "TMPDIR": str(self._work),
            "PYTHONUNBUFFERED": "1",
            "TRAJAUDIT_SOCKET": str(request.gateway_dir / SOCKET),
            "TRAJAUDIT_PORT": str(_free_port()),
            **request.env,
        }
        self._agents: list[HostProcess] = []
        self._stopped = False

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        stdin: bytes | None = None,
        max_output: int = 1_000_000,
    ) -> ExecResult:
        """Run a command to its end in the folder."""
        process = self._start(argv, {}, stdin=stdin, max_output=max_output)
        return process.result(timeout_s)

    def spawn(self, argv: Sequence[str], *, env: Mapping[str, str]) -> HostProcess:
        """Start the agent's program."""
        agent = self._start(argv, env, stdin=None, max_output=131_072)
        self._agents.append(agent)
        return agent

    def read_file(self, path: str, *, max_bytes: int = 10_000_000) -> bytes:
        """Return a file's bytes."""
        with self._inside(path).open("rb") as file:
            content = file.read(max_bytes + 1)
        if len(content) > max_bytes:
            raise OSError(27, f"file is larger than {max_bytes} bytes", path)
        return content

    def write_file(self, path: str, content: bytes) -> None:
        """Write a file, making its folders."""
        target = self._inside(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def died(self) -> str | None:
        """Return why the sandbox is gone, or None."""
        return "stopped" if self._stopped else None

    def stop(self) -> None:
        """End every process and remove the folder."""
        self._stopped = True
        for agent in self._agents:
            agent.kill()
        kill_marked(f"{self._work}:")
        shutil.rmtree(self._root, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def _start(
        self, argv: Sequence[str], env: Mapping[str, str], *, stdin: bytes | None, max_output: int
    ) -> HostProcess:
        if self._stopped:
            raise SandboxError("stopped")
        return HostProcess(
            argv,
            env={**self._env, **env},
            folder=self._work,
            memory_mb=self._spec.memory_mb,
            file_mb=self._spec.disk_mb,
            stdin=stdin,
            max_output=max_output,
        )

    def _inside(self, path: str) -> Path:
        """Return the host's path; the work directory's own name stands for the folder."""
        if path == self._spec.workdir or path.startswith(self._spec.workdir + "/"):
            path = "." + path[len(self._spec.workdir) :]
        target = (self._work / path).resolve()
        if not target.is_relative_to(self._work.resolve()):
            raise PermissionError(13, "path is outside the work directory", path)
        return target


class ProcessProvider:
    """Starts plain processes; refuses whatever needs real isolation."""

    isolation: Isolation = "process"

    def prepare(self, spec: SandboxSpec) -> tuple[str, str | None]:  # noqa: ARG002 (no image is needed)
        """Return that there is no image."""
        return "process", None

    def start(self, request: SandboxRequest) -> ProcessSandbox:
        """Make a folder with the request's files."""
        sandbox = ProcessSandbox(request)
        try:
            for path, content in request.files.items():
                sandbox.write_file(path, content)
        except OSError as e:
            sandbox.stop()
            raise SandboxError(f"files cannot be copied into the sandbox; got: {e}") from e
        return sandbox

    def worker(
        self,
        spec: SandboxSpec,  # noqa: ARG002 (the Protocol's)
        *,
        run_id: str,  # noqa: ARG002 (the Protocol's)
        argv: Sequence[str],  # noqa: ARG002 (the Protocol's)
        files: Mapping[str, bytes],  # noqa: ARG002 (the Protocol's)
    ) -> Worker:
        """Refuse: code of a scenario never runs on the host.

        Raises:
            SandboxError: always.
        """
        raise SandboxError("python mocks need a container; got sandbox kind 'process'")

    def reap(self) -> int:
        """End the processes and remove the folders of dead owners."""
        removed = 0
        for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            try:
                owner = Owner(**json.loads((folder / OWNER_FILE).read_text()))
            except (OSError, ValueError, TypeError):
                continue  # somebody else's, or one that is being made
            if owner.is_dead():
                kill_marked(f"{folder / 'work'}:")
                shutil.rmtree(folder, ignore_errors=True)
                removed += 1
        return removed

    def close(self) -> None:
        """Release nothing."""


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])
