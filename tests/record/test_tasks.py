"""The tasks of a run: in its scenario, or of an imported one in a file."""

from pathlib import Path

import pytest

from tests.record.foreign import TOOL, added, foreign
from tests.record.test_intake import REPORT, config_of
from trajaudit.errors import RunDirError
from trajaudit.record.intake import IntakeWriter
from trajaudit.record.rundir import RunDir
from trajaudit.record.tasks import TASKS, TOOLSETS


def _imported(folder: Path) -> RunDir:
    with IntakeWriter(folder, "r1") as writer:
        for number in range(3):
            added(writer, foreign(f"t{number}", f"{number} + 1? Ä", tools=(TOOL,)))
        return writer.finish(config_of(writer), REPORT)


def test_any_task_is_found_in_any_order(tmp_path: Path) -> None:
    book = _imported(tmp_path).tasks

    assert [book.task(f"t{number}").prompt for number in (2, 0, 1)] == [
        "2 + 1? Ä",
        "0 + 1? Ä",
        "1 + 1? Ä",
    ]
    assert [task.id for task in book.tasks()] == ["t0", "t1", "t2"]
    assert book.find("t9") is None


def test_a_task_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunDirError, match="no task 't9' in this run"):
        _imported(tmp_path).tasks.task("t9")


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    run = _imported(tmp_path)
    path = run.path / TASKS
    path.write_bytes(path.read_bytes().replace(b'"t1"', b'"t/1"'))

    with pytest.raises(RunDirError, match=r"tasks\.jsonl:2:"):
        list(RunDir(run.path).tasks.tasks())


def test_tools_that_were_taken_away_are_noticed(tmp_path: Path) -> None:
    run = _imported(tmp_path)
    (run.path / TOOLSETS).write_bytes(b"")
    record = next(run.read_trials())

    with pytest.raises(RunDirError, match=r"toolsets\.jsonl"):
        RunDir(run.path).tasks.scenario(record)
