"""A run directory is whole at every moment, and names never lead out of it."""

import os
import random
import signal
import stat
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome, RunConfig, ScorerFailure, TrialRecord
from trajaudit.datamodel.verdict import Fault, Verdict
from trajaudit.errors import RunDirError, StorageError
from trajaudit.record.rundir import RunDir, folder_name, new_run_id

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 29, 10, 15, tzinfo=UTC)


def _trial(task_id: str, trial: int) -> TrialRecord:
    return TrialRecord(
        run_id="20261129-101500-7f3a", task_id=task_id, trial=trial, end_reason="replied"
    )


def _verdict(reason: str) -> Verdict:
    return Verdict(
        task_id="a", trial=1, scorer="final_answer", mode="strict", passed=True, reason=reason
    )


def test_a_run_id_tells_the_time_and_is_taken_by_nobody(tmp_path: Path) -> None:
    first = new_run_id(NOW, random.Random(1), tmp_path)
    (tmp_path / first).mkdir()

    assert first == "20261129-101500-2265"
    assert new_run_id(NOW, random.Random(1), tmp_path) != first


def test_a_run_is_made_all_at_once(tmp_path: Path, config: RunConfig) -> None:
    run = RunDir.create(tmp_path / "runs", config)

    assert run.config == config
    assert RunDir(run.path).config == config
    assert sorted(path.name for path in run.path.iterdir()) == ["run.json", "trials"]
    assert [path.name for path in run.path.parent.iterdir()] == [config.run_id]


def test_a_run_is_not_made_twice(run: RunDir, config: RunConfig) -> None:
    with pytest.raises(RunDirError, match="there is a run of this id already"):
        RunDir.create(run.path.parent, config)


@pytest.mark.parametrize("run_id", ["", "..", "../x", "a/b", "a\nb", ".hidden"])
def test_a_run_id_is_a_plain_name(tmp_path: Path, config: RunConfig, run_id: str) -> None:
    with pytest.raises(RunDirError, match="a run id is not usable"):
        RunDir.create(tmp_path, config.model_copy(update={"run_id": run_id}))
    assert list(tmp_path.iterdir()) == []


def test_whole_trials_are_read_and_the_rest_is_missing(run: RunDir) -> None:
    run.write_trial(_trial("b", 2))
    run.write_trial(_trial("a", 1))
    run.journal_path("a", 2).parent.mkdir(parents=True)

    assert list(run.read_trials()) == [_trial("a", 1), _trial("b", 2)]
    assert run.missing() == [("b", 1), ("a", 2)]
    assert run.missing(["a"], 3) == [("a", 2), ("a", 3)]


def test_an_unfinished_trial_is_kept_aside(run: RunDir) -> None:
    moved = None
    for _ in range(2):
        journal = run.journal_path("a", 1)
        journal.parent.mkdir(parents=True)
        journal.write_text("half")
        moved = run.abandon("a", 1)

    assert moved is not None
    assert moved.name == "1.abandoned-2"
    assert (moved / "events.jsonl").read_text() == "half"
    assert run.abandoned("a", 1) == 2
    assert run.abandon("a", 1) is None
    assert list(run.read_trials()) == []


def test_a_whole_trial_is_never_moved(run: RunDir) -> None:
    run.write_trial(_trial("a", 1))

    with pytest.raises(RunDirError, match="the trial is whole"):
        run.abandon("a", 1)


def test_verdicts_are_replaced_and_the_earlier_ones_kept(run: RunDir) -> None:
    for reason in ("one", "one", "two", "three"):
        run.write_records("verdicts", [_verdict(reason)])

    assert list(run.read_verdicts()) == [_verdict("three")]
    assert [path.name for path in run.history("verdicts")] == [
        "verdicts.1.jsonl",
        "verdicts.2.jsonl",
    ]
    assert '"one"' in run.history("verdicts")[0].read_text()


def test_findings_outcomes_and_failures_come_back_as_they_were(run: RunDir) -> None:
    finding = Finding(
        task_id="a", trial=1, kind=FailureKind.LOOP, fault=Fault.AGENT, reason="again"
    )
    outcome = Outcome(task_id="a", trial=1, strict=False, lenient=True, final=True)
    failure = ScorerFailure(task_id="a", trial=1, scorer="x", error="e", traceback="t")
    run.write_records("findings", [finding])
    run.write_records("outcomes", [outcome])
    run.write_failures([failure])

    assert list(run.read_findings()) == [finding]
    assert list(run.read_outcomes()) == [outcome]
    assert list(run.read_failures()) == [failure]
    assert list(run.read_verdicts()) == []


