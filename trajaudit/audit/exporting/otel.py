"""OTLP JSON logs: a `gen_ai.evaluation.result` event for each verdict and each final outcome.

Source of the names: the semantic conventions for generative AI of OpenTelemetry.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from trajaudit import __version__
from trajaudit.audit.exporting.base import AuditedTrial, Exporter, audited_trials
from trajaudit.record.importers.shapes import json_text
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import write_atomic

EVENT = "gen_ai.evaluation.result"


def write(run: RunDir, path: Path) -> int:
    """Write the file, one export request a line for each trial; return the number of trials."""
    pieces = _Pieces(run)
    write_atomic(path, pieces)
    return pieces.trials


class _Pieces:
    def __init__(self, run: RunDir) -> None:
        self._run = run
        self._nano = str(int(datetime.fromisoformat(run.config.created).timestamp()) * 10**9)
        self.trials = 0

    def __iter__(self) -> Iterator[bytes]:
        resource = {
            "attributes": _attributes({"service.name": "trajaudit", "service.version": __version__})
        }
        for one in audited_trials(self._run):
            self.trials += 1
            records = list(self._records(one))
            logs = [{"scope": {"name": "trajaudit"}, "logRecords": records}]
            request = {"resourceLogs": [{"resource": resource, "scopeLogs": logs}]}
            yield json_text(request).encode() + b"\n"

    def _records(self, one: AuditedTrial) -> Iterator[dict[str, Any]]:
        for verdict in one.verdicts:
            if verdict.passed is not None:
                name = f"{verdict.scorer}.{verdict.mode}"
                yield self._record(one, name, verdict.passed, verdict.reason)
        if one.outcome.final is not None:
            reason = one.findings[0].reason if one.findings else f"by {one.outcome.source}"
            yield self._record(one, "final", one.outcome.final, reason)

    def _record(self, one: AuditedTrial, name: str, passed: bool, why: str) -> dict[str, Any]:
        record, origin = one.record, one.record.origin
        found = {
            "gen_ai.evaluation.name": name,
            "gen_ai.evaluation.score.value": 1.0 if passed else 0.0,
            "gen_ai.evaluation.score.label": "pass" if passed else "fail",
            "gen_ai.evaluation.explanation": why,
            "gen_ai.conversation.id": origin.source_id if origin else None,
            "gen_ai.request.model": one.trajectory.model_id or None,
            "gen_ai.agent.name": one.trajectory.agent or None,
            "trajaudit.run_id": self._run.run_id,
            "trajaudit.task_id": record.task_id,
            "trajaudit.trial": record.trial,
        }
        return {
            "timeUnixNano": self._nano,
            "eventName": EVENT,
            "severityNumber": 9,
            "attributes": _attributes(found),
        }


def _attributes(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": _value(value)}
        for key, value in found.items()
        if value not in (None, "")
    ]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"stringValue": value}


EXPORTER = Exporter(
    name="otel",
    suffix=".otlp.jsonl",
    write=write,
    describes="OTLP JSON logs: a gen_ai.evaluation.result event for each verdict",
)
