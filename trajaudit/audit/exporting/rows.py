"""Verdicts and findings as rows of a table, for spreadsheets and data frames."""

from collections.abc import Iterator
from typing import Any

from trajaudit.audit.exporting.base import AuditedTrial
from trajaudit.datamodel.verdict import Evidence

Row = dict[str, Any]
VERDICTS: dict[str, type] = {
    "run_id": str,
    "task_id": str,
    "trial": int,
    "agent": str,
    "model_id": str,
    "scorer": str,
    "mode": str,
    "passed": bool,
    "status": str,
    "reason": str,
    "reading": str,
    "tolerances": str,
    "score": float,
    "raw": bool,
    "strict": bool,
    "lenient": bool,
    "panel": bool,
    "human": bool,
    "final": bool,
    "final_source": str,
}
"""Column → type of the table of verdicts; the columns from `raw` on are those of the trial."""
FINDINGS: dict[str, type] = {
    "run_id": str,
    "task_id": str,
    "trial": int,
    "agent": str,
    "model_id": str,
    "kind": str,
    "fault": str,
    "decided": bool,
    "steps": str,
    "reason": str,
    "evidence": str,
    "scorer": str,
    "final": bool,
}
"""Column → type of the table of findings."""
_COLUMNS = ("raw", "strict", "lenient", "panel", "human", "final")


def verdict_rows(one: AuditedTrial, run_id: str) -> Iterator[Row]:
    """Yield a row for each verdict of a trial; a trial without any has one with its outcome."""
    outcome = {name: getattr(one.outcome, name) for name in _COLUMNS}
    trial = {**_trial(one, run_id), **outcome, "final_source": one.outcome.source}
    if not one.verdicts:
        yield {**trial, "status": one.outcome.status.value, "reason": one.outcome.status_detail}
    for verdict in one.verdicts:
        yield {
            **trial,
            "scorer": verdict.scorer,
            "mode": verdict.mode,
            "passed": verdict.passed,
            "status": verdict.status.value,
            "reason": verdict.reason,
            "reading": verdict.reading,
            "tolerances": " ".join(verdict.tolerances),
            "score": verdict.score,
        }


def finding_rows(one: AuditedTrial, run_id: str) -> Iterator[Row]:
    """Yield a row for each finding of a trial."""
    for finding in one.findings:
        yield {
            **_trial(one, run_id),
            "kind": finding.kind.value,
            "fault": finding.fault.value,
            "decided": finding.decided,
            "steps": " ".join(map(str, finding.steps)),
            "reason": finding.reason,
            "evidence": " | ".join(map(_quoted, finding.evidence)),
            "scorer": finding.scorer,
            "final": one.outcome.final,
        }


def _trial(one: AuditedTrial, run_id: str) -> Row:
    origin = one.record.origin
    return {
        "run_id": run_id,
        "task_id": one.record.task_id,
        "trial": one.record.trial,
        "agent": one.trajectory.agent or (origin.agent if origin else ""),
        "model_id": one.trajectory.model_id or (origin.model_id if origin else ""),
    }


def _quoted(evidence: Evidence) -> str:
    place = f"event {evidence.seq}" if evidence.seq else f"step {evidence.step}"
    return f"{place}: {evidence.quote}"
