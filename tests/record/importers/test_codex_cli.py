"""Codex CLI rollouts."""

from pathlib import Path
from typing import Any

import pytest

from tests.record.importers.coder_logs import PROMPT, read_all, seen, written
from tests.record.importers.coder_sessions import codex
from trajaudit.datamodel.event import MessageEvent, ModelCall, Usage
from trajaudit.record.importers import codex_cli
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses

CALL = {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "t9"}


def _read(folder: Path, log: list[dict[str, Any]], losses: Losses | None = None) -> ForeignTrial:
    (trial,) = read_all(codex_cli.IMPORTER, written(folder, "rollout-1.jsonl", log), losses)
    return trial


def _item(**payload: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-01-01T00:01:00Z",
        "type": "response_item",
        "payload": payload,
    }


def _event(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:01:00Z", "type": "event_msg", "payload": payload}


def test_items_of_one_reply_are_one_step(tmp_path: Path) -> None:
    trial = _read(tmp_path, codex())

    first = seen(trial).steps[0]
    assert len(seen(trial).steps) == 4
    assert (first.message.content, first.message.reasoning) == ("Next.", "Hm.")
    assert first.tool_calls[0].arguments_text.startswith('{"command": ["bash"')
    assert trial.origin.agent == "codex 0.50.0"
    assert trial.origin.model_id == "vendor-model"
    assert trial.task.metadata == {"cwd": "/repo"}


def test_the_environment_is_context_and_no_prompt(tmp_path: Path) -> None:
    first = seen(_read(tmp_path, codex())).steps[0].before

    assert [one.source for one in first] == ["harness", "task"]
    assert first[1].content == PROMPT


def test_a_count_that_comes_twice_counts_once(tmp_path: Path) -> None:
    trial = _read(tmp_path, codex())

    used = [event.usage for event in trial.events if isinstance(event, ModelCall)]
    assert used == [Usage(prompt_tokens=10, completion_tokens=5)] * 3


@pytest.mark.parametrize(
    ("output", "text", "failed"),
    [
        ('{"output":"no","metadata":{"exit_code":1}}', "no", True),
        ("Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno", None, True),
        ("Chunk ID: 1\nProcess exited with code 0\nOutput:\nyes", None, False),
        ({"content": "no", "success": False}, "no", True),
        ([{"type": "input_text", "text": "yes"}], "yes", False),
        ('{"answer": 4}', '{"answer": 4}', False),
    ],
)
def test_a_reply_comes_in_several_forms(
    output: Any, text: str | None, failed: bool, tmp_path: Path
) -> None:
    log = [
        *codex()[:5],
        _item(**CALL),
        _item(type="function_call_output", call_id="t9", output=output),
    ]

    (reply,) = seen(_read(tmp_path, log)).steps[0].observations

    assert reply.content == (output if text is None else text)
    assert reply.is_error is failed


def test_a_patch_is_kept_as_it_was_written(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Delete File: tests/test_sum.py\n*** End Patch"
    log = [
        *codex()[:5],
        _item(type="custom_tool_call", name="apply_patch", input=patch, call_id="p1"),
        _item(type="custom_tool_call_output", call_id="p1", output="Success."),
    ]

    (call,) = seen(_read(tmp_path, log)).steps[0].tool_calls

    assert call.arguments == {"input": patch}
    assert call.executed


def test_a_local_shell_and_a_search_are_calls(tmp_path: Path) -> None:
    losses = Losses()
    shell = {"type": "exec", "command": ["ls", "-a"], "timeout_ms": 9}
    search = {"type": "search", "query": "sums"}
    log = [
        *codex()[:5],
        _item(type="local_shell_call", call_id="l1", status="completed", action=shell),
        _item(type="function_call_output", call_id="l1", output="sum.py"),
        _item(type="web_search_call", id="w1", status="completed", action=search),
        codex()[-1],
    ]

    trajectory = seen(_read(tmp_path, log, losses))

    made = [call for step in trajectory.steps for call in step.tool_calls]
    assert [call.arguments for call in made] == [
        {"command": ["ls", "-a"], "timeout_ms": 9},
        search,
    ]
    assert trajectory.end_reason == "replied"
    assert "truncated" in {one.kind for one in losses.report()}


def test_early_files_hold_bare_items(tmp_path: Path) -> None:
    head = {"id": "s1", "timestamp": "2025-06-01T00:00:00Z", "instructions": None}
    bare = [line["payload"] for line in codex() if line["type"] == "response_item"]

    trial = _read(tmp_path, [head, {"record_type": "state"}, *bare])

    assert trial.task.id == "s1"
    assert trial.task.prompt == PROMPT
    assert len(seen(trial).steps) == 4


def test_a_first_line_longer_than_the_head_is_recognised(tmp_path: Path) -> None:
    log = codex()
    log[0]["payload"]["base_instructions"] = {"text": "x" * 100_000}

    first = seen(_read(tmp_path, log)).steps[0].before[0]

    assert (first.role, len(first.content)) == ("system", 100_000)


def test_a_compaction_marks_that_the_context_was_shortened(tmp_path: Path) -> None:
    log = codex()
    log.insert(11, {"timestamp": "", "type": "compacted", "payload": {"message": "So far."}})

    trial = _read(tmp_path, log)

    (told,) = [one for one in trial.events if isinstance(one, MessageEvent) and one.rewrites]
    assert told.content == "So far."


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        (_event(type="turn_aborted", reason="interrupted"), "infra_error"),
        (
            _event(type="error", message="full", codex_error_info="context_window_exceeded"),
            "context_overflow",
        ),
        (_item(**CALL), "infra_error"),
        (_event(type="task_complete", last_agent_message="It is repaired."), "replied"),
    ],
)
def test_the_last_line_tells_how_it_ended(
    last: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    assert seen(_read(tmp_path, [*codex(), last])).end_reason == reason


def test_thoughts_that_cannot_be_read_and_unknown_lines_are_counted(tmp_path: Path) -> None:
    losses = Losses()
    secret = _item(type="reasoning", summary=[], encrypted_content="gAAA")
    log = [*codex(), secret, _event(type="new_event"), {"type": "new_line", "payload": {}}]

    _read(tmp_path, log, losses)

    fields = {one.field for one in losses.report() if one.kind == "dropped"}
    assert {"reasoning.encrypted_content", "event_msg.new_event", "line.new_line"} == fields
