"""Which tests outside the lists did a patch break?"""

from collections.abc import Iterable, Mapping, Sequence

from trajaudit.datamodel.patch import TestStatus

Statuses = Mapping[str, TestStatus]
_PASSES = frozenset({TestStatus.PASSED, TestStatus.XPASS})
_KEEPS = frozenset({*_PASSES, TestStatus.XFAIL})


def regressed(
    before: Sequence[Statuses], after: Sequence[Statuses], listed: Iterable[str]
) -> list[str]:
    """Return tests outside the lists that pass in each run before and in none after, sorted.

    A test that does not report any more counts as broken, and so does one that is skipped now.
    """
    known = set(listed)
    passing = (test for test in before[0] if all(run.get(test) in _PASSES for run in before))
    return sorted(
        test
        for test in passing
        if test not in known and not any(run.get(test) in _KEEPS for run in after)
    )
