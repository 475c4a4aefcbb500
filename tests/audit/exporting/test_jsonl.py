"""Everything of a run as JSON lines: nothing said about a trial is missing, nothing is mixed up."""

import json
from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.audit.export import export_run
from trajaudit.errors import UnknownPluginError, UsageError

TWO = """
trajaudit: 1
agent: {kind: scripted, tasks: {a: [{reply: It is Rome.}], b: [{reply: "Oslo"}]}}
trials: 2
tasks:
  - {id: a, prompt: Capital of Italy?, target: Rome}
  - {id: b, prompt: Capital of Spain?, target: Madrid}
"""


def test_a_line_a_trial_holds_all_that_was_said_about_it(run_text: RunText) -> None:
    run = run_text(TWO).run

    path, trials = export_run(run, "jsonl")
    first, *lines = [json.loads(line) for line in path.read_bytes().splitlines()]

    assert trials == 4
    assert first["run"]["run_id"] == run.run_id
    assert [(line["task_id"], line["trial"]) for line in lines] == [
        (task, trial) for task in ("a", "b") for trial in (1, 2)
    ]
    for line in lines:
        key = (line["task_id"], line["trial"])
        kept = [one for one in run.read_verdicts() if (one.task_id, one.trial) == key]
        assert line["verdicts"] == [one.model_dump(mode="json") for one in kept]
        assert line["trajectory"]["task_id"] == key[0]
        assert line["task"]["id"] == key[0]
    assert sum(len(line["findings"]) for line in lines) == len(list(run.read_findings()))


def test_a_run_that_changed_since_it_was_scored_is_not_exported(
    run_text: RunText, tmp_path: Path
) -> None:
    run = run_text(TWO).run
    outcomes = run.path / "outcomes.jsonl"
    outcomes.write_bytes(b"".join(outcomes.read_bytes().splitlines(keepends=True)[1:]))

    with pytest.raises(UsageError, match="has changed since it was scored"):
        export_run(run, "jsonl", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_an_unscored_run_and_an_unknown_format_are_refused(run_text: RunText) -> None:
    run = run_text(TWO).run

    with pytest.raises(UnknownPluginError, match=r"known: .*jsonl"):
        export_run(run, "xlsx")
    (run.path / "outcomes.jsonl").unlink()
    with pytest.raises(UsageError, match="trajaudit score"):
        export_run(run, "jsonl")


def test_an_export_never_replaces_a_file_of_the_run(run_text: RunText) -> None:
    run = run_text(TWO).run

    with pytest.raises(UsageError, match="lies in the run itself"):
        export_run(run, "jsonl", run.path / "verdicts.jsonl")
