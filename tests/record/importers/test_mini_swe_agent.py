"""mini-swe-agent trajectories."""

from pathlib import Path
from typing import Any

import pytest

from tests.record.importers.coder_logs import (
    COMMANDS,
    PATCH,
    commands,
    mini_v0,
    mini_v2,
    read_all,
    seen,
    written,
)
from trajaudit.datamodel.event import ModelCall, Usage
from trajaudit.record.importers import mini_swe_agent
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses


def _read(folder: Path, log: Any, losses: Losses | None = None) -> ForeignTrial:
    path = written(folder, "django__django-1.traj.json", log)
    (trial,) = read_all(mini_swe_agent.IMPORTER, path, losses)
    return trial


def test_a_bare_list_ends_with_the_command_that_submits(tmp_path: Path) -> None:
    trajectory = seen(_read(tmp_path, mini_v0()))

    assert trajectory.end_reason == "replied"
    assert trajectory.final_reply == PATCH


def test_a_bare_list_that_submits_nothing_was_cut_off(tmp_path: Path) -> None:
    trajectory = seen(_read(tmp_path, mini_v0()[:-2]))

    assert trajectory.end_reason == "infra_error"
    assert not trajectory.submitted


def test_two_commands_in_one_message_are_none(tmp_path: Path) -> None:
    log = mini_v0()
    log[2]["content"] = "```bash\nls\n```\n```bash\npwd\n```"
    log[3]["content"] = "Give exactly one command."

    trajectory = seen(_read(tmp_path, log))

    assert trajectory.steps[0].tool_calls == ()
    (told,) = trajectory.steps[1].before
    assert (told.content, told.source) == ("Give exactly one command.", "harness")


def test_version_1_finds_the_commands_in_the_text(tmp_path: Path) -> None:
    info = {"exit_status": "Submitted", "submission": PATCH, "model_stats": {"api_calls": 4}}
    log = {"trajectory_format": "mini-swe-agent-1", "messages": mini_v0(), "info": info}

    trial = _read(tmp_path, log)

    assert commands(trial)[:3] == list(COMMANDS)
    assert seen(trial).final_reply == PATCH
    assert trial.totals is not None
    assert trial.totals.model_calls == 4


def test_version_1_1_takes_the_actions_that_were_read_already(tmp_path: Path) -> None:
    log = mini_v2()
    for message in log["messages"]:
        message.pop("tool_calls", None)
        if message["role"] == "tool":
            message["role"] = "user"

    trial = _read(tmp_path, log)

    assert commands(trial) == list(COMMANDS)


def test_usage_and_cost_stand_with_each_call_of_the_model(tmp_path: Path) -> None:
    trial = _read(tmp_path, mini_v2())

    calls = [event for event in trial.events if isinstance(event, ModelCall)]
    assert [(call.cost_usd, call.usage) for call in calls] == [
        (0.5, Usage(prompt_tokens=10, completion_tokens=5))
    ] * 3
    assert trial.totals is None
    assert trial.origin.model_id == "vendor/model"


def test_a_command_fails_by_its_return_code(tmp_path: Path) -> None:
    trajectory = seen(_read(tmp_path, mini_v2()))

    failed = [step.observations[0].is_error for step in trajectory.steps]
    assert failed == [False, True, True]


@pytest.mark.parametrize(
    ("status", "limit", "reason"),
    [
        ("LimitsExceeded", 3, "step_limit"),
        ("LimitsExceeded", 0, "token_limit"),
        ("RepeatedFormatError", 0, "agent_error"),
        ("ContextWindowExceededError", 0, "context_overflow"),
        ("APIConnectionError", 0, "infra_error"),
    ],
)
def test_the_exit_status_tells_how_it_ended(
    status: str, limit: int, reason: str, tmp_path: Path
) -> None:
    log = mini_v2()
    log["info"] |= {"exit_status": status, "submission": ""}
    log["info"]["config"]["agent"]["step_limit"] = limit

    trajectory = seen(_read(tmp_path, log))

    assert trajectory.end_reason == reason
    assert not trajectory.submitted


def test_messages_of_the_responses_api_are_read(tmp_path: Path) -> None:
    log = mini_v2()
    call = {
        "type": "function_call",
        "call_id": "c9",
        "name": "bash",
        "arguments": '{"command":"ls"}',
    }
    said = {"type": "message", "content": [{"type": "output_text", "text": "Look."}]}
    log["messages"][2:] = [
        {"object": "response", "output": [said, call]},
        {"type": "function_call_output", "call_id": "c9", "output": "sum.py"},
    ]

    trajectory = seen(_read(tmp_path, log))

    (step,) = trajectory.steps
    assert step.message.content == "Look."
    assert step.tool_calls[0].arguments == {"command": "ls"}
    assert step.observations[0].content == "sum.py"


def test_a_log_without_a_message_of_the_agent_is_no_trial(tmp_path: Path) -> None:
    losses = Losses()
    path = written(tmp_path, "a.traj.json", mini_v0()[:2])

    assert read_all(mini_swe_agent.IMPORTER, path, losses) == []
    assert {one.kind for one in losses.report()} == {"malformed"}
