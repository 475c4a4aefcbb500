"""The first page of a report, and what to type next."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajaudit.record.rundir import RunDir
    from trajaudit.report.schema import Summary


def print_page(run: "RunDir", summary: "Summary", html: Path) -> None:
    """Print the summary table and where the whole report is."""
    from trajaudit.report.terminal import print_summary

    shown = os.path.relpath(html)
    path = str(html) if shown.startswith("..") else shown
    print_summary(summary, footer=[f"{path} · trajaudit show {run.run_id} TASK TRIAL"])
