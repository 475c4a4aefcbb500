"""The real command, started on a scenario in a folder of its own."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trajaudit.record.rundir import RunDir


@dataclass(frozen=True)
class Place:
    """A folder with one scenario and its runs."""

    folder: Path

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    @property
    def scenario(self) -> Path:
        return self.folder / "scenarios" / "made" / "made.yaml"

    def write(self, text: str) -> None:
        self.scenario.parent.mkdir(parents=True, exist_ok=True)
        self.scenario.write_text(text)

    def start(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "trajaudit", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env={**os.environ, **(env or {})},
        )

    def done(self, *arguments: str, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
        """Run the command to its end; return its exit code, stdout and stderr."""
        return ended(self.start(*arguments, env=env))

    def run_dir(self) -> RunDir:
        (found,) = [path.parent for path in self.runs.glob("*/run.json")]
        return RunDir(found)

    def acting(self) -> bool:
        """Whether a trial is in the middle of something."""
        return any(b"tool_call" in path.read_bytes() for path in self.runs.glob("*/trials/*/*/e*"))

    def whole(self) -> int:
        return len(list(self.runs.glob("*/trials/*/*/trial.json")))


def ended(process: subprocess.Popen[str], timeout_s: float = 90) -> tuple[int, str, str]:
    """Wait for the command; return its exit code, stdout and stderr."""
    try:
        out, err = process.communicate(timeout=timeout_s)
    finally:
        process.kill()
    return process.returncode, out, err


def until(holds: Callable[[], object], timeout_s: float = 60) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.05)


def containers(run_id: str) -> list[str]:
    """Return the containers of a run that are there, running or not."""
    listed = subprocess.run(
        ["docker", "ps", "-aq", "--filter", f"label=trajaudit.run={run_id}"],
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if name != "DOCKER_HOST"},
    )
    return listed.stdout.split()


def socket_folders(pid: int) -> list[Path]:
    """Return the folders for sockets that a process made."""
    return list(Path(tempfile.gettempdir()).glob(f"trajaudit-{pid}-*"))


def children(pid: int, word: str) -> list[int]:
    """Return the children of a process whose command line holds a word."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and word in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except OSError:
            continue
    return found
