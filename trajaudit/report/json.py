"""The report for machines: the summary and everything it was computed from."""

from collections.abc import Iterable
from pathlib import Path

import orjson

from trajaudit.datamodel._base import StoredRecord
from trajaudit.datamodel.finding import Finding
from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Verdict
from trajaudit.record.stored import dumped, write_atomic
from trajaudit.report.schema import Summary


class Report(StoredRecord):
    """What `report.json` holds."""

    summary: Summary
    outcomes: tuple[Outcome, ...]
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    decisions: tuple[PanelDecision, ...] = ()
    votes: tuple[Vote, ...] = ()


def write_json(
    path: Path,
    summary: Summary,
    *,
    outcomes: Iterable[Outcome],
    findings: Iterable[Finding],
    verdicts: Iterable[Verdict],
    decisions: Iterable[PanelDecision] = (),
    votes: Iterable[Vote] = (),
) -> None:
    """Write `report.json` atomically: keys sorted, so that two reports can be compared as text.

    Raises:
        StorageError: it cannot be written; what was there before stays.
    """
    report = Report(
        summary=summary,
        outcomes=tuple(outcomes),
        findings=tuple(findings),
        verdicts=tuple(verdicts),
        decisions=tuple(decisions),
        votes=tuple(votes),
    )
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    write_atomic(path, [orjson.dumps(orjson.loads(dumped(report)), option=options)])
