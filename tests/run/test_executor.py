"""Several trials at once: each exactly once, and a run that cannot go on says so."""

import pytest

from tests.conftest import RunText
from trajaudit.audit.options import RunOptions, Show
from trajaudit.audit.run import resume_run
from trajaudit.errors import InfraError
from trajaudit.run.executor import GIVE_UP_AFTER

BROKEN_MODEL = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: hello}]}}
user: {kind: model, persona: nobody, model: openai/nobody}
base_url: http://127.0.0.1:9/v1
trials: 8
tasks: [{id: a, prompt: Hello?, target: hello}]
"""
ANSWERS = """
trajaudit: 1
agent: {kind: scripted, tasks: {"*": [{reply: hello}]}}
trials: 7
tasks:
  - {id: a, prompt: Hello?, target: hello}
  - {id: b, prompt: Hello?, target: bye}
"""


def test_every_trial_is_run_once(run_text: RunText) -> None:
    run = run_text(ANSWERS, concurrency=4).run

    trials = [(record.task_id, record.trial, record.attempt) for record in run.read_trials()]

    assert trials == [(task, trial, 1) for task in ("a", "b") for trial in range(1, 8)]


def test_a_whole_run_has_nothing_to_resume(run_text: RunText) -> None:
    run = run_text(ANSWERS).run
    before = {path: path.read_bytes() for path in run.path.rglob("*.jsonl")}

    resume_run(str(run.path), RunOptions(), Show())

    assert {path: path.read_bytes() for path in run.path.rglob("*.jsonl")} == before


def test_a_trial_that_was_cut_off_is_done_again_and_the_rest_is_kept(run_text: RunText) -> None:
    run = run_text(ANSWERS).run
    folder = run.trial_dir("a", 3)
    (folder / "trial.json").unlink()
    journal = folder / "events.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])

    resumed = resume_run(str(run.path), RunOptions(), Show()).run

    attempts = {(one.task_id, one.trial): one.attempt for one in resumed.read_trials()}
    assert len(attempts) == 14
    assert attempts["a", 3] == 2
    assert sum(attempts.values()) == 15


def test_the_run_stops_when_nothing_but_infrastructure_fails(
    run_text: RunText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    with pytest.raises(InfraError, match=f"{GIVE_UP_AFTER} trials in a row"):
        run_text(BROKEN_MODEL, concurrency=1)
