"""Logs from elsewhere become a run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from trajaudit.audit.imports import import_logs, import_report
from trajaudit.audit.intake import ImportOptions
from trajaudit.audit.score import score_run
from trajaudit.errors import UnknownPluginError, UsageError
from trajaudit.record.rundir import RunDir


def _chat(answer: str = "It is 4.", **more: Any) -> dict[str, Any]:
    asked = {"role": "user", "content": "2 + 2?"}
    return {"id": "sum", "messages": [asked, {"role": "assistant", "content": answer}], **more}


def _write(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _options(folder: Path, **more: Any) -> ImportOptions:
    return ImportOptions(runs_dir=folder / "runs", **more)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_records_become_trials_and_the_report_says_what_was_read(tmp_path: Path) -> None:
    ticks: list[int] = []
    path = _write(tmp_path / "logs" / "a.jsonl", _chat(), _chat("It is 5.", extra=1))

    imported = import_logs([path], _options(tmp_path, tick=ticks.append))

    assert imported.new
    assert [record.trial for record in imported.run.read_trials()] == [1, 2]
    (source,) = imported.report.sources
    assert (source.path, source.format, source.trials) == ("a.jsonl", "openai_chat", 2)
    assert [(one.kind, one.field) for one in imported.report.losses] == [("dropped", "extra")]
    assert import_report(imported.run) == imported.report
    assert ticks[-1] == 2


def test_the_same_input_adds_nothing_whatever_its_folder_is_called(tmp_path: Path) -> None:
    first = import_logs([_write(tmp_path / "x" / "a.jsonl", _chat())], _options(tmp_path))
    before = _files(tmp_path / "runs")

    again = import_logs([_write(tmp_path / "y" / "a.jsonl", _chat())], _options(tmp_path))

    assert not again.new
    assert again.run.path == first.run.path
    assert _files(tmp_path / "runs") == before


def test_two_imports_of_the_same_input_are_the_same_but_for_their_date(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.jsonl", _chat(), _chat("5", extra=1))

    made = [
        import_logs([path], ImportOptions(runs_dir=tmp_path / name)).run for name in ("r1", "r2")
    ]

    first, second = (_files(run.path) for run in made)
    first.pop("run.json")
    second.pop("run.json")
    assert first == second
    assert made[0].run_id == made[1].run_id


def test_of_two_imports_at_once_the_slower_adds_nothing(tmp_path: Path) -> None:
    log = _write(tmp_path / "a.jsonl", _chat())

    faster = import_logs([log], _options(tmp_path / "apart")).run

    def meanwhile(_: int) -> None:
        shutil.copytree(faster.path, tmp_path / "runs" / faster.run_id)

    slower = import_logs([log], _options(tmp_path, tick=meanwhile))
    assert not slower.new
    assert [one.name for one in (tmp_path / "runs").iterdir()] == [slower.run.run_id]
    assert len(list(slower.run.read_trials())) == 1


def test_another_content_is_another_run(tmp_path: Path) -> None:
    ids = {
        import_logs([_write(tmp_path / "a.jsonl", _chat(answer))], _options(tmp_path)).run.run_id
        for answer in ("4", "5")
    }

    assert len(ids) == 2


def test_a_broken_file_beside_good_ones_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    _write(logs / "a.jsonl", _chat())
    (logs / "b.json").write_text(json.dumps([_chat()])[:-1] + ", {")
    (logs / "c.txt").write_text("hello")

    imported = import_logs([logs], _options(tmp_path))

    assert sum(source.trials for source in imported.report.sources) == 1
    assert imported.report.unknown_count == 2 - sum(
        source.path == "b.json" for source in imported.report.sources
    )
    assert "c.txt" in imported.report.unknown


def test_a_broken_line_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.jsonl", _chat(), _chat())
    path.write_text(path.read_text() + "{")

    imported = import_logs([path], _options(tmp_path))

    assert [(one.kind, one.count) for one in imported.report.losses] == [("malformed", 1)]
    assert imported.report.sources[0].trials == 2


def test_files_of_no_known_format_are_an_error_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")

    with pytest.raises(UsageError, match=r"no log of a known format; got 1 files, a\.txt; known"):
        import_logs([tmp_path], _options(tmp_path))
    assert not (tmp_path / "runs").exists()


def test_a_file_that_yields_nothing_is_an_error_and_leaves_no_run(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.jsonl", {"messages": [{"role": "user", "content": "hm"}]})

    with pytest.raises(UsageError, match=r"a\.jsonl: holds no trial"):
        import_logs([path], _options(tmp_path))
    assert list((tmp_path / "runs").iterdir()) == []


def test_strict_refuses_what_loses_anything_and_leaves_no_run(tmp_path: Path) -> None:
    lossy = _write(tmp_path / "a.jsonl", _chat(extra=1))
    whole = _write(tmp_path / "b.jsonl", _chat())

    with pytest.raises(UsageError, match="dropped extra: 1 times"):
        import_logs([lossy], _options(tmp_path, strict=True))
    assert list((tmp_path / "runs").iterdir()) == []
    assert import_logs([whole], _options(tmp_path, strict=True)).new


def test_a_format_that_was_asked_for_reads_a_file_of_any_name(tmp_path: Path) -> None:
    path = _write(tmp_path / "dialogue.txt", _chat())

    imported = import_logs([path], _options(tmp_path, format="openai_chat"))

    assert imported.report.sources[0].trials == 1


def test_a_format_that_nobody_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownPluginError, match="openai_chatt"):
        import_logs(
            [_write(tmp_path / "a.jsonl", _chat())], _options(tmp_path, format="openai_chatt")
        )


def test_an_imported_run_is_scored_and_keeps_the_verdict_of_its_log(tmp_path: Path) -> None:
    record = {"question": "2 + 2?", "reference": "4", "output": "It is 4.", "correct": False}
    run = import_logs([_write(tmp_path / "a.jsonl", record)], _options(tmp_path)).run

    assert score_run(run) == []

    (outcome,) = RunDir(run.path).read_outcomes()
    assert (outcome.raw, outcome.lenient, outcome.final) == (False, True, True)
