"""Everything that is known of a run as JSON lines: the run first, then a line a trial."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit.audit.exporting.base import AuditedTrial, Exporter, audited_trials
from trajaudit.record.importers.shapes import json_text
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import write_atomic

SCHEMA_VERSION = 1


def write(run: RunDir, path: Path) -> int:
    """Write the file; return the number of trials."""
    lines = _Lines(run)
    write_atomic(path, lines)
    return lines.trials


class _Lines:
    """The lines, counted."""

    def __init__(self, run: RunDir) -> None:
        self._run = run
        self.trials = 0

    def __iter__(self) -> Iterator[bytes]:
        config = self._run.config.model_dump(mode="json")
        yield _line({"schema_version": SCHEMA_VERSION, "kind": "run", "run": config})
        for one in audited_trials(self._run):
            self.trials += 1
            yield _line(_trial(one))


def _trial(one: AuditedTrial) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "trial",
        "task_id": one.record.task_id,
        "trial": one.record.trial,
        "outcome": one.outcome.model_dump(mode="json"),
        "task": one.task.model_dump(mode="json"),
        "tools": [
            tool.model_dump(mode="json", include={"name", "description", "parameters", "effect"})
            for tool in one.scenario.tools
        ],
        "record": one.record.model_dump(mode="json"),
        "trajectory": one.trajectory.model_dump(mode="json"),
        "verdicts": [verdict.model_dump(mode="json") for verdict in one.verdicts],
        "findings": [finding.model_dump(mode="json") for finding in one.findings],
        "failures": [failure.model_dump(mode="json") for failure in one.failures],
    }


def _line(fields: dict[str, Any]) -> bytes:
    return json_text(fields).encode() + b"\n"


EXPORTER = Exporter(
    name="jsonl",
    suffix=".jsonl",
    write=write,
    describes="everything: the run, then a line a trial with task, trajectory, verdicts, findings",
)
