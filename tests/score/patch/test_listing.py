"""Both lists are found from how tests end without and with a fix, run by run."""

from trajaudit.datamodel.patch import TestStatus as S
from trajaudit.score.patch.listing import FoundLists, find_lists


def test_every_test_is_in_exactly_one_list() -> None:
    before = [
        {"fixed": S.FAILED, "kept": S.PASSED, "broken": S.FAILED, "worse": S.PASSED,
         "xfail": S.XFAIL, "skipped": S.SKIPPED, "flaky": S.PASSED, "late flake": S.FAILED},
        {"fixed": S.ERROR, "kept": S.XPASS, "broken": S.ERROR, "worse": S.PASSED,
         "xfail": S.XFAIL, "skipped": S.SKIPPED, "flaky": S.FAILED, "late flake": S.FAILED},
    ]  # fmt: skip
    after = [
        {"fixed": S.PASSED, "kept": S.PASSED, "broken": S.FAILED, "worse": S.ERROR, "new": S.PASSED,
         "xfail": S.XPASS, "skipped": S.PASSED, "flaky": S.PASSED, "late flake": S.PASSED},
        {"fixed": S.PASSED, "kept": S.PASSED, "broken": S.FAILED, "worse": S.ERROR, "new": S.PASSED,
         "xfail": S.PASSED, "skipped": S.PASSED, "flaky": S.PASSED, "late flake": S.FAILED},
    ]  # fmt: skip

    assert find_lists(before, after) == FoundLists(
        fail_to_pass=("fixed", "new", "xfail"),
        pass_to_pass=("kept",),
        flaky=("flaky", "late flake"),
        skipped=("skipped",),
        never_pass=("broken",),
        pass_to_fail=("worse",),
    )


def test_a_test_that_reports_in_some_runs_only_is_flaky() -> None:
    assert find_lists([{"a": S.PASSED}, {}], [{"a": S.PASSED}] * 2).flaky == ("a",)


def test_a_test_that_is_gone_with_the_fix_is_broken_by_it() -> None:
    assert find_lists([{"a": S.PASSED}], [{}]).pass_to_fail == ("a",)
