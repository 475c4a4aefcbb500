"""Which tests does a fix turn from failing to passing, and which pass before and after?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trajaudit.datamodel.patch import TestStatus

Run = Mapping[str, TestStatus]
PASSES = frozenset({TestStatus.PASSED, TestStatus.XPASS})


@dataclass(frozen=True, kw_only=True)
class FoundLists:
    """All tests that reported, each in one list, sorted."""

    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    flaky: tuple[str, ...]
    """Repeated runs disagree; cannot decide."""
    skipped: tuple[str, ...]
    """Skipped in a run; say nothing."""
    never_pass: tuple[str, ...]
    pass_to_fail: tuple[str, ...]
    """What the fix itself breaks."""


def find_lists(before: Sequence[Run], after: Sequence[Run]) -> FoundLists:
    """Sort tests by how they end in all runs before a fix and after it.

    A test that does not report in a run does not pass in it: before the fix its file may not even
    be importable.
    """
    tests = sorted({test for run in (*before, *after) for test in run})
    kinds = {test: _kind(test, before, after) for test in tests}

    def of(kind: str) -> tuple[str, ...]:
        return tuple(test for test in tests if kinds[test] == kind)

    return FoundLists(
        fail_to_pass=of("fail_to_pass"),
        pass_to_pass=of("pass_to_pass"),
        flaky=of("flaky"),
        skipped=of("skipped"),
        never_pass=of("never_pass"),
        pass_to_fail=of("pass_to_fail"),
    )


def _kind(test: str, before: Sequence[Run], after: Sequence[Run]) -> str:
    passed = [{run.get(test) in PASSES for run in runs} for runs in (before, after)]
    if any(len(one) > 1 for one in passed):
        return "flaky"
    if any(run.get(test) is TestStatus.SKIPPED for run in (*before, *after)):
        return "skipped"
    match [True in one for one in passed]:
        case [False, True]:
            return "fail_to_pass"
        case [True, True]:
            return "pass_to_pass"
        case [True, False]:
            return "pass_to_fail"
        case _:
            return "never_pass"
