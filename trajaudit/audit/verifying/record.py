"""Reads back what the recorder wrote in the container; a line that does not fit is no evidence."""

import hashlib
import hmac
import json
from dataclasses import dataclass, field
from typing import Any

from trajaudit.datamodel.patch import TestStatus

CANARY_FAILS = "test_that_fails"
CANARY_PASSES = "test_that_passes"
CANARY_FUNCTION = "test_function_that_fails"
CANARY = f"""import unittest


def {CANARY_FUNCTION}():
    assert False


class TestCase(unittest.TestCase):
    def {CANARY_FAILS}(self):
        self.assertTrue(False)

    def {CANARY_PASSES}(self):
        self.assertTrue(True)
"""
"""A function beside the class: pytest runs the two by code of its own each."""
BAD = frozenset({TestStatus.FAILED, TestStatus.ERROR})
GREEN = frozenset({TestStatus.PASSED, TestStatus.XPASS, TestStatus.XFAIL})


@dataclass
class Record:
    """What a session reported."""

    statuses: dict[str, TestStatus] = field(default_factory=dict)
    uncollected: list[str] = field(default_factory=list)
    exit_status: int | None = None
    """None: the session did not come to its end."""
    intact: bool = True

    def canary_reported(self, name: str) -> bool:
        """Whether any test in the file `name` reported."""
        return any(name in test for test in self.statuses)

    def canary_held(self, name: str) -> bool:
        """Whether the canary in the file `name` reported exactly what it does; takes it out.

        The function may be left out or stopped by the settings of a project; it is never green.
        """
        found = {test: said for test, said in self.statuses.items() if name in test}
        for test in found:
            del self.statuses[test]
        said = {_function(test, name): status for test, status in found.items()}
        if said.pop(CANARY_FUNCTION, None) in GREEN:
            return False
        return said == {CANARY_FAILS: TestStatus.FAILED, CANARY_PASSES: TestStatus.PASSED}


def read_record(content: bytes, key: bytes) -> Record:
    """Return what is vouched for by the key, up to the first line that is not."""
    record = Record()
    code = b""
    for line in content.splitlines():
        said, _, text = line.partition(b" ")
        code = hmac.digest(key, code + text, hashlib.sha256)
        if said != code.hex().encode() or record.exit_status is not None:
            record.intact = False
            break
        try:
            _add(record, json.loads(text))
        except (ValueError, KeyError, TypeError):  # whoever forges lines need not know their form
            record.intact = False
            break
    return record


def _add(record: Record, event: dict[str, Any]) -> None:
    if "finished" in event:
        record.exit_status = int(event["finished"])
    elif "uncollected" in event:
        record.uncollected.append(event["uncollected"])
    else:
        status = _status(event["when"], event["outcome"], xfail=event["xfail"])
        test = str(event["test"])
        # Parts of a test may fail before the whole of it is said to have passed.
        if status is not None and (status in BAD or record.statuses.get(test) not in BAD):
            record.statuses[test] = status


def _function(test: str, name: str) -> str:
    """Return the function of a test in the file `name`, without parameters it may have got."""
    return test.rpartition(name)[2].partition("[")[0].rpartition("::")[2]


def _status(when: str, outcome: str, *, xfail: bool) -> TestStatus | None:
    """Return what a phase says of its test; None: nothing beyond what is known."""
    if outcome == "failed":
        return TestStatus.FAILED if when == "call" else TestStatus.ERROR
    if outcome == "skipped":
        return TestStatus.XFAIL if xfail else TestStatus.SKIPPED
    if when == "call":
        return TestStatus.XPASS if xfail else TestStatus.PASSED
    return None
