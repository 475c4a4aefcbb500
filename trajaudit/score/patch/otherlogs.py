"""Logs of Go, Cargo and Jest, and JUnit's XML."""

import json
import re
from xml.etree import ElementTree as ET

from trajaudit.datamodel.patch import TestStatus
from trajaudit.errors import UsageError
from trajaudit.score.patch.tally import Tally

_GO_RUN = re.compile(r"^=== RUN\s+(\S+)$")
_GO_END = re.compile(r"--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$")
_GO = {"PASS": TestStatus.PASSED, "FAIL": TestStatus.FAILED, "SKIP": TestStatus.SKIPPED}


def go(log: str, tally: Tally) -> None:
    """Read `go test -v`, or `-json`; a test that began and never ended failed."""
    if log.lstrip().startswith("{"):
        _go_json(log, tally)
        return
    running: dict[str, None] = {}
    for line in log.split("\n"):
        if found := _GO_RUN.match(line):
            running[found[1]] = None
        elif found := _GO_END.search(line):
            running.pop(found[2], None)
            tally.add(found[2], _GO[found[1]])
    for test in running:
        tally.add(test, TestStatus.FAILED)


def _go_json(log: str, tally: Tally) -> None:
    running: dict[str, None] = {}
    for line in log.split("\n"):
        event = _object(line)
        test, action = event.get("Test"), str(event.get("Action")).upper()
        if not isinstance(test, str):
            continue
        if action == "RUN":
            running[test] = None
        elif action in _GO:
            running.pop(test, None)
            tally.add(test, _GO[action])
    for test in running:
        tally.add(test, TestStatus.FAILED)


def _object(line: str) -> dict[str, object]:
    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}


_CARGO_HEAD = re.compile(r"^test (\S.*?)(?: - should panic)? \.\.\. ?(.*)$")
_CARGO_END = re.compile(r"^(ok|FAILED|ignored(?:, .*)?)(?: <[\d.]+s>)?$")
_CARGO = {
    "ok": TestStatus.PASSED,
    "FAILED": TestStatus.FAILED,
    "ignored": TestStatus.SKIPPED,
}
_CARGO_FAILED = re.compile(r"^ {4}(\S.*)$")


def cargo(log: str, tally: Tally) -> None:
    """Read `cargo test`; the list of failures at the end has the last word."""
    pending: str | None = None
    listing = False
    for line in log.split("\n"):
        if line.startswith("failures:"):
            listing = True
        elif listing and (found := _CARGO_FAILED.match(line)) and found[1] in tally.statuses:
            tally.add(found[1], TestStatus.FAILED)
        elif line.startswith(("test result:", "running ")):
            listing, pending = False, None
        if found := _CARGO_HEAD.match(line):
            pending, line = found[1], found[2]  # noqa: PLW2901 (read like a line of its own)
        if pending is not None and (ended := _CARGO_END.match(line)):
            tally.add(pending, _CARGO[ended[1].split(",")[0]])
            pending = None


_JEST = re.compile(r"^\s*([✓✔√✕✗×○✎]) (.+?)(?: \(\d+(?:\.\d+)? m?s\))?$")
_JEST_MEANS = dict.fromkeys("✓✔√", TestStatus.PASSED) | dict.fromkeys("✕✗×", TestStatus.FAILED)


def jest(log: str, tally: Tally) -> None:
    """Read `jest --verbose`; an id is the test's own title, as SWE-bench lists it."""
    for line in log.split("\n"):
        if found := _JEST.match(line):
            title = found[2]
            status = _JEST_MEANS.get(found[1], TestStatus.SKIPPED)
            if status is TestStatus.SKIPPED:
                title = title.removeprefix("skipped ").removeprefix("todo ")
            tally.add(title, status)


_XML_MEANS = (
    ("error", TestStatus.ERROR),
    ("failure", TestStatus.FAILED),
    ("skipped", TestStatus.SKIPPED),
)


def junit(log: str, tally: Tally) -> None:
    """Read JUnit's XML; an id is `class.name`.

    Raises:
        UsageError: it is no XML, or defines entities.
    """
    if "<!DOCTYPE" in log or "<!ENTITY" in log:
        raise UsageError("JUnit XML must not define entities; got a document type")
    try:
        root = ET.fromstring(log.strip())  # noqa: S314 (entities are refused above)
    except ET.ParseError as e:
        raise UsageError(f"JUnit XML cannot be read; got: {e}") from e
    for case in root.iter("testcase"):
        group, name = case.get("classname"), case.get("name", "")
        found = (status for tag, status in _XML_MEANS if case.find(tag) is not None)
        tally.add(f"{group}.{name}" if group else name, next(found, TestStatus.PASSED))
