"""Decides about a patch from what was applied and which tests ended how.

Strict: every listed test as listed. Lenient: without tests that cannot decide, each one noted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trajaudit.datamodel.patch import PatchVerdict, TestStatus

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
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
    before_is_whole: bool = False
    """The runs before the patch came to their end, so that a test without status did not run."""


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
    silence_passes: bool = False
    """The runner names only what fails, and came to its end: leniently, silence is a pass."""
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
    decision = decide_tests(
        lists,
        facts.after,
        collection_failed=facts.collection_failed,
        silence_passes=facts.silence_passes,
    )
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


def decide_tests(
    lists: Lists, after: Runs, *, collection_failed: bool = False, silence_passes: bool = False
) -> Decision:
    """Decide from statuses before and after alone."""
    listed = (*lists.fail_to_pass, *lists.pass_to_pass)
    known = _Known(after)
    reported = {test: known.reported(test) for test in listed}
    if not lists.fail_to_pass:
        invalid = PatchVerdict.INVALID_INSTANCE
        return Decision(invalid, invalid, ("no test is listed that has to be fixed",))
    quiet: list[str] = []
    if silence_passes:
        quiet = [test for test in listed if not reported[test]]
        reported |= dict.fromkeys(quiet, (TestStatus.PASSED,))
    silent = not any(reported[test] for test in lists.fail_to_pass)
    if not any(reported.values()) or (silent and collection_failed):
        failed = PatchVerdict.COLLECTION_ERROR
        return Decision(failed, failed, ("no listed test that has to be fixed reported",))
    judge = _Judge(lists, after, reported, _Known(lists.before))
    if quiet:
        judge.notes.append(f"not named by the runner, so passed, but not strictly: {len(quiet)}")
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
    before: "_Known"
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
        before = self.before.reported(test)
        if _mixed(before):
            self.notes.append(f"flaky before the patch, cannot decide: {test}")
            return False
        if before and _all_in(before, _PASSES):
            self.notes.append(f"passes without the patch: {test}")
            return False
        return True

    def _guards(self, test: str) -> bool:
        before = self.before.reported(test)
        after = self.reported[test]
        if _mixed(before) or (_mixed(after) and len(before) < 2):
            self._note(f"flaky, cannot decide: {test}")
            return False
        if not before and not after and self.lists.before_is_whole:
            self._note(f"does not report without the patch either: {test}")
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


class _Known:
    """Statuses by listed id, also where the list was made by reading logs.

    Such lists lose what follows a blank in a parameter, or hold its blanks and control characters
    otherwise. An id of that kind means the tests that it can mean, if they agree.
    """

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._loose: dict[str, list[tuple[TestStatus, ...]]] | None = None

    def reported(self, test: str) -> Sequence[TestStatus]:
        """Return the statuses of a listed id; nothing where it is not clear what it means."""
        if test in self._runs:
            return self._runs[test]
        candidates = self._loosely().get(_loose(test), [])
        if not candidates and test.count("[") > test.count("]"):
            start = _loose(test)
            named = (runs for name, runs in self._loosely().items() if name.startswith(start))
            candidates = [one for runs in named for one in runs]
        return candidates[0] if len(set(candidates)) == 1 else ()

    def _loosely(self) -> Mapping[str, list[tuple[TestStatus, ...]]]:
        if self._loose is None:
            self._loose = {}
            for name, runs in self._runs.items():
                self._loose.setdefault(_loose(name), []).append(tuple(runs))
        return self._loose


def _loose(test: str) -> str:
    return " ".join(_CONTROL.sub("", test).split())


def _verdict(*, fixed: bool, kept: bool) -> PatchVerdict:
    if not fixed:
        return PatchVerdict.F2P_FAILED
    return PatchVerdict.RESOLVED if kept else PatchVerdict.P2P_REGRESSED


def _all_in(runs: Sequence[TestStatus] | None, wanted: frozenset[TestStatus]) -> bool:
    return bool(runs) and all(status in wanted for status in runs or ())


def _mixed(runs: Sequence[TestStatus]) -> bool:
    return len({status in _KEEPS for status in runs}) > 1
