"""`latest` is the run that began last, also of those that began in the same second."""

from pathlib import Path

import pytest

from tests.cli.reviewing import make_project, scenario, typed_in
from trajaudit.record.runs import list_run_dirs, open_run


def test_of_runs_begun_in_one_second_the_latest_is_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    make_project(tmp_path, scenario({"one": "Paris"}))
    typed = typed_in(capsys)
    runs, known = Path("runs"), set[str]()

    for _ in range(8):
        assert typed("run", "x/y")[0] == 0
        (made,) = {run.run_id for run in list_run_dirs(runs)} - known
        known.add(made)

        assert open_run("latest", runs).run_id == made
