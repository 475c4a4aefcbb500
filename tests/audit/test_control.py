"""Trials without faults beside those with them: in files of their own, and in no rate."""

import re
import shutil
from pathlib import Path

import orjson
import pytest

from tests.conftest import RunText
from trajaudit.audit.check import check_run
from trajaudit.audit.control import control_of
from trajaudit.audit.options import RunOptions, Show
from trajaudit.audit.run import resume_run
from trajaudit.audit.score import require_intact, score_run
from trajaudit.errors import RunDirError
from trajaudit.record.rundir import RunDir
from trajaudit.record.runs import list_run_dirs

FAULTY = """
trajaudit: 1
control: true
trials: 2
tools:
  - {name: look, effect: read, mock: {static: 315}}
agent:
  kind: scripted
  tasks:
    "*": [{call: {look: {}}}, {reply: "315"}]
    gives-up: [{call: {look: {}}}, {reply: I do not know}]
tasks:
  - {id: contained, prompt: How many?, target: 315, faults: [{tool: look, fail: error}]}
  - {id: gives-up, prompt: How many?, target: 315, faults: [{tool: look, fail: empty}]}
  - {id: plain, prompt: How many?, target: 315}
  - {id: alone, prompt: How many?, target: 315, control: false, faults: [{tool: look, fail: error}]}
"""


def test_only_tasks_with_faults_are_run_again_and_no_rate_counts_them(run_text: RunText) -> None:
    result = run_text(FAULTY)

    control = control_of(result.run)
    assert control is not None
    assert control.config.task_ids == ("contained", "gives-up")
    assert control.missing() == []
    assert {one.final for one in control.read_outcomes() if one.task_id == "contained"} == {True}
    assert not any(one.faults for one in control.config.scenario.tasks)
    assert [row.task_id for row in result.summary.task_rows] == list(result.run.config.task_ids)
    assert result.summary.columns[-1].due == 8
    assert len(list_run_dirs(result.run.path.parent)) == 1


def test_the_same_trial_has_the_same_seed_with_and_without_faults(run_text: RunText) -> None:
    run = run_text(FAULTY).run
    control = control_of(run)
    assert control is not None

    starts = [
        orjson.loads(part.journal_path("contained", 2).read_bytes().splitlines()[0])
        for part in (run, control)
    ]

    assert starts[0]["seed"] == starts[1]["seed"]


def test_the_report_tells_how_trials_fared_beside_their_control(run_text: RunText) -> None:
    found = run_text(FAULTY).summary.recovery

    assert found is not None
    rows = {row.state: row for row in found.rows}
    assert found.has_control
    assert [str(one) for one in rows["contained"].trials] == [
        "contained/1",
        "contained/2",
        "alone/1",
        "alone/2",
    ]
    assert rows["contained"].comparisons["passed_both"] == 2
    assert rows["contained"].comparisons["not_compared"] == 2
    assert rows["unrecovered"].comparisons["failed_both"] == 2


def test_resuming_does_what_is_missing_of_the_control_and_scoring_again_flips_nothing(
    run_text: RunText, tmp_path: Path
) -> None:
    run = run_text(FAULTY).run
    control = control_of(run)
    assert control is not None
    shutil.rmtree(control.trial_dir("contained", 2))
    assert control.missing() == [("contained", 2)]

    resume_run(str(run.path), RunOptions(runs_dir=tmp_path / "runs"), Show())

    again = RunDir(run.path)
    assert RunDir(control.path).missing() == []
    assert score_run(again) == []


def test_a_control_that_was_never_begun_is_begun_by_resuming(
    run_text: RunText, tmp_path: Path
) -> None:
    run = run_text(FAULTY).run
    control = control_of(run)
    assert control is not None
    shutil.rmtree(control.path)
    assert control_of(run) is None

    resume_run(str(run.path), RunOptions(runs_dir=tmp_path / "runs"), Show())

    assert control_of(run) is not None


def test_an_edited_journal_of_a_control_is_noticed(run_text: RunText) -> None:
    run = run_text(FAULTY).run
    control = control_of(run)
    assert control is not None
    journal = control.journal_path("contained", 1)
    journal.write_bytes(journal.read_bytes().replace(b'"315"', b'"316"'))

    assert any(str(journal) in fault for fault in check_run(run).faults)
    with pytest.raises(RunDirError, match=re.escape(str(journal))):
        require_intact(run)


def test_an_option_asks_for_the_control_and_refuses_it(run_text: RunText) -> None:
    assert run_text(FAULTY, control=False).run.config.control is None
    off = FAULTY.replace("control: true", "control: false")

    assert run_text(off).run.config.control is None
    assert run_text(off, control=True).run.config.control is not None


def test_nothing_is_run_again_where_no_task_declares_faults(run_text: RunText) -> None:
    text = "trajaudit: 1\ncontrol: true\nagent: {kind: scripted}\ntasks: [{id: a, prompt: x}]\n"

    assert run_text(text).run.config.control is None
