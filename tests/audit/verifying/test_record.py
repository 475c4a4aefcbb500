"""Only what the recorder vouches for is read back."""

import ast
import hashlib
import hmac
import json
from importlib.resources import files
from typing import Any

import pytest

from trajaudit.audit.verifying.record import (
    CANARY_FAILS,
    CANARY_FUNCTION,
    CANARY_PASSES,
    read_record,
)
from trajaudit.datamodel.patch import TestStatus as S

KEY = b"k"


def written(*events: dict[str, Any], key: bytes = KEY) -> bytes:
    code, lines = b"", b""
    for event in events:
        text = json.dumps(event, sort_keys=True).encode()
        code = hmac.digest(key, code + text, hashlib.sha256)
        lines += code.hex().encode() + b" " + text + b"\n"
    return lines


def phase(when: str, outcome: str, *, xfail: bool = False, test: str = "t") -> dict[str, Any]:
    return {"test": test, "when": when, "outcome": outcome, "xfail": xfail}


@pytest.mark.parametrize(
    ("phases", "status"),
    [
        (["setup passed", "call passed", "teardown passed"], S.PASSED),
        (["setup passed", "call failed", "teardown passed"], S.FAILED),
        (["setup failed", "teardown passed"], S.ERROR),
        (["setup passed", "call passed", "teardown failed"], S.ERROR),
        (["setup passed", "call failed", "call passed", "teardown passed"], S.FAILED),
        (["setup skipped", "teardown passed"], S.SKIPPED),
        (["setup passed", "call skipped x", "teardown passed"], S.XFAIL),
        (["setup passed", "call passed x", "teardown passed"], S.XPASS),
    ],
)
def test_the_phases_of_a_test_are_one_status(phases: list[str], status: S) -> None:
    events = [phase(*one.split()[:2], xfail=one.endswith(" x")) for one in phases]

    assert read_record(written(*events), KEY).statuses == {"t": status}


def test_what_follows_a_line_that_was_not_vouched_for_does_not_count() -> None:
    forged = b"00 " + json.dumps(phase("call", "passed", test="f")).encode() + b"\n"
    good = written(phase("call", "passed"))

    record = read_record(good + forged + written({"finished": 0}), KEY)

    assert (record.statuses, record.exit_status, record.intact) == ({"t": S.PASSED}, None, False)
    assert not read_record(written(phase("call", "passed"), key=b"other"), KEY).statuses


def test_nothing_counts_after_the_session_has_ended() -> None:
    record = read_record(written({"finished": 0}, phase("call", "passed")), KEY)

    assert (record.statuses, record.intact) == ({}, False)


def test_a_canary_holds_only_when_both_of_its_tests_did_what_they_do() -> None:
    def held(fails: str, passes: str) -> bool:
        events = [
            phase("call", fails, test=f"tests/test_1.py::TestCase::{CANARY_FAILS}"),
            phase("call", passes, test=f"tests/test_1.py::TestCase::{CANARY_PASSES}"),
        ]
        record = read_record(written(*events), KEY)
        return record.canary_held("test_1.py") and not record.statuses

    assert held("failed", "passed")
    assert not held("passed", "passed")
    assert not held("failed", "failed")
    assert not read_record(b"", KEY).canary_held("test_1.py")


@pytest.mark.parametrize(
    ("outcomes", "holds"),
    [
        (["failed"], True),
        ([], True),
        (["skipped"], True),
        (["passed"], False),
        (["skipped x"], False),
    ],
)
@pytest.mark.parametrize("parameters", ["", "[a::b]"])
def test_a_canary_does_not_hold_when_its_function_is_green(
    outcomes: list[str], holds: bool, parameters: str
) -> None:
    name = f"tests/test_1.py::{CANARY_FUNCTION}{parameters}"
    events = [
        phase("call", "failed", test=f"tests/test_1.py::TestCase::{CANARY_FAILS}"),
        phase("call", "passed", test=f"tests/test_1.py::TestCase::{CANARY_PASSES}"),
        *(phase("call", one[:7].strip(), xfail=one[-1] == "x", test=name) for one in outcomes),
    ]

    assert read_record(written(*events), KEY).canary_held("test_1.py") is holds


@pytest.mark.parametrize(
    "event", [{"test": "t"}, {"finished": "x"}, {"finished": None}, [], 7, {"when": "call"}]
)
def test_a_line_of_another_form_ends_what_counts(event: Any) -> None:
    record = read_record(written(phase("call", "passed"), event, {"finished": 0}), KEY)

    assert (record.statuses, record.exit_status, record.intact) == ({"t": S.PASSED}, None, False)


def test_the_recorder_is_understood_by_an_old_python() -> None:
    source = files("trajaudit.audit.verifying").joinpath("recorder_plugin.py").read_text()

    ast.parse(source, feature_version=(3, 6))
    assert "hmac.digest" not in source  # 3.7


def test_a_canary_that_did_not_run_is_told_from_one_that_did_something_else() -> None:
    ran = read_record(written(phase("call", "passed", test="tests/test_1.py::T::t")), KEY)

    assert ran.canary_reported("test_1.py")
    assert not ran.canary_reported("test_2.py")


def test_what_cannot_be_collected_is_named() -> None:
    assert read_record(written({"uncollected": "t.py"}), KEY).uncollected == ["t.py"]
