"""SARIF 2.1.0 (OASIS): every finding with the line of the journal where it can be seen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trajaudit import __version__
from trajaudit.audit.exporting.base import AuditedTrial, Exporter, audited_trials
from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.verdict import Fault
from trajaudit.record.importers.shapes import json_text
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import write_atomic

_LEVELS = {
    Fault.AGENT: "error",
    Fault.HARNESS: "warning",
    Fault.EVALUATOR: "warning",
    Fault.REFERENCE: "warning",
    Fault.INFRASTRUCTURE: "note",
}


def write(run: RunDir, path: Path) -> int:
    """Write the file; return the number of trials."""
    pieces = _Pieces(run)
    write_atomic(path, pieces)
    return pieces.trials


class _Pieces:
    """The document in pieces, so that no run is held as a whole."""

    def __init__(self, run: RunDir) -> None:
        self._run = run
        self.trials = 0

    def __iter__(self) -> Iterator[bytes]:
        driver = {
            "name": "trajaudit",
            "version": __version__,
            "rules": [{"id": kind.value, "name": kind.value} for kind in FailureKind],
        }
        base = {"RUN": {"description": {"text": f"directory of run {self._run.run_id}"}}}
        head = json_text({"tool": {"driver": driver}, "originalUriBaseIds": base})
        yield b'{"version":"2.1.0","runs":['
        yield head[:-1].encode() + b',"results":['
        separator = b""
        for one in audited_trials(self._run):
            self.trials += 1
            for finding in one.findings:
                yield separator + json_text(self._result(one, finding)).encode()
                separator = b",\n"
        yield b"]}]}\n"

    def _result(self, one: AuditedTrial, finding: Finding) -> dict[str, Any]:
        record = one.record
        journal = self._run.journal_path(record.task_id, record.trial)
        lines = [evidence.seq for evidence in finding.evidence if evidence.seq] or [1]
        return {
            "ruleId": finding.kind.value,
            "ruleIndex": list(FailureKind).index(finding.kind),
            "level": _LEVELS[finding.fault],
            "message": {"text": f"{record.task_id}/{record.trial}: {finding.reason}"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {
                            "uri": _uri(journal.relative_to(self._run.path)),
                            "uriBaseId": "RUN",
                        },
                        "region": {"startLine": line},
                    }
                }
                for line in lines
            ],
            "properties": {
                "task_id": record.task_id,
                "trial": record.trial,
                "fault": finding.fault.value,
                "decided": finding.decided,
                "steps": list(finding.steps),
                "final": one.outcome.final,
            },
        }


def _uri(path: Path) -> str:
    # Folders of a run are percent-encoded already; in a URI the sign itself has to be encoded.
    return path.as_posix().replace("%", "%25")


EXPORTER = Exporter(
    name="sarif",
    suffix=".sarif",
    write=write,
    describes="SARIF 2.1.0: every finding, at its line of the journal",
)
