"""A test outside the lists is broken when it passed in each run before and in none after."""

from trajaudit.datamodel.patch import TestStatus as S
from trajaudit.score.patch.suite import regressed


def test_what_passed_and_does_not_any_more_is_broken() -> None:
    before = {"fails": S.PASSED, "skipped": S.PASSED, "gone": S.XPASS, "listed": S.PASSED}
    after = {"fails": S.FAILED, "skipped": S.SKIPPED, "listed": S.FAILED, "new": S.FAILED}

    assert regressed([before], [after], ["listed"]) == ["fails", "gone", "skipped"]


def test_what_did_not_pass_before_cannot_be_broken() -> None:
    before = {"failed": S.FAILED, "skipped": S.SKIPPED, "expected": S.XFAIL, "kept": S.PASSED}
    after = {"failed": S.ERROR, "skipped": S.FAILED, "expected": S.FAILED, "kept": S.PASSED}

    assert regressed([before], [after], []) == []


def test_a_test_that_varies_on_either_side_is_not_broken() -> None:
    before = [{"a": S.PASSED, "b": S.PASSED}, {"a": S.FAILED, "b": S.PASSED}]
    after = [{"a": S.FAILED, "b": S.FAILED}, {"a": S.FAILED, "b": S.PASSED}]

    assert regressed(before, after, []) == []
