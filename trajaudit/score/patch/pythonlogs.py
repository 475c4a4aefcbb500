"""Logs of pytest, of unittest and of Django's runner."""

import re

from trajaudit.datamodel.patch import TestStatus
from trajaudit.score.patch.tally import Tally

_SUMMARY = re.compile(r"^=+ short test summary info =+$", re.MULTILINE)
_LAST_LINE = re.compile(r"^=+ .* in [\d.]+m?s.* =+$")
_WORDS = "PASSED|FAILED|ERROR|XFAIL|XPASS"
_REPORTED = re.compile(rf"^({_WORDS}) (\S.*)$")
_VERBOSE = re.compile(rf"^(\S+?::.+?) ({_WORDS}|SKIPPED)(?: \(.*\))?\s*(?:\[\s*\d+%\])?$")
_PART_FAILED = re.compile(
    r"^(?:[\[(].*[\])] )?SUBFAIL(?:ED)?(?:\[.*?\])?(?: ?\(.*?\))? (\S+?::.*)$"
)
"""A subtest; its test is said to have passed all the same."""
_WITH_MESSAGE = frozenset({TestStatus.FAILED, TestStatus.ERROR, TestStatus.XFAIL, TestStatus.XPASS})


def pytest(log: str, tally: Tally) -> None:
    """Read the summary of `-rA`, and the lines of `-v`."""
    markers = list(_SUMMARY.finditer(log))
    summary = log[markers[-1].end() :] if markers else log
    listed = False
    for line in summary.split("\n"):
        if markers and _LAST_LINE.match(line):
            break
        if found := _REPORTED.match(line):
            status = TestStatus(found[1])
            listed = listed or status is TestStatus.PASSED
            tally.add(_test_id(found[2], status), status)
        elif found := _PART_FAILED.match(line):
            tally.add(_test_id(found[1], TestStatus.FAILED), TestStatus.FAILED)
    if listed and markers:
        return  # the summary names every test: what stands before it is output
    for line in log[: markers[-1].start()].split("\n") if markers else log.split("\n"):
        if found := _VERBOSE.match(line):
            tally.add(found[1], TestStatus(found[2]))


def _test_id(text: str, status: TestStatus) -> str:
    """Return the id without the message; a parameter may hold what parts the two."""
    if status not in _WITH_MESSAGE:
        return text.rstrip()
    cut = text.find(" - ")
    while cut >= 0:
        left = text[:cut]
        if "[" not in left or left.endswith("]"):
            return left
        cut = text.find(" - ", cut + 1)
    return text.rstrip()


_HEAD = re.compile(r"^(\w+ \([\w.<>]+\))(.*)$")
_ENDED = re.compile(
    r"^(?:.*\.\.\. ?)?(ok|FAIL|ERROR|skipped(?: .*)?|expected failure|unexpected success)$"
)
_SECTION = re.compile(r"^(FAIL|ERROR): (\w+ \([\w.<>]+\))")
_MEANS = {
    "ok": TestStatus.PASSED,
    "FAIL": TestStatus.FAILED,
    "ERROR": TestStatus.ERROR,
    "skipped": TestStatus.SKIPPED,
    "expected": TestStatus.XFAIL,
    "unexpected": TestStatus.FAILED,
}


def unittest(log: str, tally: Tally) -> None:
    """Read `-v`; output between a test's name and its status does not hide the status."""
    pending: str | None = None
    for line in log.split("\n"):
        if found := _SECTION.match(line):
            tally.add(found[2], _MEANS[found[1]])
            pending = None
            continue
        if found := _HEAD.match(line):
            pending = found[1]
            line = found[2]  # noqa: PLW2901 (what follows the name is read like a line of its own)
        if pending is not None and (ended := _ENDED.match(line.strip())):
            tally.add(pending, _MEANS[ended[1].split()[0]])
            pending = None
