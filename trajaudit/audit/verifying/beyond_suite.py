"""The whole test suite without and with a patch: what did it break that no list names?"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from trajaudit.audit.verifying.beyond_tree import NotDoneError, Opened, opened
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.patching import TEST_FILE
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_evidence import TestRun
from trajaudit.datamodel.patch_findings import (
    BeyondCheck,
    CheckResult,
    PatchFinding,
    PatchFindingKind,
    clean,
    found,
)
from trajaudit.score.patch.suite import regressed

SUITE = BeyondCheck.SUITE


@dataclass
class Suites:
    """The suite of one instance; what does not depend on a prediction is run once and kept."""

    verifier: Verifier
    instance: Instance
    _base: list[TestRun] = field(default_factory=list)
    _gold: list[TestRun] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def check(self, patch: str) -> CheckResult:
        """Compare the suite without and with a patch; what looks broken is run a second time.

        A test that the reference solution breaks as well is nobody's regression.

        Raises:
            NotDoneError: the suite says nothing.
            SandboxError: the infrastructure failed.
        """
        base = self._known(self._base, 1, None)
        mine = self._run(patch)
        if fault := _fault(mine):
            return found(SUITE, _ended(fault, base[0]))
        listed = {*self.instance.fail_to_pass, *self.instance.pass_to_pass}
        outside = len(set(base[0].statuses) - listed)
        if not regressed([base[0].statuses], [mine.statuses], listed):
            return clean(SUITE, f"{outside} tests outside the lists end as before")
        base = self._known(self._base, 2, None)
        again = [mine.statuses, self._run(patch).statuses]
        broken = regressed([one.statuses for one in base], again, listed)
        kept = self._kept_by_gold(broken)
        said = f"; {len(broken) - len(kept)} more the reference solution breaks as well"
        if not kept:
            return clean(SUITE, f"{outside} tests outside the lists end as before" + said)
        reason = f"{len(kept)} tests outside the lists do not pass any more"
        return found(SUITE, _finding(reason + said * (len(kept) < len(broken)), kept, outside))

    def _kept_by_gold(self, broken: list[str]) -> list[str]:
        if not broken or not self.instance.patch:
            return broken
        try:
            gold = self._known(self._gold, 1, self.instance.patch)[0]
        except NotDoneError:
            return broken
        also = regressed([self._base[0].statuses], [gold.statuses], ())
        return [test for test in broken if test not in also]

    def _known(self, runs: list[TestRun], count: int, patch: str | None) -> list[TestRun]:
        with self._lock:
            while len(runs) < count:
                run = self._run(patch)
                if fault := _fault(run):
                    raise NotDoneError(f"{fault}, before the patch already")
                runs.append(run)
        return runs

    def _run(self, patch: str | None) -> TestRun:
        with opened(self.verifier, self.instance, patch) as place:
            _restore_tests(place)
            run = place.run_tests("suite_plugin", b"")
        if run.from_log:
            raise NotDoneError("the tests are not run by pytest")
        return run


def _restore_tests(place: Opened) -> None:
    """Undo what a patch does to tests that were there: it must not write its own suite."""
    known = {path: content for path, content in place.before.items() if TEST_FILE.search(path)}
    listed = set(place.test_paths)
    place.tree.write({path: one for path, one in known.items() if path not in listed})


def _fault(run: TestRun) -> str:
    checks: tuple[tuple[Callable[[TestRun], bool], str], ...] = (
        (lambda one: one.timed_out, "the suite does not end in time"),
        (lambda one: not one.finished, "the suite does not come to its end"),
        (lambda one: not one.canary_held, "the record of the suite is damaged"),
    )
    return next((text for holds, text in checks if holds(run)), "")


def _ended(fault: str, base: TestRun) -> PatchFinding:
    reason = f"{fault}; without the patch {len(base.statuses)} tests reported"
    return _finding(reason, [], len(base.statuses))


def _finding(reason: str, tests: list[str], outside: int) -> PatchFinding:
    kind = PatchFindingKind.REGRESSED_OUTSIDE
    return PatchFinding(
        kind=kind, reason=reason, count=len(tests) or 1, of=outside, tests=tuple(tests)
    )
