"""`trajaudit verify` refuses what is typed wrong at once, and prints both readings."""

import json
from pathlib import Path

import pytest

from trajaudit.audit.verify import VerifyResult
from trajaudit.audit.verifying.regrading import Flip, Regraded
from trajaudit.cli.main import main
from trajaudit.cli.verify_output import few, print_regraded, print_result, regraded, summary
from trajaudit.datamodel.patch import PatchVerdict, Verification

INSTANCE = {"instance_id": "a", "FAIL_TO_PASS": ["t"], "PASS_TO_PASS": []}


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as caught:
        main(["verify", *arguments])
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_predictions_are_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tasks.jsonl").write_text(json.dumps(INSTANCE))

    assert "--predictions" in refused(["--instances", str(tmp_path / "tasks.jsonl")], capsys)


def test_instances_are_not_checked_with_predictions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(INSTANCE))
    words = ["--check-instances", "--instances", str(path), "--predictions", str(path)]

    assert "--check-instances looks at no predictions" in refused(words, capsys)


def test_faults_of_a_file_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text('{"instance_id": "a"}\nno json\n')

    said = refused(["--instances", str(path), "--predictions", str(path)], capsys)

    assert f"{path}:1: " in said
    assert f"{path}:2: " in said


def test_both_readings_and_both_bounds_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    graded = Verification(
        instance_id="a\x1b[2J",
        status="graded",
        strict=PatchVerdict.PATCH_APPLY_FAILED,
        lenient=PatchVerdict.RESOLVED,
        repairs=("eol",),
    )
    spoiled = Verification(instance_id="b", status="ungraded", reason="engine lost")
    result = VerifyResult(verifications=[graded, spoiled], unknown=["c"], missing=["d"], kept=1)

    print_result(result)

    said = capsys.readouterr().out
    assert "patch_apply_failed / resolved   eol" in said
    assert "strict: 0 of 1 graded resolved; of all 2: between 0" in said
    assert "lenient: 1 of 1 graded resolved; of all 2: between 1 (ungraded = fail) and 2" in said
    assert "\x1b" not in said
    assert summary(result)["lenient"] == {"resolved": 1, "graded": 1}


def test_what_was_never_verified_cannot_be_decided_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no results" in refused(["--regrade", str(tmp_path / "none.jsonl")], capsys)
    assert "--instances" in refused(["--predictions", "x"], capsys)


def test_an_unknown_eval_type_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps({**INSTANCE, "eval_type": "maybe"}))

    said = refused(["--instances", str(path), "--check-instances"], capsys)

    assert "got 'maybe'; known: pass_and_fail, fail_only" in said


def test_flips_are_printed_with_both_readings(capsys: pytest.CaptureFixture[str]) -> None:
    failed, resolved = PatchVerdict.F2P_FAILED, PatchVerdict.RESOLVED
    done = Verification(instance_id="a", status="graded", strict=failed, lenient=resolved)
    flip = Flip("a", "m", before=(failed, failed), after=(failed, resolved))
    result = Regraded(verifications=[done], flips=[flip])

    print_regraded(result)

    said = capsys.readouterr().out
    assert "a   m   f2p_failed / f2p_failed  →  f2p_failed / resolved\n1 of 1 are decided" in said
    assert regraded(result)["flips"] == [
        {
            "instance_id": "a",
            "model_name_or_path": "m",
            "before": {"strict": "f2p_failed", "lenient": "f2p_failed"},
            "after": {"strict": "f2p_failed", "lenient": "resolved"},
        }
    ]


def test_many_notes_are_cut_and_counted() -> None:
    assert few(["a", "b"]) == "a; b"
    assert few(list("abcdef")) == "a; b; c; d; and 2 more"


def test_a_source_that_is_not_there_makes_no_instance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert "no such folder or archive" in refused(["init", "none", "--gold", "HEAD"], capsys)
    assert list(tmp_path.iterdir()) == []
