"""Reads which tests a log of a test runner says passed, for runners that cannot be recorded.

A log is the word of the code under test: whatever it prints may look like a result. So where a
marker fences the results only what is inside counts, and of two contradicting lines the worse one.
"""

import re
from collections.abc import Callable, Mapping

from trajaudit.datamodel.patch import TestStatus
from trajaudit.errors import UsageError
from trajaudit.score.patch import otherlogs, pythonlogs
from trajaudit.score.patch.tally import Tally

START = ">>>>> Start Test Output"
END = ">>>>> End Test Output"
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")

_PARSERS: Mapping[str, Callable[[str, Tally], None]] = {
    "pytest": pythonlogs.pytest,
    "unittest": pythonlogs.unittest,
    "django": pythonlogs.unittest,
    "go": otherlogs.go,
    "cargo": otherlogs.cargo,
    "jest": otherlogs.jest,
    "junit": otherlogs.junit,
}


def styles() -> tuple[str, ...]:
    """Return the names of the parsers."""
    return tuple(_PARSERS)


def parse_log(style: str, log: str) -> dict[str, TestStatus]:
    """Return test id → status.

    `style` is a parser's name, alone or as the first word of a command line (`pytest -rA`), or a
    name as in SWE-bench instances (`parse_log_pytest_v2`).

    Raises:
        UsageError: there is no such parser.
    """
    word = style.removeprefix("parse_log_").replace("_", " ").split()[:1]
    name = word[0].lower() if word else ""
    parser = _PARSERS.get(name)
    if parser is None:
        raise UsageError(f"unknown log parser; got {style!r}; known: {', '.join(_PARSERS)}")
    tally = Tally()
    parser(_ANSI.sub("", fenced(log)).replace("\r\n", "\n"), tally)
    return tally.statuses


def fenced(log: str) -> str:
    """Return what stands between SWE-bench's markers; the whole log when there are none."""
    begin, end = log.find(START), log.rfind(END)
    return log[begin + len(START) : end] if 0 <= begin < end else log
