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

    shown = os.path.relpath(html)
    path = str(html) if shown.startswith("..") else shown
    print_summary(summary, footer=[f"{path} · {_next(run)}"])


def _next(run: "RunDir") -> str:
    from trajaudit.audit.review import waiting

    if (run.path / "outcomes.jsonl").exists() and run.config.agent not in _NO_AGENTS:
        found = waiting(run)
        if found.resolve or found.audit:
            return f"trajaudit review {run.run_id} ({found.text})"
    return f"trajaudit show {run.run_id} TASK TRIAL"
