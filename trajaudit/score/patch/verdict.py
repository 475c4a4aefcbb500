"""Decides about a patch from what was applied and which tests ended how.

Strict: every listed test as listed. Lenient: without tests that cannot decide, each one noted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trajaudit.datamodel.patch import PatchVerdict, TestStatus

Runs = Mapping[str, Sequence[TestStatus]]
"""Test id → its status in each repeated run."""

_PASSES = frozenset({TestStatus.PASSED, TestStatus.XPASS})
_KEEPS = frozenset({*_PASSES, TestStatus.XFAIL})
"""What a test that passed before may say afterwards."""


@dataclass(frozen=True, kw_only=True)
class Lists:
    """The tests that an instance lists, and how they ended before the patch where that is known."""

    fail_to_pass: Sequence[str]
    pass_to_pass: Sequence[str]
    before: Runs = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What happened in a verification that the infrastructure did not spoil."""

    patch_is_empty: bool = False
    applied_strictly: bool = True
    applied_leniently: bool = True
    test_patch_applied: bool = True
    timed_out: bool = False
    canary_held: bool = True
    """The test that must fail failed, the one that must pass passed."""
    session_finished: bool = True
    collection_failed: bool = False
    after: Runs = field(default_factory=dict)
    is_gold: bool = False


@dataclass(frozen=True)
class Decision:
    """Both readings, and what was noticed."""

    strict: PatchVerdict
    lenient: PatchVerdict
    notes: tuple[str, ...] = ()


def decide(lists: Lists, facts: Facts) -> Decision:
    """Decide about one verification."""
    early = _before_tests(facts)
    if early is not None:
        return Decision(early, early)
    decision = decide_tests(lists, facts.after, collection_failed=facts.collection_failed)
    if facts.is_gold and decision.lenient is not PatchVerdict.RESOLVED:
        note = f"the reference solution ends as {decision.lenient}"
        invalid = PatchVerdict.INVALID_INSTANCE
        return Decision(invalid, invalid, (*decision.notes, note))
    if not facts.applied_strictly:
        failed = PatchVerdict.PATCH_APPLY_FAILED
        return Decision(failed, decision.lenient, decision.notes)
    return decision


def _before_tests(facts: Facts) -> PatchVerdict | None:
    checks = (
        (facts.patch_is_empty, PatchVerdict.EMPTY_PATCH),
        (not facts.applied_leniently, PatchVerdict.PATCH_APPLY_FAILED),
        (not facts.test_patch_applied, PatchVerdict.TEST_PATCH_FAILED),
        (facts.timed_out, PatchVerdict.TIMEOUT),
        (not facts.session_finished, PatchVerdict.RUNNER_DIED),
        (not facts.canary_held, PatchVerdict.TAMPERING),
    )
    return next((verdict for holds, verdict in checks if holds), None)


def decide_tests(lists: Lists, after: Runs, *, collection_failed: bool = False) -> Decision:
    """Decide from statuses before and after alone."""
    listed = (*lists.fail_to_pass, *lists.pass_to_pass)
    reported = {test: _reported(test, after) for test in listed}
    if not lists.fail_to_pass:
        invalid = PatchVerdict.INVALID_INSTANCE
        return Decision(invalid, invalid, ("no test is listed that has to be fixed",))
    silent = not any(reported[test] for test in lists.fail_to_pass)
    if not any(reported.values()) or (silent and collection_failed):
        failed = PatchVerdict.COLLECTION_ERROR
        return Decision(failed, failed, ("no listed test that has to be fixed reported",))
    judge = _Judge(lists, after, reported)
    strict, lenient = judge.strict(), judge.lenient()
    if strict is PatchVerdict.RESOLVED and lenient is not PatchVerdict.INVALID_INSTANCE:
        lenient = strict
    if lenient is PatchVerdict.INVALID_INSTANCE:
        strict = lenient
    return Decision(strict, lenient, tuple(judge.notes))


@dataclass
class _Judge:
    lists: Lists
    after: Runs
    reported: Mapping[str, Sequence[TestStatus]]
    notes: list[str] = field(default_factory=list)

    def strict(self) -> PatchVerdict:
        """Hold every listed test to its list, and to the letter of its id."""
        fixed = all(_all_in(self.after.get(test), _PASSES) for test in self.lists.fail_to_pass)
        kept = all(_all_in(self.after.get(test), _KEEPS) for test in self._kept())
        return _verdict(fixed=fixed, kept=kept)

    def lenient(self) -> PatchVerdict:
        """Leave out what cannot decide."""
        targets = [test for test in self.lists.fail_to_pass if self._is_target(test)]
        if not targets:
            self.notes.append("no listed test shows that anything was broken")
            return PatchVerdict.INVALID_INSTANCE
        passed_before = [test for test in self.lists.fail_to_pass if test not in targets]
        guards = [test for test in (*passed_before, *self._kept()) if self._guards(test)]
        fixed = all(_all_in(self.reported[test], _PASSES) for test in targets)
        kept = all(self._is_kept(test) for test in guards)
        return _verdict(fixed=fixed, kept=kept)

    def _kept(self) -> list[str]:
        targets = set(self.lists.fail_to_pass)
        return [test for test in self.lists.pass_to_pass if test not in targets]

    def _is_target(self, test: str) -> bool:
        before = self.lists.before.get(test, ())
        if _mixed(before):
            self.notes.append(f"flaky before the patch, cannot decide: {test}")
            return False
        if before and _all_in(before, _PASSES):
            self.notes.append(f"passes without the patch: {test}")
            return False
        return True

    def _guards(self, test: str) -> bool:
        before = self.lists.before.get(test, ())
        after = self.reported[test]
        if _mixed(before) or (_mixed(after) and len(before) < 2):
            self._note(f"flaky, cannot decide: {test}")
            return False
        if before and not _all_in(before, _KEEPS):
            self._note(f"did not pass before the patch either: {test}")
            return False
        return True

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def _is_kept(self, test: str) -> bool:
        return _all_in(self.reported[test], _KEEPS)


def _reported(test: str, after: Runs) -> Sequence[TestStatus]:
    """Return the statuses of a listed id; of one that was cut inside its brackets, if they agree.

    Lists made by reading logs word by word lose what follows a blank in a parameter.
    """
    if test in after:
        return after[test]
    if test.count("[") <= test.count("]"):
        return ()
    candidates = [tuple(runs) for name, runs in after.items() if name.startswith(test)]
    return candidates[0] if len(set(candidates)) == 1 else ()


def _verdict(*, fixed: bool, kept: bool) -> PatchVerdict:
    if not fixed:
        return PatchVerdict.F2P_FAILED
    return PatchVerdict.RESOLVED if kept else PatchVerdict.P2P_REGRESSED


def _all_in(runs: Sequence[TestStatus] | None, wanted: frozenset[TestStatus]) -> bool:
    return bool(runs) and all(status in wanted for status in runs or ())


def _mixed(runs: Sequence[TestStatus]) -> bool:
    return len({status in _KEEPS for status in runs}) > 1
