"""The first page of a report, and what to type next."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajaudit.record.rundir import RunDir
    from trajaudit.report.schema import Summary

_NO_AGENTS = frozenset({"golden", "null"})
"""Trials of these show whether a task is sound; there is nobody to review."""


def print_page(run: "RunDir", summary: "Summary", html: Path) -> None:
    """Print the summary table, where the whole report is, and what people are to do."""
    from trajaudit.report.terminal import print_summary

    print_summary(summary, footer=[f"{shown_path(html)} · {_next(run)}"])


def shown_path(path: Path) -> str:
    """Return a path as it is typed from here."""
    shown = os.path.relpath(path)
    return str(path) if shown.startswith("..") else shown


def _next(run: "RunDir") -> str:
    from trajaudit.audit.review import waiting

    if (run.path / "outcomes.jsonl").exists() and run.config.agent not in _NO_AGENTS:
        found = waiting(run)
        if found.resolve or found.audit:
            return f"trajaudit review {run.run_id} ({found.text})"
    return f"trajaudit show {run.run_id} TASK TRIAL"
