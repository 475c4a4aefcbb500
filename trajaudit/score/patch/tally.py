"""Collects statuses; a test that is said to have ended twice ended in the worse way."""

from dataclasses import dataclass, field

from trajaudit.datamodel.patch import TestStatus

_WORSE = (
    TestStatus.PASSED,
    TestStatus.XPASS,
    TestStatus.XFAIL,
    TestStatus.SKIPPED,
    TestStatus.FAILED,
    TestStatus.ERROR,
)


@dataclass
class Tally:
    """Test id → status so far."""

    statuses: dict[str, TestStatus] = field(default_factory=dict)

    def add(self, test: str, status: TestStatus) -> None:
        """Count a line."""
        known = self.statuses.get(test)
        if known is None or _WORSE.index(status) > _WORSE.index(known):
            self.statuses[test] = status
