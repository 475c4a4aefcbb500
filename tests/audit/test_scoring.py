"""What was said of trials is kept whole until all were scored, whichever process scored them."""

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from trajaudit.audit.scoring import KeptScores, ScoredTrial, Scoring, Seen, read_findings
from trajaudit.audit.worker import Ask
from trajaudit.audit.workers import spread
from trajaudit.datamodel.finding import FailureKind, Finding
from trajaudit.datamodel.run import Outcome
from trajaudit.datamodel.verdict import Fault
from trajaudit.errors import StorageError
from trajaudit.record.stored import dumped
from trajaudit.score.agreement import TrialReading


def _finding(task_id: str, trial: int, kind: FailureKind, *, decided: bool = True) -> Finding:
    return Finding(
        task_id=task_id,
        trial=trial,
        kind=kind,
        fault=Fault.AGENT,
        reason="line\r\nbreaks \u2028 stay",
        decided=decided,
    )


def _scored(task_id: str, trial: int, findings: int) -> ScoredTrial:
    reading = TrialReading(trial=trial, passed=False)
    found = [
        _finding(task_id, trial, FailureKind.WRONG_ANSWER, decided=number == 0)
        for number in range(findings)
    ]
    return ScoredTrial(
        seen=Seen(task_id, trial, "", final=False, reading=reading),
        verdicts=b"".join(f"verdict {n} of {task_id}/{trial}\n".encode() for n in range(3)),
        outcome=dumped(Outcome(task_id=task_id, trial=trial, final=False)),
        findings=tuple(map(dumped, found)),
    )


def _take(scoring: Scoring, *trials: ScoredTrial) -> None:
    for one in scoring.keep(trials):
        scoring.take(one)


def test_all_of_it_comes_back_in_the_order_of_the_run(tmp_path: Path) -> None:
    taken = [_scored("b", 1, 2), _scored("a", 2, 0), _scored("a", 1, 1)]
    with Scoring(tmp_path) as kept:
        _take(kept, *taken[:2])
        _take(kept, taken[2])
        kept.sort(["a", "b"])

        verdicts, outcomes = list(kept.verdict_lines()), list(kept.outcome_lines())
        found = list(kept.finding_lines({}))
        assert list(kept.verdict_lines()) == verdicts

    ordered = [taken[2], taken[1], taken[0]]
    assert verdicts == [one.verdicts for one in ordered]
    assert outcomes == [one.outcome + b"\n" for one in ordered]
    assert found == [
        (one.seen, one.outcome + b"\n", b"".join(line + b"\n" for line in one.findings))
        for one in ordered
    ]


def test_a_finding_of_the_whole_task_that_decides_takes_the_place_of_the_others(
    tmp_path: Path,
) -> None:
    broken = _finding("a", 1, FailureKind.TASK_BROKEN)
    with Scoring(tmp_path) as kept:
        _take(kept, _scored("a", 1, 2), _scored("a", 2, 2))

        first, second = (
            read_findings(lines) for _, _, lines in kept.finding_lines({("a", 1): broken})
        )

    assert [(one.kind.value, one.decided) for one in first] == [
        ("task_broken", True),
        ("wrong_answer", False),
        ("wrong_answer", False),
    ]
    assert [one.decided for one in second] == [True, False]
    assert all(one.reason == broken.reason for one in [*first, *second])


def test_processes_that_write_at_once_do_not_disturb_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def slowly(fd: int, content: bytes) -> int:
        """Write a part, as a disk that is nearly full does, and let others write."""
        written = write(fd, content[: 40 + len(content) // 3])
        time.sleep(0.0002)
        return written

    def work(unit: int, _: Ask) -> Iterator[KeptScores]:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", slowly)
            kept = [
                one
                for trial in range(20)
                for one in scoring.keep([_scored(f"task-{unit}", trial, trial % 4)] * 2)
            ]
        yield from kept

    with Scoring(tmp_path) as scoring:
        for one in spread(range(12), work, processes=4):
            scoring.take(one)

        assert len(scoring.seen) == 12 * 20 * 2
        for seen, verdicts in zip(scoring.seen, scoring.verdict_lines(), strict=True):
            assert verdicts == _scored(seen.task_id, seen.trial, 0).verdicts
        for seen, outcome, findings in scoring.finding_lines({}):
            assert Outcome.model_validate_json(outcome).trial == seen.trial
            assert len(read_findings(findings)) == seen.trial % 4


def test_a_full_disk_is_a_storage_error_that_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Scoring(tmp_path) as scoring, monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(StorageError, match=rf"^{tmp_path}: .*no space left on device"):
            scoring.keep([_scored("a", 1, 1)])


def test_a_folder_that_is_not_there_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"none: .*no such file or directory"):
        Scoring(tmp_path / "none")


def test_the_file_is_never_seen_and_what_was_cut_off_it_is_noticed(tmp_path: Path) -> None:
    with Scoring(tmp_path) as scoring:
        _take(scoring, _scored("a", 1, 1))
        assert not list(tmp_path.iterdir())
        scoring._file.truncate(30)
        with pytest.raises(StorageError, match="end at byte 30; expected 51 and more"):
            list(scoring.verdict_lines())
