"""Verdicts in other words are read as whole values; what is half-hearted means neither."""

import pytest

from trajaudit.record.meaning import meaning_of

PASSES = (
    *("pass", "PASSED", " Satisfied.", "satisfactory", "compliant", "correct", "Success!"),
    *("fully_satisfied", "**met**", "not wrong", True),
)
FAILURES = (
    *("fail", "failure", "Unsatisfied", "non-compliant", "not_met", "noncompliant", "incorrect"),
    *("not correct", "NOT satisfied", "violated", False),
)
NEITHER = (
    *("partially_satisfied", "mostly correct", "pass/fail", "passable", "", "unclear", "not"),
    *("correct but incomplete", "no pass no fail", "pass with concerns", "needs review"),
    *(None, 1, 0.5),
)


@pytest.mark.parametrize("written", PASSES)
def test_passes(written: object) -> None:
    assert meaning_of(written) == "pass"


@pytest.mark.parametrize("written", FAILURES)
def test_failures(written: object) -> None:
    assert meaning_of(written) == "fail"


@pytest.mark.parametrize("written", NEITHER)
def test_what_means_neither_goes_to_a_person(written: object) -> None:
    assert meaning_of(written) is None
