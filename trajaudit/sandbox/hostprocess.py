"""A process of this host with limits, bounded output and an end that spares no child."""

import os
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from trajaudit.sandbox.base import ExecResult
from trajaudit.sandbox.output import Clip

MARK = "TRAJAUDIT_PROCESS"
"""Variable by which a process and all that it starts are found."""
CHUNK = 65536
OUTPUT_PATIENCE_S = 1.0
"""How long output is awaited after the end; a child in the background may hold it open."""
LIMITED = (
    'ulimit -v "$1" 2>/dev/null; ulimit -f "$2"; ulimit -c 0; ulimit -n 4096 2>/dev/null; '
    'shift 2; exec "$@"'
)
"""A shell sets the limits: code between fork and exec is not safe in a program with threads."""
KILL_ROUNDS = 5


class HostProcess:
    """A started program."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        folder: Path,
        memory_mb: int,
        file_mb: int,
        stdin: bytes | None = None,
        max_output: int,
    ) -> None:
        self._began = time.monotonic()
        self._mark = f"{folder}:{secrets.token_hex(8)}"
        limits = [str(memory_mb * 1024), str(file_mb * 2048)]
        self._process = subprocess.Popen(  # noqa: S603 (what the caller asked for)
            ["/bin/sh", "-c", LIMITED, "limited", *limits, *argv],
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**env, MARK: self._mark},
            start_new_session=True,
        )
        self._clips = (Clip(max_output), Clip(max_output))
        self._threads = [
            _thread(_collect, self._process.stdout, self._clips[0]),
            _thread(_collect, self._process.stderr, self._clips[1]),
        ]
        if stdin is not None:
            _thread(_feed, self._process.stdin, stdin)

    def wait(self, timeout_s: float | None = None) -> int | None:
        """Return the exit code, or None when it still runs after `timeout_s`."""
        try:
            code = self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None
        for thread in self._threads:
            thread.join(OUTPUT_PATIENCE_S)
        return 128 - code if code < 0 else code

    def result(self, timeout_s: float) -> ExecResult:
        """Wait for the end, killing at the time limit."""
        code = self.wait(timeout_s)
        timed_out = code is None
        if code is None:
            self.kill()
            code = 128 + signal.SIGKILL
        return ExecResult(
            exit_code=code,
            stdout=self._clips[0].value(),
            stderr=self._clips[1].value(),
            timed_out=timed_out,
            truncated=any(clip.truncated for clip in self._clips),
            duration_s=time.monotonic() - self._began,
        )

    def output(self) -> tuple[bytes, bytes]:
        """Return head and tail of stdout and stderr so far."""
        return self._clips[0].value(), self._clips[1].value()

    def kill(self) -> None:
        """End it and everything it started; safe to call twice."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        kill_marked(self._mark)
        self.wait(OUTPUT_PATIENCE_S)


def kill_marked(mark: str) -> int:
    """Kill every process of this user whose mark starts like that; return how many kills."""
    wanted = f"\0{MARK}={mark}".encode()
    killed = 0
    for _ in range(KILL_ROUNDS):  # what forked meanwhile is found by the next round
        found = [path for path in Path("/proc").glob("[0-9]*") if _is_marked(path, wanted)]
        for path in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(int(path.name), signal.SIGKILL)
                killed += 1
        if not found:
            break
    return killed


def _is_marked(path: Path, wanted: bytes) -> bool:
    try:
        return wanted in b"\0" + (path / "environ").read_bytes()
    except OSError:
        return False


def _thread(target: object, stream: IO[bytes] | None, argument: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=(stream, argument), daemon=True)  # type: ignore[arg-type]  # both targets fit
    thread.start()
    return thread


def _collect(stream: IO[bytes], clip: Clip) -> None:
    with stream:
        while data := os.read(stream.fileno(), CHUNK):
            clip.add(data)


def _feed(stream: IO[bytes], data: bytes) -> None:
    with suppress(BrokenPipeError), stream:
        stream.write(data)
