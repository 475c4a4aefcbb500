"""Broken logs of coding agents end in a clear error or a clean import."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.importers import coder_logs as logs
from tests.record.importers import coder_sessions as sessions
from tests.record.importers.fuzzing import (
    as_bytes,
    as_lines,
    assert_survives,
    fuzzed,
    mangled,
    mutated,
)
from tests.record.importers.test_coding_agents import ALL
from trajaudit.record.importers import IMPORTERS

forms = pytest.mark.parametrize(("name", "file", "log"), ALL.values(), ids=ALL)


def _bytes(file: str, value: Any) -> bytes:
    return as_lines(value) if file.endswith(".jsonl") else as_bytes(value)


@forms
@fuzzed
@given(data=st.data())
def test_a_log_with_odd_values_survives(
    name: str, file: str, log: Any, data: st.DataObject
) -> None:
    broken = data.draw(mutated(log()))

    assert_survives(IMPORTERS[name], {file: _bytes(file, broken)})


@forms
@fuzzed
@given(data=st.data())
def test_a_log_of_broken_bytes_survives(
    name: str, file: str, log: Any, data: st.DataObject
) -> None:
    broken = data.draw(mangled(_bytes(file, log())))

    assert_survives(IMPORTERS[name], {file: broken})


@fuzzed
@given(
    result=mutated(
        {
            "task_name": "sums",
            "trial_name": "sums__1",
            "agent_info": {"name": "coder", "version": "1", "model_info": {"name": "m"}},
            "verifier_result": {"rewards": {"reward": 1.0, "style": 0.5}},
            "exception_info": {"exception_type": "X", "exception_message": "y"},
            "started_at": "2026-01-01T00:00:00Z",
            "finished_at": "2026-01-01T00:00:09Z",
        }
    ),
    reward=mangled(b"1.0\n"),
    more=mutated(sessions.atif()),
)
def test_a_broken_trial_of_harbor_survives(result: Any, reward: bytes, more: Any) -> None:
    files = {
        "t/result.json": as_bytes(result),
        "t/config.json": as_bytes({"task": {"path": "x/sums"}}),
        "t/agent/trajectory.json": as_bytes(more),
        "t/agent/trajectory.cont-1.json": as_bytes(more),
        "t/verifier/reward.txt": reward,
    }

    assert_survives(IMPORTERS["atif"], files)


@fuzzed
@given(events=mutated(sessions.openhands_sdk()), state=mutated({"id": "c", "leaf_event_id": "e8"}))
def test_a_broken_conversation_folder_survives(events: Any, state: Any) -> None:
    rows = events if isinstance(events, list) else [events]
    files = {f"c/events/event-{n:05}-x.json": as_bytes(row) for n, row in enumerate(rows)}

    assert_survives(IMPORTERS["openhands"], {"c/base_state.json": as_bytes(state), **files})


@fuzzed
@given(
    record=mutated(
        {
            "instance_id": "a__b-7",
            "instruction": "Repair it.",
            "instance": {"repo": "a/b", "base_commit": "c0"},
            "metadata": {"llm_config": {"model": "m"}},
            "history": logs.openhands_v0(),
            "test_result": {"git_patch": "diff", "report": {"resolved": True}},
            "error": "x",
        }
    )
)
def test_a_broken_output_of_a_benchmark_survives(record: Any) -> None:
    assert_survives(IMPORTERS["openhands"], {"output.jsonl": as_lines([record, record])})


@fuzzed
@given(main=mutated(sessions.claude_code()), side=mutated(sessions.claude_code()[1:6]))
def test_a_session_with_a_broken_subagent_survives(main: Any, side: Any) -> None:
    files = {"s1.jsonl": as_lines(main), "s1/subagents/agent-a7.jsonl": as_lines(side)}

    assert_survives(IMPORTERS["claude_code"], files)
