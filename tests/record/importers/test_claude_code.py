"""Claude Code sessions."""

from pathlib import Path
from typing import Any

import pytest

from tests.record.importers.coder_logs import COMMANDS, commands, read_all, seen, written
from tests.record.importers.coder_sessions import claude_code as session
from trajaudit.datamodel.event import MessageEvent
from trajaudit.record.importers import claude_code
from trajaudit.record.importers.base import ForeignTrial, PartOfAnotherError
from trajaudit.record.importers.losses import Losses


def _read(path: Path, losses: Losses | None = None) -> ForeignTrial:
    (trial,) = read_all(claude_code.IMPORTER, path, losses)
    return trial


def _after(records: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A record that follows the last one."""
    last = records[-1]
    return {
        **last,
        "uuid": f"{last['uuid']}x",
        "parentUuid": last["uuid"],
        **more,
    }


def _user(records: list[dict[str, Any]], content: Any, **more: Any) -> dict[str, Any]:
    return _after(records, type="user", message={"role": "user", "content": content}, **more)


def test_records_of_one_reply_are_one_step(tmp_path: Path) -> None:
    trajectory = seen(_read(written(tmp_path, "s1.jsonl", session())))

    first = trajectory.steps[0]
    assert len(trajectory.steps) == len(COMMANDS) + 1
    assert (first.message.content, first.message.reasoning) == ("Next.", "Hm.")
    assert [call.tool for call in first.tool_calls] == ["Bash"]
    assert first.usage is not None
    assert (first.usage.prompt_tokens, first.usage.cached_tokens) == (10, 6)
    assert trajectory.finish_reason == "stop"


def test_calls_that_run_side_by_side_keep_their_answers(tmp_path: Path) -> None:
    records = session()[:5]
    call = {"type": "tool_use", "id": "t7", "name": "Bash", "input": {"command": "ls"}}
    reply = {**records[4]["message"], "content": [call]}
    beside = {**_after(records, message=reply), "parentUuid": records[4]["uuid"]}
    answers = [
        _user([records[4]], [{"type": "tool_result", "tool_use_id": "t0", "content": "a"}]),
        _user([beside], [{"type": "tool_result", "tool_use_id": "t7", "content": "b"}]),
    ]
    answers[0]["uuid"] = "answer"

    trajectory = seen(_read(written(tmp_path, "s1.jsonl", [*records, beside, *answers])))

    (step,) = trajectory.steps
    assert [seen.content for seen in step.observations] == ["a", "b"]


def test_a_branch_that_was_given_up_is_left_out_and_counted(tmp_path: Path) -> None:
    losses = Losses()
    records = session()
    again = _user(records, "Do it another way.")
    again["parentUuid"] = records[1]["uuid"]
    reply = _after([again], **{k: records[-1][k] for k in ("type", "message")})

    trial = _read(written(tmp_path, "s1.jsonl", [*records, again, reply]), losses)

    assert commands(trial) == []
    dropped = {one.field: one.count for one in losses.report() if one.kind == "dropped"}
    assert dropped["records beside the branch"] > 10


def test_a_subagent_in_the_same_file_is_told_where_it_ran(tmp_path: Path) -> None:
    records = session()
    inner = session()[1:6]
    for record in inner:
        record |= {"isSidechain": True, "uuid": f"side-{record['uuid']}", "agentId": "a7"}
        record["parentUuid"] = record["parentUuid"] and f"side-{record['parentUuid']}"
        record["message"] = {**record["message"], "id": f"side-{record['message'].get('id')}"}
    inner[0]["message"]["content"] = "Look around."
    inner[3]["message"]["content"] = [{**inner[3]["message"]["content"][0], "id": "inner"}]
    inner[4]["message"]["content"][0]["tool_use_id"] = "inner"

    trial = _read(written(tmp_path, "s1.jsonl", [*records[:5], *inner, *records[5:]]))

    trajectory = seen(trial)
    assert commands(trial) == [COMMANDS[0], COMMANDS[0], *COMMANDS[1:]]
    assert trajectory.final_reply == "It is repaired."
    assert trajectory.end_reason == "replied"


def test_a_subagent_with_a_file_of_its_own_belongs_to_its_session(tmp_path: Path) -> None:
    records = session()
    records[5]["toolUseResult"] = {"agentId": "a7"}
    inner = [{**one, "isSidechain": True, "agentId": "a7"} for one in session()[1:6]]
    written(tmp_path, "s1.jsonl", records)
    own = written(tmp_path, "s1/subagents/agent-a7.jsonl", inner)

    trial = _read(tmp_path / "s1.jsonl")

    assert commands(trial).count(COMMANDS[0]) == 2
    with pytest.raises(PartOfAnotherError):
        read_all(claude_code.IMPORTER, own)


def test_an_agent_file_alone_is_a_trial(tmp_path: Path) -> None:
    inner = [{**one, "isSidechain": True, "agentId": "a7"} for one in session()[1:]]

    trial = _read(written(tmp_path, "agent-a7.jsonl", inner))

    assert commands(trial) == list(COMMANDS)


@pytest.mark.parametrize("agent_id", ["../../secret", "a/b", "", "x" * 90])
def test_the_id_of_a_subagent_leads_nowhere_else(agent_id: str, tmp_path: Path) -> None:
    records = session()
    records[5]["toolUseResult"] = {"agentId": agent_id}
    written(tmp_path, "secret.jsonl", session())

    assert commands(_read(written(tmp_path, "logs/s1.jsonl", records))) == list(COMMANDS)


def test_remarks_of_the_program_are_no_prompt(tmp_path: Path) -> None:
    records = session()
    meta = {**records[1], "uuid": "m", "isMeta": True, "parentUuid": None}
    meta["message"] = {"role": "user", "content": "Caveat: made by commands."}
    command = {**records[1], "uuid": "c", "parentUuid": "m"}
    command["message"] = {"role": "user", "content": "<command-name>/model</command-name>"}
    records[1]["parentUuid"] = "c"

    trial = _read(written(tmp_path, "s1.jsonl", [records[0], meta, command, *records[1:]]))

    first = seen(trial).steps[0].before
    assert [one.source for one in first] == ["harness", "user", "task"]


def test_a_summary_marks_that_the_context_was_shortened(tmp_path: Path) -> None:
    records = session()
    summary = _user(records, "All went well so far.", isCompactSummary=True)

    trial = _read(written(tmp_path, "s1.jsonl", [*records, summary]))

    (told,) = [one for one in trial.events if isinstance(one, MessageEvent) and one.rewrites]
    assert told.content == "All went well so far."


@pytest.mark.parametrize(
    ("text", "more", "reason"),
    [
        ("API Error: 500", {"isApiErrorMessage": True}, "infra_error"),
        ("Prompt is too long", {"isApiErrorMessage": True}, "context_overflow"),
        ("It is done.", {}, "replied"),
    ],
)
def test_the_last_message_tells_how_it_ended(
    text: str, more: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    records = session()
    records[-1]["message"]["content"][0]["text"] = text
    records[-1] |= more

    assert seen(_read(written(tmp_path, "s1.jsonl", records))).end_reason == reason


def test_a_session_that_stops_at_a_call_or_was_interrupted_has_no_reply(tmp_path: Path) -> None:
    records = session()
    halted = _user(records[:6], "[Request interrupted by user]")

    for log in (records[:5], [*records[:6], halted], records[:6]):
        assert seen(_read(written(tmp_path, "s1.jsonl", log))).end_reason == "infra_error"


def test_the_output_of_a_run_without_a_screen_is_read(tmp_path: Path) -> None:
    stream: list[dict[str, Any]] = [{"type": "system", "subtype": "init", "session_id": "s1"}]
    for record in session()[1:]:
        kept = {key: record[key] for key in ("type", "message")}
        stream.append({**kept, "session_id": "s1", "parent_tool_use_id": None})
    usage = {"input_tokens": 40, "output_tokens": 9}
    stream.append(
        {
            "type": "result",
            "subtype": "error_max_turns",
            "is_error": True,
            "session_id": "s1",
            "num_turns": 4,
            "duration_ms": 2500,
            "total_cost_usd": 0.5,
            "usage": usage,
        }
    )

    trial = _read(written(tmp_path, "out.jsonl", stream))

    assert commands(trial) == list(COMMANDS)
    assert seen(trial).end_reason == "step_limit"
    assert trial.duration_s == 2.5
    assert trial.totals is not None
    assert (trial.totals.prompt_tokens, trial.totals.cost_usd) == (40, 0.5)


def test_a_session_without_a_reply_is_no_trial(tmp_path: Path) -> None:
    losses = Losses()

    assert read_all(claude_code.IMPORTER, written(tmp_path, "s.jsonl", session()[:2]), losses) == []
    assert "malformed" in {one.kind for one in losses.report()}
