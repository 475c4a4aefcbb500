"""Looks further than the listed tests; what is found stands beside a verdict, and changes none."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trajaudit.audit.verifying.beyond_coverage import check_coverage
from trajaudit.audit.verifying.beyond_history import check_history
from trajaudit.audit.verifying.beyond_probe import check_probe
from trajaudit.audit.verifying.beyond_static import check_static
from trajaudit.audit.verifying.beyond_suite import Suites
from trajaudit.audit.verifying.beyond_tree import NotDoneError
from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance, PatchVerdict, Prediction, Verification
from trajaudit.datamodel.patch_findings import (
    SHOWS_WEAK_TESTS,
    BeyondCheck,
    CheckResult,
    not_done,
)
from trajaudit.errors import NoEngineError, SandboxError, UsageError

OF_RESOLVED = frozenset({BeyondCheck.COVERAGE, BeyondCheck.PROBE})
"""Of a patch that fixes nothing, nobody asks how well its fix is tested."""
OF_TESTED = frozenset({*OF_RESOLVED, BeyondCheck.SUITE, BeyondCheck.STATIC})
TESTED = frozenset({PatchVerdict.RESOLVED, PatchVerdict.F2P_FAILED, PatchVerdict.P2P_REGRESSED})


@dataclass
class Beyond:
    """Makes the checks that were asked for; safe to use from several threads."""

    verifier: Verifier
    checks: Sequence[BeyondCheck]
    _suites: dict[str, Suites] = field(default_factory=dict)
    _histories: dict[str, CheckResult] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(
        self, instance: Instance, prediction: Prediction, done: Verification
    ) -> tuple[CheckResult, ...]:
        """Return one result for each check, in the order in which they are named.

        Raises:
            NoEngineError: there is no container engine any more.
        """
        return tuple(self._one(check, instance, prediction, done) for check in self.checks)

    def added(self, instance: Instance, prediction: Prediction, done: Verification) -> Verification:
        """Return a verification with what the checks say; what others said stays."""
        if done.status != "graded" or not self.checks:
            return done
        kept = [one for one in done.beyond if one.check not in self.checks]
        looked = self.look(instance, prediction, done)
        return done.model_copy(update={"beyond": (*kept, *looked)})

    def history(self, instance: Instance) -> CheckResult:
        """Return what the image of an instance holds of later times; looked for once."""
        key = instance.instance_id
        with self._lock:
            if key not in self._histories:
                look = guarded(BeyondCheck.HISTORY, lambda: check_history(self.verifier, instance))
                if look.spoiled:
                    return look
                self._histories[key] = look
            return self._histories[key]

    def _one(
        self, check: BeyondCheck, instance: Instance, prediction: Prediction, done: Verification
    ) -> CheckResult:
        if check in OF_TESTED and done.lenient not in TESTED:
            return not_done(check, "no test decided about the patch")
        if check in OF_RESOLVED and done.lenient is not PatchVerdict.RESOLVED:
            return not_done(check, "the patch is not resolved")
        patch, verifier = prediction.model_patch, self.verifier
        looks: dict[BeyondCheck, Callable[[], CheckResult]] = {
            BeyondCheck.SUITE: lambda: self._suite(instance).check(patch),
            BeyondCheck.COVERAGE: lambda: check_coverage(verifier, instance, patch, done.statuses),
            BeyondCheck.STATIC: lambda: check_static(verifier, instance, patch),
            BeyondCheck.PROBE: lambda: check_probe(verifier, instance, patch),
            BeyondCheck.HISTORY: lambda: self.history(instance),
        }
        return guarded(check, looks[check])

    def _suite(self, instance: Instance) -> Suites:
        with self._lock:
            made = Suites(self.verifier, instance)
            return self._suites.setdefault(instance.instance_id, made)


def guarded(check: BeyondCheck, look: Callable[[], CheckResult]) -> CheckResult:
    """Make a check; what cannot be known is said, not guessed."""
    try:
        return look()
    except NotDoneError as e:
        return not_done(check, str(e))
    except NoEngineError:
        raise
    except (SandboxError, OSError) as e:
        return not_done(check, str(e)).model_copy(update={"spoiled": True})


def chosen_checks(text: str) -> tuple[BeyondCheck, ...]:
    """Return the checks that a list with commas names; `all` and `none` are names too.

    Raises:
        UsageError: a name is unknown.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [str(check) for check in BeyondCheck]
    unknown = [name for name in names if name not in {*known, "all", "none"}]
    if unknown:
        raise UsageError(
            f"unknown check {', '.join(map(repr, unknown))}; known: {', '.join(known)}, all, none"
        )
    if "all" in names:
        return tuple(BeyondCheck)
    return tuple(check for check in BeyondCheck if check in names)


def has_looked(done: Verification, checks: Sequence[BeyondCheck]) -> bool:
    """Whether a verification holds what checks say, none of them spoiled."""
    looked = {one.check for one in done.beyond if not one.spoiled}
    return set(checks) <= looked


def is_resolved(done: Verification) -> bool:
    """Whether a patch is resolved, read leniently."""
    return done.status == "graded" and done.lenient is PatchVerdict.RESOLVED


def is_weakly_tested(done: Verification) -> bool:
    """Whether a patch is resolved, and something says that its tests would not know."""
    kinds = {one.finding.kind for one in done.beyond if one.finding is not None}
    return is_resolved(done) and bool(kinds & SHOWS_WEAK_TESTS)
