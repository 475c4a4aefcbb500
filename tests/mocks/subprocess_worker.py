"""The python worker as a plain process, so that mocks can be tried without a container."""

import os
import select
import subprocess
import sys
from pathlib import Path

from trajaudit.errors import SandboxError
from trajaudit.mocks.python import WORKER_FILE


class SubprocessWorker:
    """Answers one line with one line; runs what the tests themselves wrote."""

    def __init__(self, folder: Path, files: dict[str, bytes]) -> None:
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        self.printed = folder / "stderr.txt"
        with self.printed.open("wb") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-u", str(folder / WORKER_FILE), str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=folder,
            )

    def ask(self, line: bytes, *, timeout_s: float) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise SandboxError("the worker ended") from error
        if not select.select([self._process.stdout], [], [], timeout_s)[0]:
            raise TimeoutError
        answer = self._process.stdout.readline()
        if not answer:
            raise SandboxError("the worker ended")
        return answer.rstrip(os.linesep.encode())

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()
