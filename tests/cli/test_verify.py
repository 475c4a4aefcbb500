"""`trajaudit verify` refuses what is typed wrong at once, and prints both readings."""

import json
from pathlib import Path

import pytest

from trajaudit.audit.verify import VerifyResult
from trajaudit.cli.main import main
from trajaudit.cli.verify import _print, _summary
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

    _print(result)

    said = capsys.readouterr().out
    assert "patch_apply_failed / resolved   eol" in said
    assert "strict: 0 of 1 graded resolved; of all 2: between 0" in said
    assert "lenient: 1 of 1 graded resolved; of all 2: between 1 (ungraded = fail) and 2" in said
    assert "\x1b" not in said
    assert _summary(result)["lenient"] == {"resolved": 1, "graded": 1}
