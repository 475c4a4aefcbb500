"""Event streams of `codex exec --json`."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers.coder_logs import read_all, seen
from tests.record.importers.fuzzing import assert_survives, fuzzed, mutated
from trajaudit.datamodel.event import Note
from trajaudit.record.importers import IMPORTERS, codex_exec
from trajaudit.record.importers.base import ForeignTrial
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.sources import open_source, recognise


def _item(kind: str, number: int, state: str = "completed", **more: Any) -> dict[str, Any]:
    return {"type": f"item.{state}", "item": {"id": f"item_{number}", "type": kind, **more}}


STREAM: list[dict[str, Any]] = [
    {"type": "thread.started", "thread_id": "th-1"},
    {"type": "turn.started"},
    _item("todo_list", 9, "started", items=[{"text": "look", "completed": False}]),
    _item("reasoning", 0, text="I should look."),
    _item("command_execution", 1, "started", command="ls", aggregated_output="", exit_code=None),
    _item("command_execution", 1, command="ls", aggregated_output="a.py\n", exit_code=0),
    _item("command_execution", 2, command="cat b", aggregated_output="no such file", exit_code=1),
    _item(
        "mcp_tool_call",
        3,
        server="docs",
        tool="find",
        arguments={"q": "x"},
        result={"content": [{"type": "text", "text": "found"}]},
        status="completed",
    ),
    _item("file_change", 4, changes=[{"path": "a.py", "kind": "update"}], status="completed"),
    _item("agent_message", 5, text="It is done."),
    _item("todo_list", 9, items=[{"text": "look", "completed": True}]),
    {
        "type": "turn.completed",
        "usage": {"input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 9},
    },
]


def _written(folder: Path, stream: list[dict[str, Any]]) -> Path:
    path = folder / "run.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in stream))
    return path


def _read(folder: Path, stream: list[dict[str, Any]], losses: Losses | None = None) -> ForeignTrial:
    (trial,) = read_all(codex_exec.IMPORTER, _written(folder, stream), losses)
    return trial


def test_the_stream_is_recognised_and_the_session_file_is_not(tmp_path: Path) -> None:
    path = _written(tmp_path, STREAM)

    assert recognise(open_source(path, tmp_path), IMPORTERS) is codex_exec.IMPORTER
    path.write_text('{"type": "session_meta", "payload": {"id": "s"}}\n')
    assert recognise(open_source(path, tmp_path), IMPORTERS) is not codex_exec.IMPORTER


def test_items_are_steps_with_their_calls_and_replies(tmp_path: Path) -> None:
    trajectory = seen(_read(tmp_path, STREAM))

    assert trajectory.steps[0].message.reasoning == "I should look."
    calls = [(c.tool, c.arguments) for step in trajectory.steps for c in step.tool_calls]
    assert calls == [
        ("bash", {"command": "ls"}),
        ("bash", {"command": "cat b"}),
        ("docs.find", {"q": "x"}),
        ("apply_patch", {"changes": [{"path": "a.py", "kind": "update"}]}),
    ]
    replies = [(o.content, o.is_error) for step in trajectory.steps for o in step.observations]
    assert replies == [("a.py\n", False), ("no such file", True), ("found", False), ("", False)]


def test_the_last_message_is_the_reply_though_the_list_of_plans_ends_behind_it(
    tmp_path: Path,
) -> None:
    trial = _read(tmp_path, STREAM)

    assert (seen(trial).final_reply, seen(trial).end_reason) == ("It is done.", "replied")
    assert len([event for event in trial.events if isinstance(event, Note)]) == 1
    assert trial.totals is not None
    assert (trial.totals.prompt_tokens, trial.totals.completion_tokens) == (100, 9)
    assert (trial.task.id, trial.origin.raw) == ("th-1", None)


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ([{"type": "turn.failed", "error": {"message": "stream closed"}}], "infra_error"),
        (
            [{"type": "turn.failed", "error": {"message": "exceeds the context window"}}],
            "context_overflow",
        ),
        ([{"type": "error", "message": "unauthorized"}], "infra_error"),
        ([], "infra_error"),
    ],
)
def test_a_turn_that_failed_or_stopped_is_no_reply(
    tmp_path: Path, last: list[dict[str, Any]], reason: str
) -> None:
    assert seen(_read(tmp_path, [*STREAM[:-3], *last])).end_reason == reason


def test_a_command_that_never_ended_is_asked_for_and_not_answered(tmp_path: Path) -> None:
    trajectory = seen(_read(tmp_path, STREAM[:5]))

    (call,) = trajectory.steps[-1].tool_calls
    assert (call.arguments, trajectory.steps[-1].observations) == ({"command": "ls"}, ())


def test_what_the_stream_does_not_hold_is_said(tmp_path: Path) -> None:
    losses = Losses()
    _read(tmp_path, [*STREAM, {"type": "future.event"}], losses)

    told = {(one.kind, one.field) for one in losses.report()}
    assert {("truncated", "prompt"), ("dropped", "event.future.event")} <= told


@fuzzed
@given(st.data())
def test_broken_streams_survive(data: st.DataObject) -> None:
    broken = data.draw(mutated(STREAM))
    events = broken if isinstance(broken, list) else [broken]
    text = "".join(json.dumps(event, default=str) + "\n" for event in events)

    assert_survives(codex_exec.IMPORTER, {"run.jsonl": text.encode()})
