"""Verdicts as CSV, and the findings in a second file beside it."""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from trajaudit.audit.exporting.base import Exporter, audited_trials
from trajaudit.audit.exporting.rows import FINDINGS, VERDICTS, Row, finding_rows, verdict_rows
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import write_atomic

# What a spreadsheet takes for a formula: a reply of an agent must not become one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(run: RunDir, path: Path) -> int:
    """Write both files; return the number of trials."""
    findings = path.with_name(f"{path.stem.removesuffix('.verdicts')}.findings{path.suffix}")
    rows = (row for one in audited_trials(run) for row in finding_rows(one, run.run_id))
    write_atomic(findings, _table(FINDINGS, rows))
    rows = (row for one in audited_trials(run) for row in verdict_rows(one, run.run_id))
    write_atomic(path, _table(VERDICTS, rows))
    return sum(1 for _ in run.read_outcomes())


def _table(columns: dict[str, type], rows: Iterable[Row]) -> Iterator[bytes]:
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in columns])
        yield line.getvalue().encode("utf-8", "backslashreplace")
        line.seek(0)
        line.truncate()
    yield line.getvalue().encode("utf-8", "backslashreplace")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    text = value.replace("\0", "\N{SYMBOL FOR NULL}")
    return f"'{text}" if text.startswith(_FORMULA) else text


EXPORTER = Exporter(
    name="csv",
    suffix=".verdicts.csv",
    write=write,
    describes="verdicts as CSV, findings in a second file beside it",
)
