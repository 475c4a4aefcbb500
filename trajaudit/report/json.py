"""The report for machines: the summary and everything it was computed from."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from trajaudit.datamodel._base import Record, StoredRecord
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
    lists: dict[str, Iterable[Record]] = {
        "outcomes": outcomes,
        "findings": findings,
        "verdicts": verdicts,
        "decisions": decisions,
        "votes": votes,
    }
    write_atomic(path, _document(summary, lists))


def _document(summary: Summary, lists: Mapping[str, Iterable[Record]]) -> Iterator[bytes]:
    """Yield the text of a `Report`, one record at a time: lists are as long as a run is large."""
    first = b"{"
    for name in sorted(Report.model_fields):
        yield first + b"\n  " + orjson.dumps(name) + b": "
        first = b","
        if name == "summary":
            yield _indented(orjson.loads(dumped(summary)), 1)
        elif name in lists:
            yield from _listed(lists[name])
        else:
            yield orjson.dumps(Report.model_fields[name].default)
    yield b"\n}\n"


def _listed(records: Iterable[Record]) -> Iterator[bytes]:
    first = b"["
    for record in records:
        yield first + b"\n    " + _indented(orjson.loads(dumped(record)), 2)
        first = b","
    yield b"[]" if first == b"[" else b"\n  ]"


def _indented(value: Any, depth: int) -> bytes:
    """Return JSON text as it stands at a depth; no text in JSON holds a line feed itself."""
    lines = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    return lines.replace(b"\n", b"\n" + b"  " * depth)
