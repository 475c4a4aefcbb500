"""Containers that outlive a verification which was stopped or killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_S = 60.0


def left_behind(
    start: list[str],
    again: list[str],
    running: Callable[[], set[str]],
    how: signal.Signals,
    folder: Path,
) -> tuple[int, int]:
    """Stop a verification whose tests hang; return its containers then, and after the next start.

    Raises:
        SystemExit: it never started a container.
    """
    before = running()
    null = subprocess.DEVNULL
    process = subprocess.Popen(start, stdout=null, stderr=null, cwd=folder)
    deadline = time.monotonic() + PATIENCE_S
    while not running() - before:
        if time.monotonic() > deadline or process.poll() is not None:
            raise SystemExit(f"no container was started by {' '.join(start)}")
        time.sleep(0.2)
    time.sleep(2)
    mine = running() - before
    os.kill(process.pid, how)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:  # one that waits for its tests to end
        process.kill()
        process.wait()
    at_once = len(mine & running())
    subprocess.run(again, check=False, stdout=null, stderr=null, cwd=folder)
    after = mine & running()
    for one in after:
        subprocess.run(["docker", "rm", "-f", one], check=False, capture_output=True)
    return at_once, len(after)


def containers(*filters: str) -> Callable[[], set[str]]:
    """Return what lists the ids of containers that fit filters of `docker ps`."""
    options = [part for one in filters for part in ("--filter", one)]

    def listed() -> set[str]:
        told = subprocess.run(
            ["docker", "ps", "-aq", "--no-trunc", *options],
            check=True,
            capture_output=True,
            text=True,
        )
        return set(told.stdout.split())

    return listed


def ours(folder: Path) -> list[str]:
    """Return our command for `tasks.jsonl` and `predictions.jsonl` of a folder."""
    files = ["--instances", str(folder / "tasks.jsonl")]
    files += ["--predictions", str(folder / "predictions.jsonl")]
    return [sys.executable, "-m", "trajaudit", "verify", "run", *files]
