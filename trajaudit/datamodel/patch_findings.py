"""What speaks about a patch beyond the tests that its instance lists."""

from enum import StrEnum
from typing import Literal

from trajaudit.datamodel._base import Record


class BeyondCheck(StrEnum):
    """One way of looking further than the listed tests."""

    SUITE = "suite"
    COVERAGE = "coverage"
    STATIC = "static"
    PROBE = "probe"
    HISTORY = "history"


class PatchFindingKind(StrEnum):
    """What was found; none of them changes a verdict."""

    REGRESSED_OUTSIDE = "regressed_outside"
    """A test that no list names passed without the patch and does not pass with it."""
    UNTESTED_LINES = "untested_lines"
    """No listed test executes a line that the patch changes or adds."""
    NEW_WARNINGS = "new_warnings"
    """Static analysis warns of what it did not warn of before."""
    DIFFERS_FROM_GOLD = "differs_from_gold"
    """On some input the patched code does not do what the reference solution does."""
    HISTORY_LEAK = "history_leak"
    """The repository in the image holds something later than its base."""


SHOWS_WEAK_TESTS = frozenset(
    {
        PatchFindingKind.REGRESSED_OUTSIDE,
        PatchFindingKind.UNTESTED_LINES,
        PatchFindingKind.DIFFERS_FROM_GOLD,
    }
)


class LineRange(Record):
    """Lines of the patched file, counted from 1, both ends included."""

    path: str
    first: int
    last: int

    def __str__(self) -> str:
        lines = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"


class DifferingCall(Record):
    """One input on which two solutions differ. Texts are cut and without addresses."""

    function: str
    arguments: str
    gold: str
    candidate: str
    base: str = ""
    """What the repository without a patch does; empty where that is not known."""


class PatchFinding(Record):
    """One kind of finding about one patch or instance."""

    kind: PatchFindingKind
    reason: str
    count: int
    """How many tests, lines, warnings, inputs or traces."""
    of: int | None = None
    """Out of how many; None where there is no whole."""
    tests: tuple[str, ...] = ()
    places: tuple[LineRange, ...] = ()
    details: tuple[str, ...] = ()
    example: DifferingCall | None = None


class CheckResult(Record):
    """What came of one check. `not_done` is neither good nor bad; its reason says why."""

    check: BeyondCheck
    status: Literal["clean", "found", "not_done"]
    reason: str = ""
    finding: PatchFinding | None = None
    spoiled: bool = False
    """The infrastructure failed: the next run looks again."""


def clean(check: BeyondCheck, reason: str) -> CheckResult:
    """Return that nothing was found, and where it was looked for."""
    return CheckResult(check=check, status="clean", reason=reason)


def not_done(check: BeyondCheck, reason: str) -> CheckResult:
    """Return that a check could not be made."""
    return CheckResult(check=check, status="not_done", reason=reason)


def found(check: BeyondCheck, finding: PatchFinding) -> CheckResult:
    """Return what a check found."""
    return CheckResult(check=check, status="found", reason=finding.reason, finding=finding)
