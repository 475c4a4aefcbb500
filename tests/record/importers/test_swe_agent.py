"""SWE-agent trajectories."""

from pathlib import Path
from typing import Any

import pytest

from tests.record.importers.coder_logs import (
    PATCH,
    PROMPT,
    commands,
    read_all,
    seen,
    swe_agent_functions,
    swe_agent_text,
    written,
)
from trajaudit.record.importers import swe_agent
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses


def _read(folder: Path, log: dict[str, Any], losses: Losses | None = None) -> ForeignTrial:
    path = written(folder, "astropy__astropy-1.traj", log)
    (trial,) = read_all(swe_agent.IMPORTER, path, losses)
    return trial


def test_the_patch_is_what_was_submitted_and_the_task_names_the_repository(tmp_path: Path) -> None:
    trial = _read(tmp_path, swe_agent_text())

    assert seen(trial).submitted
    assert seen(trial).final_reply == PATCH
    assert trial.task.id == "astropy__astropy-1"
    assert trial.task.metadata["repo"] == "astropy/astropy"
    assert trial.duration_s == 2.0
    assert trial.totals is not None
    assert (trial.totals.model_calls, trial.totals.cost_usd) == (4, 0.25)


def test_demonstrations_are_no_part_of_the_trial_and_are_counted(tmp_path: Path) -> None:
    losses = Losses()

    trial = _read(tmp_path, swe_agent_text(), losses)

    texts = [event.content for event in trial.events if hasattr(event, "content")]
    assert "A demonstration" not in texts
    assert trial.task.prompt == PROMPT
    assert ("dropped", "history.is_demo") in {(one.kind, one.field) for one in losses.report()}


def test_function_calls_keep_their_ids_and_their_raw_text(tmp_path: Path) -> None:
    log = swe_agent_functions()
    raw = '{ "command":  "ls" }'
    said = next(one for one in log["history"] if one["role"] == "assistant")
    said["tool_calls"][0]["function"]["arguments"] = raw

    trajectory = seen(_read(tmp_path, log))

    first = trajectory.steps[0].tool_calls[0]
    assert (first.call_id, first.tool, first.arguments_text) == ("call_0", "bash", raw)


def test_a_step_that_is_missing_in_the_history_shifts_no_call(tmp_path: Path) -> None:
    log = swe_agent_functions()
    wrong = {"action": "", "response": "no call", "thought": "", "observation": "format error"}
    log["trajectory"].insert(1, wrong)

    trajectory = seen(_read(tmp_path, log))

    calls = [[call.call_id for call in step.tool_calls] for step in trajectory.steps]
    assert calls[:4] == [["call_0"], [], ["call_1"], ["call_2"]]


def test_an_edit_of_the_text_interface_names_the_open_file(tmp_path: Path) -> None:
    log = swe_agent_text()
    log["trajectory"][1]["action"] = "edit 1:1\n4\nend_of_edit\n"
    log["trajectory"][2]["action"] = "create tests/test_new.py\n"
    log["history"] = log["history"][:3]

    trajectory = seen(_read(tmp_path, log))

    edit, create = trajectory.steps[1].tool_calls[0], trajectory.steps[2].tool_calls[0]
    assert isinstance(edit.arguments, dict)
    assert isinstance(create.arguments, dict)
    assert (edit.tool, edit.arguments["path"]) == ("edit", "/repo/sum.py")
    assert (create.tool, create.arguments["path"]) == ("create", "tests/test_new.py")


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("submitted", "replied"),
        ("submitted (exit_cost)", "token_limit"),
        ("exit_context", "context_overflow"),
        ("exit_format", "agent_error"),
        ("exit_total_execution_time", "time_limit"),
        ("exit_environment_error", "infra_error"),
        ("exit_something_new", "infra_error"),
        (None, "replied"),
    ],
)
def test_the_exit_status_tells_how_it_ended(
    status: str | None, reason: str, tmp_path: Path
) -> None:
    log = swe_agent_text()
    log["info"]["exit_status"] = status

    assert seen(_read(tmp_path, log)).end_reason == reason


def test_a_log_without_exit_status_that_submits_nothing_was_cut_off(tmp_path: Path) -> None:
    log = swe_agent_text()
    del log["info"]
    log["trajectory"].pop()

    trajectory = seen(_read(tmp_path, log))

    assert trajectory.end_reason == "infra_error"
    assert not trajectory.submitted


def test_a_log_of_messages_alone_is_read(tmp_path: Path) -> None:
    losses = Losses()
    log = {"history": swe_agent_functions()["history"]}

    trial = _read(tmp_path, log, losses)

    assert commands(trial)[0].startswith("git log")
    assert ("guessed", "trajectory") in {(one.kind, one.field) for one in losses.report()}


def test_a_log_without_a_step_is_malformed_and_no_trial(tmp_path: Path) -> None:
    losses = Losses()
    path = written(tmp_path, "a.traj", {"trajectory": [], "history": [], "info": {}})

    assert read_all(swe_agent.IMPORTER, path, losses) == []
    assert [(one.kind, one.field) for one in losses.report()] == [("malformed", "trajectory")]


def test_what_the_format_does_not_have_is_counted_as_dropped(tmp_path: Path) -> None:
    losses = Losses()
    log = swe_agent_text()
    log["attempts"] = [{"trajectory": []}]
    log["info"]["review"] = {"rank": 1}

    _read(tmp_path, log, losses)

    fields = {one.field for one in losses.report() if one.kind == "dropped"}
    assert {"attempts", "info.review"} <= fields
