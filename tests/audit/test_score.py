"""Scoring again changes nothing where nothing changed, and refuses what was tampered with."""

import pytest

from tests.conftest import RunText
from trajaudit.audit.score import require_intact, score_run
from trajaudit.errors import InfraError, RunDirError

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
