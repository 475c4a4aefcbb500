"""OpenHands: events, SDK conversations, outputs of its benchmarks."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.record.importers.coder_logs import (
    COMMANDS,
    PATCH,
    PROMPT,
    commands,
    openhands_v0,
    read_all,
    seen,
    written,
)
from tests.record.importers.coder_sessions import openhands_sdk
from trajaudit.datamodel.event import MessageEvent
from trajaudit.record.importers import openhands
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.openhands_log import error_end
from trajaudit.record.importers.sources import open_source


def _read(path: Path, losses: Losses | None = None) -> ForeignTrial:
    (trial,) = read_all(openhands.IMPORTER, path, losses)
    return trial


def _record(**more: Any) -> dict[str, Any]:
    return {
        "instance_id": "a__b-7",
        "instruction": PROMPT,
        "instance": {"repo": "a/b", "base_commit": "c0ffee"},
        "metadata": {"llm_config": {"model": "vendor/model"}},
        "history": openhands_v0(),
        "test_result": {"git_patch": PATCH},
        **more,
    }


def test_a_folder_of_numbered_events_is_read_in_the_order_of_numbers(tmp_path: Path) -> None:
    for number, event in enumerate(openhands_v0()):
        written(tmp_path / "events", f"{number + 5}.json", event)

    trial = _read(tmp_path / "events")

    assert commands(trial)[:3] == list(COMMANDS)
    assert seen(trial).final_reply == "It is repaired."


def test_an_instance_of_a_benchmark_submits_its_patch(tmp_path: Path) -> None:
    path = written(tmp_path, "output.jsonl", [_record(), _record(instance_id="a__b-8")])

    first, second = read_all(openhands.IMPORTER, path)

    assert (first.task.id, second.task.id) == ("a__b-7", "a__b-8")
    assert seen(first).final_reply == PATCH
    assert first.task.metadata == {
        "instance_id": "a__b-7",
        "repo": "a/b",
        "base_commit": "c0ffee",
    }
    assert first.origin.raw is None


@pytest.mark.parametrize(
    ("report", "raw"),
    [
        ({"resolved": True}, True),
        ({"resolved": False}, False),
        ({"resolved": False, "error_eval": True}, None),
        ({"resolved": False, "test_timeout": True}, None),
        ({}, None),
    ],
)
def test_a_report_is_the_verdict_unless_the_evaluation_failed(
    report: dict[str, Any], raw: bool | None, tmp_path: Path
) -> None:
    result = {"git_patch": PATCH, "report": report}
    path = written(tmp_path, "output.jsonl", [_record(test_result=result)])

    assert _read(path).origin.raw is raw


def test_pairs_of_action_and_observation_are_read_as_well(tmp_path: Path) -> None:
    events = openhands_v0()
    pairs = [[events[0], {}], *(events[n : n + 2] for n in (1, 3, 5)), [events[7]]]

    path = written(tmp_path, "output.jsonl", [_record(history=pairs)])

    assert commands(_read(path))[:3] == list(COMMANDS)


def test_actions_of_one_reply_are_one_step(tmp_path: Path) -> None:
    events = openhands_v0()
    reply = events[1]["tool_call_metadata"]["model_response"]
    more = events[3]["tool_call_metadata"]["model_response"]["choices"][0]["message"]
    reply["choices"][0]["message"]["tool_calls"] += more["tool_calls"]
    for event in (events[3], events[4]):
        event["tool_call_metadata"]["model_response"] = reply

    trajectory = seen(_read(written(tmp_path, "events.json", events)))

    assert [len(step.tool_calls) for step in trajectory.steps] == [2, 1, 0]
    assert [len(step.observations) for step in trajectory.steps] == [2, 1, 0]


def test_a_command_without_metadata_counts_as_a_call_of_the_shell(tmp_path: Path) -> None:
    events = openhands_v0()
    for event in events:
        event.pop("tool_call_metadata", None)

    trial = _read(written(tmp_path, "events.json", events))

    assert commands(trial) == list(COMMANDS)
    assert seen(trial).steps[0].tool_calls[0].tool == "bash"


def test_a_command_fails_by_its_exit_code(tmp_path: Path) -> None:
    for name, log in (("a.json", openhands_v0()), ("b.jsonl", openhands_sdk())):
        trajectory = seen(_read(written(tmp_path, name, log)))

        failed = [seen.is_error for step in trajectory.steps for seen in step.observations]
        assert failed == [False, True, True]


def test_condensation_marks_that_the_history_was_rewritten(tmp_path: Path) -> None:
    events = openhands_v0()
    summary = {
        "id": 20,
        "timestamp": "2025-01-01T00:00:05",
        "source": "agent",
        "action": "condensation",
        "args": {"summary": "So far so good.", "forgotten_event_ids": [1]},
    }
    events.insert(3, summary)

    trial = _read(written(tmp_path, "events.json", events))

    (told,) = [one for one in trial.events if isinstance(one, MessageEvent) and one.rewrites]
    assert told.content == "So far so good."


def test_the_error_of_an_instance_tells_how_it_ended(tmp_path: Path) -> None:
    error = "RuntimeError: Agent reached maximum iteration. Current iteration: 30"
    path = written(tmp_path, "output.jsonl", [_record(error=error)])

    assert seen(_read(path)).end_reason == "step_limit"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("AgentStuckInLoopError: Agent got stuck in a loop", "agent_error"),
        ("ContextWindowExceededError: too many tokens", "context_overflow"),
        ("Task budget exceeded", "token_limit"),
        ("docker.errors.APIError: no space left", "infra_error"),
    ],
)
def test_an_error_is_the_machinerys_unless_its_wording_says_otherwise(
    error: str, reason: str
) -> None:
    assert error_end(error) == reason


def test_a_conversation_of_the_sdk_is_a_folder(tmp_path: Path) -> None:
    events = openhands_sdk()
    for number, event in enumerate(events):
        written(tmp_path / "c1" / "events", f"event-{number:05}-{event['id']}.json", event)
    usage = {"prompt_tokens": 30, "completion_tokens": 15}
    metrics = {"accumulated_cost": 0.5, "accumulated_token_usage": usage}
    state = {
        "id": "c1",
        "agent": {"llm": {"model": "vendor/model"}},
        "leaf_event_id": events[-1]["id"],
        "stats": {"usage_to_metrics": {"default": metrics}},
    }
    written(tmp_path / "c1", "base_state.json", state)

    trial = _read(tmp_path / "c1")

    assert trial.task.id == "c1"
    assert trial.origin.model_id == "vendor/model"
    assert commands(trial)[:3] == list(COMMANDS)
    assert seen(trial).final_reply == "It is repaired."
    assert trial.totals is not None
    assert (trial.totals.prompt_tokens, trial.totals.cost_usd) == (30, 0.5)


def test_events_beside_the_branch_are_counted_and_left_out(tmp_path: Path) -> None:
    losses = Losses()
    events = openhands_sdk()
    aside = {**events[2], "id": "aside", "tool_call_id": "tx", "parent_id": "e1"}
    events.insert(3, aside)

    trial = _read(written(tmp_path, "events.jsonl", events), losses)

    assert len(commands(trial)) == len(COMMANDS)
    assert ("dropped", "events beside the branch") in {
        (one.kind, one.field) for one in losses.report()
    }


def test_an_error_of_the_agents_call_is_a_failed_reply(tmp_path: Path) -> None:
    events = openhands_sdk()
    events[3] = {
        **{key: events[3][key] for key in ("id", "parent_id", "timestamp", "tool_call_id")},
        "kind": "AgentErrorEvent",
        "source": "agent",
        "error": "no such tool",
        "tool_name": "terminal",
    }

    trajectory = seen(_read(written(tmp_path, "events.jsonl", events)))

    (reply,) = trajectory.steps[0].observations
    assert (reply.content, reply.is_error) == ("no such tool", True)


def test_a_conversation_that_stops_in_the_middle_was_cut_off(tmp_path: Path) -> None:
    for name, log in (("a.json", openhands_v0()[:-1]), ("b.jsonl", openhands_sdk()[:-1])):
        assert seen(_read(written(tmp_path, name, log))).end_reason == "infra_error"


def test_a_broken_event_file_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    losses = Losses()
    for number, event in enumerate(openhands_v0()):
        written(tmp_path / "events", f"{number}.json", event)
    (tmp_path / "events" / "3.json").write_text("{")
    (tmp_path / "events" / "90.json").symlink_to("/etc/passwd")

    trial = _read(tmp_path / "events", losses)

    assert len(commands(trial)) == 2
    assert "event file" in {one.field for one in losses.report() if one.kind == "malformed"}
    assert json.dumps([one.example for one in losses.report()]).count("passwd") == 0


def test_numbered_files_of_another_format_are_no_events(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.json").write_text('{"question": "?", "history": []}')

    assert not openhands.sniff(open_source(tmp_path, tmp_path))