def test_a_trial_that_lies_in_anothers_folder_is_refused(run: RunDir) -> None:
    run.write_trial(_trial("a", 1))
    run.trial_dir("a", 1).rename(run.trial_dir("a", 2))

    with pytest.raises(RunDirError, match=r"trial\.json:1: belongs to another trial; got 'a'/1"):
        list(run.read_trials())


@given(st.text(max_size=200), st.text(max_size=200))
def test_names_from_logs_stay_in_their_folder_and_apart(one: str, other: str) -> None:
    name = folder_name(one)

    assert "/" not in name
    assert "\0" not in name
    assert name not in {"", ".", ".."}
    assert len(name.encode()) <= 255
    assert (folder_name(one) == folder_name(other)) == (one == other)


def test_a_plain_task_id_is_its_own_folder() -> None:
    assert folder_name("late-parcel_1.2") == "late-parcel_1.2"
    assert folder_name("../../etc") == "..%2F..%2Fetc"
    assert folder_name("\ud800") == "%ED%A0%80"


@given(st.lists(st.text(max_size=50), max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_verdicts_survive_a_round_trip(run: RunDir, reasons: list[str]) -> None:
    verdicts = [_verdict(reason) for reason in reasons]
    run.write_records("verdicts", verdicts)

    assert list(run.read_verdicts()) == verdicts


def test_only_one_process_holds_a_run(run: RunDir) -> None:
    with (
        run.lock(),
        pytest.raises(RunDirError, match=rf"in use; got a lock of process {os.getpid()}"),
        RunDir(run.path).lock(),
    ):
        pass
    with RunDir(run.path).lock():
        pass


def test_the_lock_of_a_killed_process_is_taken_over(run: RunDir) -> None:
    code = (
        "import sys, time; from pathlib import Path; from trajaudit.record.rundir import RunDir\n"
        "with RunDir(Path(sys.argv[1])).lock(): print('held', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(run.path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(RunDirError, match=f"process {holder.pid}"), run.lock():
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()

    with run.lock():
        assert (run.path / "lock").read_text() == f"{os.getpid()}\n"


def test_verdicts_are_whole_after_a_kill_at_any_moment(run: RunDir) -> None:
    code = (
        "import sys; from pathlib import Path; from trajaudit.record.rundir import RunDir\n"
        "from trajaudit.datamodel.verdict import Verdict\n"
        "run = RunDir(Path(sys.argv[1])); print('go', flush=True); n = 0\n"
        "while True:\n"
        "    n += 1\n"
        "    run.write_records('verdicts', (Verdict(task_id='a', trial=1, scorer='x', "
        "mode='strict', passed=True, reason=str(n)) for _ in range(50)))\n"
    )
    command = [sys.executable, "-c", code, str(run.path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.3)
        writer.kill()

    verdicts = list(run.read_verdicts())
    assert len(verdicts) == 50
    assert len({verdict.reason for verdict in verdicts}) == 1
    run.write_records("verdicts", [_verdict("after")])
    assert list(run.read_verdicts()) == [_verdict("after")]


def test_names_of_files_are_brought_to_the_disk_after_they_were_given(
    run: RunDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(fd: int) -> None:
        acts.append("folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file")
        fsync(fd)

    def replaced(path: Path, target: Path) -> Path:
        acts.append("name")
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", synced)
        patch.setattr(Path, "replace", replaced)
        run.write_lines("verdicts", [b"{}\n"], named=False)
        assert (acts[0], "folder" in acts) == ("file", False)
        run.write_lines("outcomes", [b"{}\n"])
        assert acts[-2:] == ["name", "folder"]
        # The same once more: others may have been written before it.
        run.write_lines("outcomes", [b"{}\n"])
        assert acts[-1] == "folder"


def test_a_full_disk_is_a_storage_error_and_the_file_is_as_before(
    run: RunDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.write_records("verdicts", [_verdict("before")])

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StorageError, match="cannot be written; no space left on device"):
            run.write_records("verdicts", [_verdict("after")])

    assert list(run.read_verdicts()) == [_verdict("before")]
    assert not list(run.path.glob(".*.part"))
