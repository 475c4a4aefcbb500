"""Starts the programs of the default image as the sandbox does, but on this host."""

import os
import subprocess
import sys
from pathlib import Path

FILES = Path(__file__).resolve().parents[2] / "sandboxes" / "agent-base" / "files"


def entry_argv(*arguments: str) -> list[str]:
    """The command line of the entry program."""
    return [sys.executable, str(FILES / "entry.py"), *arguments]


def entry_environment(socket: Path) -> dict[str, str]:
    """The environment of a plain process on the host."""
    return {**os.environ, "TRAJAUDIT_SOCKET": str(socket), "TRAJAUDIT_PORT": "0"}


def run_entry(
    socket: Path, *arguments: str, cwd: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run it to its end."""
    return subprocess.run(
        entry_argv(*arguments),
        env=entry_environment(socket),
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        timeout=60,
    )
