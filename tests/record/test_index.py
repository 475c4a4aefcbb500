"""The index says what the files say, whatever happened to it."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, RunConfig, TrialRecord
from trajaudit.datamodel.verdict import Fault, GradeStatus
from trajaudit.errors import StorageError
from trajaudit.record.index import FILE, RunEntry, list_findings, list_runs, rebuild, update
from trajaudit.record.rundir import RunDir

ROOT = Path(__file__).resolve().parents[2]
FINDING = Finding(task_id="a", trial=1, kind=FailureKind.LOOP, fault=Fault.AGENT, reason="again")


@pytest.fixture
def graded(run: RunDir) -> RunDir:
    for task_id in ("a", "b"):
        run.write_trial(
            TrialRecord(run_id=run.run_id, task_id=task_id, trial=1, end_reason="replied")
        )
    run.write_records(
        "outcomes",
        [
            Outcome(task_id="a", trial=1, strict=False, lenient=True, final=True),
            Outcome(task_id="b", trial=1, status=GradeStatus.INFRA_ERROR),
        ],
    )
    run.write_records("findings", [FINDING])
    return run


def _entry(run: RunDir) -> RunEntry:
    return RunEntry(
        run_id=run.run_id,
        created="2026-11-29T10:15:00Z",
        scenario="shop/s",
        agent="null",
        model_id="scripted",
        tasks=2,
        trials=2,
        whole=2,
        graded=1,
        strict=0,
        lenient=1,
        final=1,
        findings=1,
    )


def test_an_ungraded_trial_counts_nowhere(graded: RunDir) -> None:
    update(graded)

    assert list_runs(graded.path.parent) == [_entry(graded)]
    (finding,) = list_findings(graded.path.parent, kind="loop")
    assert (finding.run_id, finding.reason) == (graded.run_id, "again")
    assert list_findings(graded.path.parent, kind="refused") == []


def test_runs_are_found_without_having_been_indexed(graded: RunDir) -> None:
    runs = graded.path.parent

    assert list_runs(runs, scenario="shop/s", model_id="scripted") == [_entry(graded)]
    assert list_runs(runs, scenario="other") == []
    assert list_runs(runs, limit=0) == []
    assert list_runs(runs / "none") == []


def test_what_changed_since_is_read_anew(graded: RunDir, config: RunConfig) -> None:
    runs = graded.path.parent
    list_runs(runs)
    record = TrialRecord(run_id=graded.run_id, task_id="a", trial=2, end_reason="replied")
    graded.write_trial(record)
    graded.write_records("findings", [])
    newer = config.model_copy(update={"run_id": "newer", "created": "2027"})
    RunDir.create(runs, newer)

    first, second = list_runs(runs)
    assert (first.run_id, second.whole, second.findings) == ("newer", 3, 0)


def test_what_is_gone_is_forgotten(graded: RunDir) -> None:
    update(graded)
    graded.path.rename(graded.path.parent.parent / "away")

    assert list_runs(graded.path.parent) == []
    assert list_findings(graded.path.parent) == []


@pytest.mark.parametrize("damage", ["garbage", "old", "half", "schema"])
def test_a_damaged_or_old_index_is_made_anew_and_told(graded: RunDir, damage: str) -> None:
    update(graded)
    path = graded.path.parent / FILE
    if damage == "garbage":
        path.write_bytes(b"garbage" * 1000)
    elif damage == "half":
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    else:
        connection = sqlite3.connect(path)
        connection.execute("DROP TABLE runs" if damage == "schema" else "PRAGMA user_version=99")
        connection.close()
    told: list[str] = []

    assert list_runs(path.parent, tell=told.append) == [_entry(graded)]
    assert len(told) == 1
    assert "made anew" in told[0]


def test_a_damaged_run_is_told_and_left_out(graded: RunDir, config: RunConfig) -> None:
    other = RunDir.create(graded.path.parent, config.model_copy(update={"run_id": "other"}))
    (other.path / "run.json").write_text("{")
    told: list[str] = []
    rebuild(graded.path.parent, tell=told.append)

    assert [entry.run_id for entry in list_runs(graded.path.parent)] == [graded.run_id]
    assert len(told) == 1
    assert "other/run.json:1: damaged" in told[0]


def test_a_kill_in_the_middle_leaves_it_usable(graded: RunDir) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from trajaudit.record.index import update; from trajaudit.record.rundir import RunDir\n"
        "run = RunDir(Path(sys.argv[1])); update(run); print('go', flush=True)\n"
        "while True: update(run)"
    )
    command = [sys.executable, "-c", code, str(graded.path)]
    for _ in range(3):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"go\n"
            writer.send_signal(signal.SIGKILL)

        assert list_runs(graded.path.parent) == [_entry(graded)]


def test_an_index_that_cannot_be_written_is_a_storage_error(graded: RunDir) -> None:
    (graded.path.parent / FILE).mkdir()

    with pytest.raises(StorageError, match="the index cannot be written; unable to open"):
        list_runs(graded.path.parent)
