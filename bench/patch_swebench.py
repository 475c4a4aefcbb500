"""The harness of SWE-bench, in an environment of its own (SWEBENCH_PYTHON names another one)."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

VERSION = "5.0.2"
MODULE = "swebench.harness.run_evaluation"


def swebench_python() -> str | None:
    """Return a Python that has swebench, made where there is none yet; None: it cannot be had."""
    named = os.environ.get("SWEBENCH_PYTHON")
    if named:
        return named
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = cache / "trajaudit" / f"swebench-{VERSION}"
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        try:
            subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
            pip = [str(python), "-m", "pip", "install", "-q", f"swebench=={VERSION}"]
            subprocess.run(pip, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        (home / "ready").touch()
    return str(python)


def command(python: str, folder: Path, run_id: str, workers: int = 1) -> list[str]:
    """Return the command that evaluates `tasks.jsonl` and `predictions.jsonl` of a folder."""
    files = ["-d", str(folder / "tasks.jsonl"), "-p", str(folder / "predictions.jsonl")]
    return [python, "-m", MODULE, *files, "-id", run_id, "--max_workers", str(workers)]


def resolved(folder: Path, run_id: str) -> Sequence[str]:
    """Return the instances that a finished run calls resolved."""
    [report] = folder.glob(f"*.{run_id}.json")
    found: list[str] = json.loads(report.read_text())["resolved_ids"]
    return found
