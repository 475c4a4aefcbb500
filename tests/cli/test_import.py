"""`trajaudit import` and `trajaudit audit`, as they are typed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from trajaudit.cli.main import main

Typed = Callable[..., tuple[int, str, str]]
RECORD = {"id": 7, "question": "2 + 2?", "reference": "4", "output": "It is 4.", "correct": False}
TALK = [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "It is 4."}]


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Type a command in a folder with a log; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    Path("log.jsonl").write_text(json.dumps(RECORD) + "\n")
    Path("lossy.jsonl").write_text(json.dumps({"messages": TALK, "mood": "good"}) + "\n")
    Path("note.txt").write_text("hello")

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(words))
        told = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, told.out, told.err

    return typed


def test_import_says_what_was_read_and_what_was_lost(typed: Typed) -> None:
    code, out, _ = typed("import", "lossy.jsonl", "note.txt")

    assert code == 0
    assert "lossy.jsonl   openai_chat   1 trials" in out
    assert "1 files of no known format were passed over: note.txt" in out
    assert "dropped" in out
    assert "mood" in out
    assert "trajaudit score import-openai-chat-" in out


def test_import_prints_its_report_as_json(typed: Typed) -> None:
    code, out, _ = typed("import", "log.jsonl", "--json")

    told = json.loads(out)
    assert code == 0
    assert told["new"] is True
    assert told["sources"][0]["format"] == "answers"
    assert Path("runs", told["run_id"], "import.json").exists()


def test_import_of_the_same_log_adds_nothing(typed: Typed) -> None:
    typed("import", "log.jsonl")
    code, _, err = typed("import", "log.jsonl")

    assert code == 0
    assert "the same logs had been imported before" in err
    assert len([entry for entry in Path("runs").iterdir() if entry.is_dir()]) == 1


def test_strict_leaves_with_2_and_says_what_would_be_lost(typed: Typed) -> None:
    code, _, err = typed("import", "lossy.jsonl", "--strict")

    assert code == 2
    assert "--strict refuses a lossy import" in err
    assert "mood" in err
    assert typed("import", "log.jsonl", "--strict")[0] == 0


@pytest.mark.parametrize("command", ["import", "audit"])
def test_nothing_found_leaves_with_2(command: str, typed: Typed) -> None:
    code, _, err = typed(command, "note.txt")

    assert code == 2
    assert "no log of a known format" in err


def test_a_path_that_does_not_exist_leaves_with_2(typed: Typed) -> None:
    code, _, err = typed("import", "gone.jsonl")

    assert code == 2
    assert "gone.jsonl: there is no such file or folder" in err


def test_a_format_can_be_named_and_must_be_known(typed: Typed) -> None:
    assert typed("import", "log.jsonl", "--format", "answers")[0] == 0
    code, _, err = typed("import", "log.jsonl", "--format", "answer")
    assert code == 2
    assert "answers" in err


def test_audit_imports_scores_and_reports_in_one_step(typed: Typed) -> None:
    code, out, _ = typed("audit", "log.jsonl", "--out", "elsewhere")

    assert code == 0
    assert "report.html" in out
    (run,) = [entry for entry in Path("elsewhere").iterdir() if entry.is_dir()]
    assert (run / "report.html").exists()
    assert (run / "outcomes.jsonl").exists()


def test_audit_prints_json_and_gates(typed: Typed) -> None:
    code, out, _ = typed("audit", "log.jsonl", "--json", "--fail-on", "lenient<1.1")

    assert code in {2, 4}
    code, out, _ = typed("audit", "log.jsonl", "--json", "--fail-on", "lenient<1")
    assert code == 0
    assert json.loads(out)["run_id"].startswith("import-answers-")


def test_audit_of_a_log_that_was_imported_before_scores_it_again(typed: Typed) -> None:
    first = typed("audit", "log.jsonl")
    second = typed("audit", "log.jsonl")

    assert first[0] == second[0] == 0
    assert "the same logs had been imported before" in second[2]


def test_resume_refuses_an_imported_run(typed: Typed) -> None:
    typed("import", "log.jsonl")

    code, _, err = typed("resume", "latest")

    assert code == 2
    assert "was imported from a log, and has nothing left to run" in err


def test_show_and_score_read_an_imported_run(typed: Typed) -> None:
    typed("audit", "log.jsonl")

    code, out, _ = typed("show", "latest", "q.7")
    assert code == 0
    assert "It is 4." in out
    assert typed("score", "latest")[0] == 0
