"""A run is found by path, id, start of its id, or as the latest."""

from pathlib import Path

import pytest

from trajaudit.datamodel.run import RunConfig
from trajaudit.errors import RunDirError
from trajaudit.record.rundir import RunDir
from trajaudit.record.runs import list_run_dirs, open_run


@pytest.fixture
def runs(tmp_path: Path, config: RunConfig) -> Path:
    for run_id, created in [("20261129-b", "2026-11-29T10"), ("20261130-a", "2026-11-28T10")]:
        update = {"run_id": run_id, "created": created}
        RunDir.create(tmp_path / "runs", config.model_copy(update=update))
    (tmp_path / "runs" / "no-run").mkdir()
    return tmp_path / "runs"


def test_folders_without_a_run_are_passed_over(runs: Path) -> None:
    assert [run.run_id for run in list_run_dirs(runs)] == ["20261129-b", "20261130-a"]
    assert list_run_dirs(runs / "none") == []


@pytest.mark.parametrize(
    ("name", "run_id"),
    [("20261130-a", "20261130-a"), ("20261129", "20261129-b"), ("latest", "20261129-b")],
)
def test_a_run_is_found_by_name(runs: Path, name: str, run_id: str) -> None:
    assert open_run(name, runs).run_id == run_id


def test_a_run_is_found_by_path(runs: Path) -> None:
    assert open_run(runs / "20261129-b", Path("elsewhere")).run_id == "20261129-b"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("2026", "more than one run starts with '2026'; got 20261129-b, 20261130-a; write more"),
        ("x", "there is no run 'x' in .*; got 20261129-b, 20261130-a; name one of them"),
        ("", "there is no run ''"),
        ("/", "/: no run directory; got a folder without run.json; name a run"),
    ],
)
def test_a_name_that_fits_no_single_run_is_refused(runs: Path, name: str, fault: str) -> None:
    with pytest.raises(RunDirError, match=fault):
        open_run(name, runs)


def test_the_latest_of_no_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunDirError, match="there is no run 'latest'"):
        open_run("latest", tmp_path)
