"""JUnit XML: a test case for each trial, for CI systems that show such reports.

A final failure is a `failure`; infrastructure and evaluator that failed are an `error`; what was
not graded for another reason is `skipped`, never passed.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from trajaudit.audit.exporting.base import AuditedTrial, Exporter, audited_trials
from trajaudit.datamodel.verdict import GradeStatus
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import write_atomic

# Characters that XML 1.0 has no way to write (W3C, production 2).
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BROKEN = frozenset(
    {
        GradeStatus.INFRA_ERROR,
        GradeStatus.SCORER_ERROR,
        GradeStatus.VERIFIER_TIMEOUT,
        GradeStatus.JUDGE_UNPARSED,
        GradeStatus.MISSING_ARTIFACT,
        GradeStatus.FAULT_NOT_HIT,
    }
)


def write(run: RunDir, path: Path) -> int:
    """Write the file; return the number of trials."""
    outcomes = list(run.read_outcomes())
    failures = sum(one.final is False for one in outcomes)
    errors = sum(one.final is None and one.status in _BROKEN for one in outcomes)
    skipped = sum(one.final is None for one in outcomes) - errors
    name = _attribute(run.config.scenario.name or run.run_id)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuite name={name} tests={_attribute(len(outcomes))} "
        f"failures={_attribute(failures)} errors={_attribute(errors)} "
        f"skipped={_attribute(skipped)} timestamp={_attribute(run.config.created)}>\n"
    )

    def pieces() -> Iterator[bytes]:
        yield head.encode()
        for one in audited_trials(run):
            yield _case(one).encode()
        yield b"</testsuite>\n"

    write_atomic(path, pieces())
    return len(outcomes)


def _case(one: AuditedTrial) -> str:
    record, outcome = one.record, one.outcome
    name = _attribute(f"{record.task_id}/{record.trial}")
    seconds = _attribute(round(record.duration_s, 3))
    opening = f"  <testcase classname={_attribute(record.task_id)} name={name} time={seconds}>"
    return f"{opening}{_result(one, outcome.final, outcome.status)}</testcase>\n"


def _result(one: AuditedTrial, final: bool | None, status: GradeStatus) -> str:
    if final is True:
        return ""
    deciding = one.findings[0] if one.findings else None
    reason = deciding.reason if deciding else one.outcome.status_detail or status.value
    kind = deciding.kind.value if deciding else status.value
    if final is None and status not in _BROKEN:
        return f"<skipped message={_attribute(f'not graded: {reason}')}/>"
    tag = "failure" if final is False else "error"
    found = "\n".join(
        f"{finding.kind.value} ({finding.fault.value}): {finding.reason}"
        for finding in one.findings
    )
    return f"<{tag} type={_attribute(kind)} message={_attribute(reason)}>{_text(found)}</{tag}>"


def _attribute(value: object) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", str(value)))


def _text(value: str) -> str:
    return escape(_NO_XML.sub("\ufffd", value))


EXPORTER = Exporter(
    name="junit",
    suffix=".junit.xml",
    write=write,
    describes="JUnit XML: a test case for each trial; not graded is skipped or an error",
)
