"""Scoring again changes nothing where nothing changed, and refuses what was tampered with."""

import pytest

from tests.conftest import RunText
from trajaudit.audit.score import require_intact, score_run
from trajaudit.datamodel.scenario import LangGraphAgent
from trajaudit.errors import InfraError, RunDirError
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped, write_atomic

TWO = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: It is Rome.}]}}
tasks: [{id: a, prompt: Capital of Italy?, target: Rome}]
"""
UNREACHABLE = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: hello}]}}
user: {kind: model, persona: nobody, model: openai/nobody}
base_url: http://127.0.0.1:9/v1
tasks: [{id: a, prompt: Hello?, target: hello}]
"""


def test_scoring_again_flips_nothing_and_keeps_no_copy(run_text: RunText) -> None:
    run = run_text(TWO).run

    assert score_run(run) == []
    assert run.history("verdicts") == []


def test_a_journal_that_was_edited_is_not_scored(run_text: RunText) -> None:
    run = run_text(TWO).run
    require_intact(run)
    journal = run.journal_path("a", 1)
    journal.write_bytes(journal.read_bytes().replace(b"Rome.", b"Roma."))

    with pytest.raises(RunDirError, match=r"events\.jsonl:\d+: "):
        require_intact(run)


def test_a_run_of_which_infrastructure_failed_every_trial_is_not_called_done(
    run_text: RunText,
) -> None:
    with pytest.raises(InfraError, match="infrastructure failed every trial"):
        run_text(UNREACHABLE)


WRONG_GOLDEN = """
trajaudit: 1
trials: 4
agent: {kind: scripted, tasks: {"*": [{reply: Rome}]}}
tasks: [{id: a, prompt: Capital of Italy?, target: Paris, golden: [{reply: Rome}]}]
"""


def test_a_golden_trajectory_that_fails_is_the_references_fault(run_text: RunText) -> None:
    run = run_text(WRONG_GOLDEN.replace("kind: scripted", "kind: scripted, name: golden")).run

    deciding = [one for one in run.read_findings() if one.decided]

    assert {(one.kind.value, one.fault.value) for one in deciding} == {("task_broken", "reference")}
    assert len(deciding) == 4


def test_trials_of_one_script_repeat_each_other_and_make_nothing_suspect(run_text: RunText) -> None:
    run = run_text(WRONG_GOLDEN).run

    assert {one.kind.value for one in run.read_findings()} == {"wrong_answer"}


def test_trials_that_were_made_apart_and_agree_make_the_reference_suspect(
    run_text: RunText,
) -> None:
    run = run_text(WRONG_GOLDEN).run
    apart = run.config.model_copy(
        update={"scenario": run.config.scenario.model_copy(update={"agent": LangGraphAgent()})}
    )
    write_atomic(run.path / "run.json", [dumped(apart)])

    score_run(RunDir(run.path))

    found = [one for one in run.read_findings() if one.kind == "reference_suspect"]
    assert [one.trial for one in found] == [1, 2, 3, 4]
    assert not any(one.decided for one in found)
    assert [one.quote for one in found[0].evidence] == [f"a/{n}: Rome" for n in (1, 2, 3, 4)]
