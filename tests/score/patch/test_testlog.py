# ruff: noqa: E501 (a log and its statuses stand in one line, to be compared)
"""Logs of test runners are read, and what the code under test prints does not count."""

import pytest

from trajaudit.errors import UsageError
from trajaudit.score.patch.testlog import parse_log

SUMMARY = "=========================== short test summary info ===========================\n"
P, F, E, S, X = "PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL"

CASES: list[tuple[str, str, str, dict[str, str]]] = [
    ("pytest: parameter with blanks", "pytest -rA", "PASSED t.py::a[x  y - z]\n", {"t.py::a[x  y - z]": P}),
    ("pytest: failed parameter with a dash", "pytest -rA", "FAILED t.py::a[x - y] - assert 1 == 2\n", {"t.py::a[x - y]": F}),
    ("pytest: failed without message", "pytest -rA", "FAILED t.py::a\n", {"t.py::a": F}),
    ("pytest: expected failure", "pytest -rA", "XFAIL t.py::a - known\n", {"t.py::a": X}),
    ("pytest: passes, then its teardown errs", "pytest -rA", "PASSED t.py::a\nERROR t.py::a - E\n", {"t.py::a": E}),
    ("pytest: errs, and is said to pass afterwards", "pytest -rA", "ERROR t.py::a - E\nPASSED t.py::a\n", {"t.py::a": E}),
    ("pytest: a part fails, and the whole is said to pass", "pytest -rA", SUMMARY + "PASSED t.py::T::a\nSUBFAILED(i=1) t.py::T::a - E\nPASSED t.py::T::b\nSUBFAILED[m (x)] (i='(') t.py::T::b\n", {"t.py::T::a": F, "t.py::T::b": F}),
    ("pytest: a part fails, as plug-ins say it", "pytest -rA", "PASSED t.py::T::a\n[m] (i=1) SUBFAIL t.py::T::a - E\nSUBFAIL t.py::T::b - E\n", {"t.py::T::a": F, "t.py::T::b": F}),
    ("pytest: colours", "pytest -rA", "\x1b[32mPASSED\x1b[0m t.py::\x1b[1ma\x1b[0m\n", {"t.py::a": P}),
    ("pytest: printed before the summary", "pytest -rA", "PASSED t.py::a\n" + SUMMARY + "PASSED t.py::b\nFAILED t.py::a - x\n", {"t.py::a": F, "t.py::b": P}),
    ("pytest: printed without being a test", "pytest -rA", "PASSED t.py::ghost\n" + SUMMARY + "PASSED t.py::b\n", {"t.py::b": P}),
    ("pytest: a forged summary before the true one", "pytest -rA", SUMMARY + "PASSED t.py::a\n" + SUMMARY + "FAILED t.py::a - x\n", {"t.py::a": F}),
    ("pytest: printed after the last line", "pytest -rA", SUMMARY + "PASSED t.py::b\n===== 1 passed in 0.1s =====\nPASSED t.py::a\n", {"t.py::b": P}),
    ("pytest: verbose lines", "pytest -v", "t.py::a PASSED    [ 50%]\nt.py::b[x y] FAILED [100%]\n", {"t.py::a": P, "t.py::b[x y]": F}),
    ("pytest: verbose skip with reason", "pytest -v", "t.py::a SKIPPED (no net) [ 50%]\n", {"t.py::a": S}),
    ("pytest: verbose and failures only", "pytest -v", "t.py::a PASSED [ 50%]\nt.py::b FAILED [100%]\n" + SUMMARY + "FAILED t.py::b - x\n", {"t.py::a": P, "t.py::b": F}),
    ("pytest: outside of the markers", "pytest", "PASSED t.py::z\n+ : '>>>>> Start Test Output'\nPASSED t.py::a\n+ : '>>>>> End Test Output'\nPASSED t.py::y\n", {"t.py::a": P}),
    ("pytest: SWE-bench's name", "parse_log_pytest_v2", "PASSED t.py::a\n", {"t.py::a": P}),
    ("pytest: nothing", "pytest", "ImportError: x\n", {}),
    ("unittest: all ends", "unittest -v", "a (m.T) ... ok\nb (m.T) ... FAIL\nc (m.T) ... ERROR\nd (m.T) ... skipped 'x'\ne (m.T) ... expected failure\nf (m.T) ... unexpected success\n", {"a (m.T)": P, "b (m.T)": F, "c (m.T)": E, "d (m.T)": S, "e (m.T)": X, "f (m.T)": F}),
    ("unittest: docstring", "unittest -v", "a (m.T.a)\nDoes a thing. ... ok\n", {"a (m.T.a)": P}),
    ("unittest: warning in between", "unittest -v", "a (m.T) ... /x.py:1: DeprecationWarning: old\n  f()\nok\n", {"a (m.T)": P}),
    ("unittest: printed ok, then a failure", "unittest -v", "a (m.T) ... ok\nFAIL\n\n=====\nFAIL: a (m.T)\n-----\n", {"a (m.T)": F}),
    ("unittest: never ended", "unittest -v", "a (m.T) ... Segmentation fault\n", {}),
    ("unittest: next test begins", "unittest -v", "a (m.T) ... noise\nb (m.T) ... ok\n", {"b (m.T)": P}),
    ("unittest: subtest fails", "unittest -v", "a (m.T) ... ok\n=====\nFAIL: a (m.T) (i=1)\n", {"a (m.T)": F}),
    ("django: creating tables in between", "django", "a (app.tests.T) ... Creating table x\nok\nOK\n", {"a (app.tests.T)": P}),
    ("go: verbose", "go test -v", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n=== RUN   TestB/sub\n--- FAIL: TestB (0.01s)\n    --- FAIL: TestB/sub (0.00s)\n", {"TestA": P, "TestB": F, "TestB/sub": F}),
    ("go: output without line feed", "go test -v", "=== RUN   TestA\nnoise--- PASS: TestA (0.00s)\n", {"TestA": P}),
    ("go: panic", "go test -v", "=== RUN   TestA\npanic: x\n", {"TestA": F}),
    ("go: forged pass", "go test -v", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestA (0.00s)\n", {"TestA": F}),
    ("go: events", "go", '{"Action":"run","Test":"A"}\n{"Action":"output","Test":"A","Output":"--- PASS: B (0.00s)"}\n{"Action":"skip","Test":"A"}\n', {"A": S}),
    ("cargo", "cargo test", "running 3 tests\ntest m::a ... ok\ntest m::b ... FAILED\ntest m::c ... ignored, slow\n", {"m::a": P, "m::b": F, "m::c": S}),
    ("cargo: output in between", "cargo", "test m::a ... noise\nok\n", {"m::a": P}),
    ("cargo: panics as it should", "cargo", "test m::a - should panic ... ok\n", {"m::a": P}),
    ("cargo: doc test", "cargo", "test src/lib.rs - f (line 3) ... ok\n", {"src/lib.rs - f (line 3)": P}),
    ("cargo: forged ok", "cargo", "test m::a ... ok\ntest m::a ... FAILED\nfailures:\n    m::a\n\ntest result: FAILED.\n", {"m::a": F}),
    ("jest", "jest --verbose", "PASS x.test.js\n  sum\n    ✓ adds (3 ms)\n    ✕ subtracts\n    ○ skipped divides\n", {"adds": P, "subtracts": F, "divides": S}),
    ("junit", "junit", '<testsuites><testsuite><testcase classname="m.T" name="a"/><testcase classname="m.T" name="b[x y]"><failure message="PASSED"/></testcase><testcase name="c"><skipped/></testcase><testcase classname="m" name="d"><error/></testcase></testsuite></testsuites>', {"m.T.a": P, "m.T.b[x y]": F, "c": S, "m.d": E}),
    ("junit: the same test twice", "junit", '<testsuite><testcase name="a"/><testcase name="a"><failure/></testcase></testsuite>', {"a": F}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("style", "log", "statuses"),
    [case[1:] for case in CASES],
    ids=[case[0].replace(" ", "-") for case in CASES],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_statuses_are_those_of_the_runner(
    style: str, log: str, statuses: dict[str, str], eol: str
) -> None:
    assert parse_log(style, log.replace("\n", eol)) == statuses


@pytest.mark.parametrize("xml", ["<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "no xml"])
def test_xml_that_cannot_be_trusted_is_refused(xml: str) -> None:
    with pytest.raises(UsageError, match="JUnit XML"):
        parse_log("junit", xml)


@pytest.mark.parametrize("style", ["", "rspec"])
def test_an_unknown_parser_is_refused_by_name(style: str) -> None:
    with pytest.raises(UsageError, match="known: pytest, unittest"):
        parse_log(style, "")
