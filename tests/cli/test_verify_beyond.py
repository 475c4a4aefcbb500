"""What speaks about a patch beyond its listed tests is printed beside its verdict."""

from pathlib import Path

import pytest

from trajaudit.audit.verify import VerifyResult
from trajaudit.audit.verifying.instances import InstanceCheck
from trajaudit.cli.main import main
from trajaudit.cli.verify_beyond import chosen
from trajaudit.cli.verify_output import print_checks, print_result, summary
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

LINES = PatchFinding(
    kind=PatchFindingKind.UNTESTED_LINES,
    reason="no listed test executes 1 of 3 changed lines: a.py:3",
    count=1,
    of=3,
)
WEAK = (found(BeyondCheck.COVERAGE, LINES), not_done(BeyondCheck.STATIC, "ruff is not installed"))


def resolved(name: str, *beyond: CheckResult) -> Verification:
    verdict = PatchVerdict.RESOLVED
    return Verification(
        instance_id=name, status="graded", strict=verdict, lenient=verdict, beyond=beyond
    )


def result(*made: Verification) -> VerifyResult:
    return VerifyResult(verifications=made, unknown=[], missing=[], kept=0)


def test_weakly_tested_patches_are_named_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    one = result(resolved("a", *WEAK), resolved("b", clean(BeyondCheck.COVERAGE, "all 3")))

    print_result(one)

    said = capsys.readouterr().out
    assert "    untested_lines: no listed test executes 1 of 3 changed lines: a.py:3\n" in said
    assert "    static not done: ruff is not installed\n" in said
    assert "resolved, but weakly tested: 1 of 2 looked at: a\n" in said
    assert summary(one)["weakly_tested"] == [{"instance_id": "a", "model_name_or_path": ""}]


def test_where_nobody_looked_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(result(resolved("a")))

    assert "weakly" not in capsys.readouterr().out


def test_weak_and_leaking_instances_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    checks = [
        InstanceCheck("a", "sound", weak=("the listed tests pass with a.py:3 as `pass` too",)),
        InstanceCheck("b", "sound", leaks=("tag v2 leads to 1 of 2020-01-01, x",)),
        InstanceCheck("c", "sound", unknown=("whether its tests are weak is not known: x",)),
    ]

    print_checks(checks)

    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["a   sound", "    weak: the listed tests pass with a.py:3 as `pass` too"]
    assert "    leak: tag v2 leads to 1 of 2020-01-01, x" in said
    assert "    unknown: whether its tests are weak is not known: x" in said
    assert said[-2:] == ["weakly tested: a", "later history in the image: b"]


def test_without_a_word_instances_are_looked_into_and_patches_are_not() -> None:
    assert chosen(None, of_instances=False) == ()
    assert chosen(None, of_instances=True) == (BeyondCheck.COVERAGE, BeyondCheck.HISTORY)
    assert chosen("none", of_instances=True) == ()


def test_an_unknown_check_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text('{"instance_id": "a", "FAIL_TO_PASS": ["t"]}')

    with pytest.raises(SystemExit) as caught:
        main(["verify", "--instances", str(tasks), "--predictions", str(tasks), "--beyond", "x"])

    assert caught.value.code == 2
    assert "unknown check 'x'; known: suite, coverage, static" in capsys.readouterr().err
