"""A desk as people get it: `trajaudit review serve` in a process of its own, over real runs."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import httpx

from trajaudit.datamodel.review import LedgerRecord, Review, ReviewPolicy, Role
from trajaudit.record.reviews import read_reviews, standing
from trajaudit.record.rundir import RunDir
from trajaudit.review.people import People
from trajaudit.review.policy import store_policy

_ADDRESS = re.compile(r"(http://\S+:(\d+))   \(Ctrl-C ends it\)")
_COMMAND = (sys.executable, "-m", "trajaudit")
_WAIT_S = 60


def trajaudit(*words: str | Path, cwd: Path) -> str:
    """Run a command that has to succeed; return what it printed."""
    command = [*_COMMAND, *map(str, words)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Served:
    """The server of a folder of runs; it can be stopped, killed, and started again."""

    def __init__(self, runs: Path, policy: ReviewPolicy, people: Mapping[str, Role]) -> None:
        self.runs = runs
        self.url, self.port = "", 0
        self._process: subprocess.Popen[bytes] | None = None
        self.tokens: dict[str, str] = {}
        self.decide(policy)
        for name, role in people.items():
            self.add(name, role)

    @property
    def project(self) -> Path:
        return self.runs.parent

    def add(self, name: str, role: Role = Role.REVIEWER) -> None:
        """Give a person a token; a server that asks for tokens knows it at once."""
        _, self.tokens[name] = People(self.runs).add(name, role, now=datetime.now(UTC))

    def decide(self, policy: ReviewPolicy) -> None:
        """Change how items are given out; a server follows at once."""
        store_policy(self.runs, policy)

    def start(self) -> None:
        """Start the server over all runs, at the port that it had before."""
        said = self.project / "serve.log"
        names = [one.name for one in _folders(self.runs)]
        command = [*_COMMAND, "review", "serve", *names, "--runs", str(self.runs)]
        with said.open("wb") as file:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                cwd=self.project,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        until = time.monotonic() + _WAIT_S
        while (found := _ADDRESS.search(said.read_text())) is None:
            assert self._process.poll() is None, said.read_text()
            assert time.monotonic() < until, said.read_text()
            time.sleep(0.05)
        self.url, self.port = found[1], int(found[2])
        # The address is told a moment before the first answer can be given.
        assert httpx.get(f"{self.url}/login", timeout=_WAIT_S).status_code == 200

    def stop(self) -> str:
        """End the server as Ctrl-C does; return all that it said."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            code = self._process.wait(_WAIT_S)
            self._process = None
            assert code == 0, self.said
        return self.said

    @property
    def said(self) -> str:
        """What the server wrote to its terminal."""
        return (self.project / "serve.log").read_text()

    def kill(self) -> None:
        """End the server without asking."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait(_WAIT_S)
        self._process = None

    def records(self) -> list[LedgerRecord]:
        """Everything that is on the disk, run by run."""
        return [one for folder in _folders(self.runs) for one in read_reviews(RunDir(folder))]

    def labels(self, who: str = "") -> list[Review]:
        """The labels that stand, of one person or of all."""
        return [one for one in standing(self.records()) if who in {"", one.reviewer}]


def _folders(runs: Path) -> list[Path]:
    return sorted(path.parent for path in runs.glob("*/run.json"))
