"""Which checks are made, what they need, and what their results mean together."""

import sys
from pathlib import Path

import pytest

from trajaudit.audit.verifying.beyond import (
    chosen_checks,
    guarded,
    has_looked,
    is_weakly_tested,
)
from trajaudit.audit.verifying.beyond_instances import for_instances
from trajaudit.audit.verifying.beyond_static import find_ruff, warned
from trajaudit.audit.verifying.beyond_tree import NotDoneError
from trajaudit.datamodel.patch import PatchVerdict, Verification
from trajaudit.datamodel.patch_findings import (
    BeyondCheck,
    CheckResult,
    PatchFinding,
    PatchFindingKind,
    clean,
    found,
    not_done,
)
from trajaudit.errors import NoEngineError, SandboxError, UsageError
from trajaudit.score.patch.lint import Warned

COVERAGE, STATIC = BeyondCheck.COVERAGE, BeyondCheck.STATIC


def done(*beyond: CheckResult, lenient: PatchVerdict = PatchVerdict.RESOLVED) -> Verification:
    return Verification(instance_id="a", status="graded", lenient=lenient, beyond=beyond)


def finding(kind: PatchFindingKind) -> CheckResult:
    return found(COVERAGE, PatchFinding(kind=kind, reason="r", count=1))


def test_checks_are_chosen_by_name() -> None:
    assert chosen_checks("static, coverage") == (COVERAGE, STATIC)
    assert chosen_checks("all") == tuple(BeyondCheck)
    assert chosen_checks("none") == chosen_checks("") == ()
    with pytest.raises(UsageError, match=r"unknown check 'lint', 'x'; known: suite, coverage"):
        chosen_checks("lint,coverage,x")


def test_instances_are_looked_at_by_what_needs_no_patch() -> None:
    assert for_instances((COVERAGE,)) == (COVERAGE,)
    assert for_instances(tuple(BeyondCheck)) == tuple(BeyondCheck)
    with pytest.raises(UsageError, match="not looked at by static; only by coverage, history"):
        for_instances((COVERAGE, STATIC))


def test_what_was_spoiled_has_not_been_looked_at() -> None:
    spoiled = not_done(STATIC, "engine lost").model_copy(update={"spoiled": True})

    assert has_looked(done(clean(COVERAGE, "")), [COVERAGE])
    assert has_looked(done(not_done(COVERAGE, "no Python")), [COVERAGE])
    assert not has_looked(done(clean(COVERAGE, "")), [COVERAGE, STATIC])
    assert not has_looked(done(spoiled), [STATIC])
    assert has_looked(done(), [])


@pytest.mark.parametrize("kind", PatchFindingKind)
def test_findings_about_tests_make_a_resolved_patch_weakly_tested(kind: PatchFindingKind) -> None:
    other = {PatchFindingKind.NEW_WARNINGS, PatchFindingKind.HISTORY_LEAK}

    assert is_weakly_tested(done(finding(kind))) is (kind not in other)
    assert not is_weakly_tested(done(finding(kind), lenient=PatchVerdict.F2P_FAILED))


def test_a_check_that_fails_is_said_and_a_lost_engine_is_not_hidden() -> None:
    def fails(error: Exception) -> CheckResult:
        raise error

    unknown = guarded(STATIC, lambda: fails(NotDoneError("no ruff")))
    spoiled = guarded(STATIC, lambda: fails(SandboxError("gone")))

    assert unknown == not_done(STATIC, "no ruff")
    assert (spoiled.status, spoiled.reason, spoiled.spoiled) == ("not_done", "gone", True)
    with pytest.raises(NoEngineError):
        guarded(STATIC, lambda: fails(NoEngineError("none")))


def test_ruff_reads_bytes_and_believes_no_comment() -> None:
    source = b"import os  # noqa\n# ruff: noqa\nx = '\xc3\xa9'\n"

    assert warned(find_ruff(), "-p/__x.py", source) == [
        Warned(path="-p/__x.py", line=1, code="F401", message="`os` imported but unused")
    ]
    assert {one.code for one in warned(find_ruff(), "a.py", b"def (\n")} == {"invalid-syntax"}


def test_without_ruff_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NotDoneError, match="ruff is not installed"):
        find_ruff()


def test_a_program_that_is_no_ruff_is_not_believed(tmp_path: Path) -> None:
    other = tmp_path / "ruff"
    other.write_text("#!/bin/sh\necho nonsense\n")
    other.chmod(0o755)

    with pytest.raises(NotDoneError, match=r"ruff cannot read a\.py"):
        warned(str(other), "a.py", b"")
