"""Agents that others wrote, as their makers publish them, leave everything in the journal, once."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.event import (
    Event,
    MessageEvent,
    ModelCall,
    ObservationEvent,
    ToolCallEvent,
)
from trajaudit.record.journal import read_events
from trajaudit.record.rundir import RunDir

pytestmark = [pytest.mark.docker, pytest.mark.slow]

MINI = """
trajaudit: 1
sandbox: mini-swe-agent
agent:
  kind: command
  command: [/opt/agent/bin/mini, -m, "openai/{{model}}", -t, "{{prompt}}", -y, --exit-immediately]
model: scripted/{script}
limits: {{time_s: 200}}
tasks: [{{id: a, prompt: Write 42 into the file answer., target: {{text: done}}}}]
"""
MINI_SCRIPT = [
    {"text": "I write it.", "tool_calls": [{"bash": {"command": "echo 42 > answer"}}]},
    {"text": "I look at it.", "tool_calls": [{"bash": {"command": "cat answer; pwd"}}]},
    {
        "text": "Done.",
        "tool_calls": [{"bash": {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}}],
    },
]

SDK = """
trajaudit: 1
sandbox: openai-agents
agent: {{kind: command, command: [/opt/agent/bin/python, /opt/program.py, {how}], reply: stdout}}
model: scripted/{script}
limits: {{time_s: 200}}
tools:
  - name: price_of
    effect: read
    parameters: {{type: object, required: [item], properties: {{item: {{type: string}}}}}}
    mock:
      table:
        - {{args: {{item: K-3}}, reply: {{price: 7}}}}
        - {{args: {{item: B-1}}, reply: {{price: 9}}}}
tasks:
  - {{id: a, prompt: What do K-3 and B-1 cost together?, target: {{money: 16, currency: EUR}}}}
"""
SDK_SCRIPT = [
    {"tool_calls": [{"price_of": {"item": "K-3"}}, {"price_of": {"item": "B-1"}}]},
    {"text": "Together they cost 16 euros."},
]


def run(run_text: RunText, folder: Path, scenario: str, script: object, **fill: str) -> RunDir:
    path = folder / "script.json"
    path.write_text(json.dumps(script))
    return run_text(scenario.format(script=path, **fill)).run


def events_of(run_dir: RunDir) -> list[Event]:
    return list(read_events(run_dir.journal_path("a", 1)))


def test_mini_swe_agent_is_journalled_message_by_message(run_text: RunText, tmp_path: Path) -> None:
    result = run(run_text, tmp_path, MINI, MINI_SCRIPT)

    events = events_of(result)
    record = next(result.read_trials())
    assert record.end_reason == "replied", record.end_detail
    said = [e.content for e in events if isinstance(e, MessageEvent) and e.role == "assistant"]
    assert said == ["I write it.", "I look at it.", "Done."]
    commands = [
        json.loads(call.arguments_text)["command"]
        for event in events
        if isinstance(event, MessageEvent)
        for call in event.tool_calls
    ]
    assert commands == [each["tool_calls"][0]["bash"]["command"] for each in MINI_SCRIPT]  # type: ignore[index]
    carried_out = [event for event in events if isinstance(event, ToolCallEvent)]
    assert [event.via for event in carried_out] == ["agent", "agent"]
    observed = [event.content for event in events if isinstance(event, ObservationEvent)]
    assert len(observed) == 2
    assert "42" in observed[1]
    assert "/work" in observed[1]
    assert sum(isinstance(event, ModelCall) for event in events) == 3


@pytest.mark.parametrize("how", ["chat", "chat, stream", "responses", "responses, stream"])
def test_the_openai_agents_sdk_is_journalled_once(
    run_text: RunText, tmp_path: Path, how: str
) -> None:
    result = run(run_text, tmp_path, SDK, SDK_SCRIPT, how=how)

    events = events_of(result)
    record = next(result.read_trials())
    assert record.end_reason == "replied", record.end_detail
    kinds = Counter(event.kind for event in events)
    assert kinds["model_call"] == 2
    assert kinds["tool_call"] == kinds["observation"] == 2
    calls = [event for event in events if isinstance(event, ToolCallEvent)]
    assert [(call.via, call.arguments, call.differs) for call in calls] == [
        ("mcp", {"item": "K-3"}, ()),
        ("mcp", {"item": "B-1"}, ()),
    ]
    assert all(call.requested is not None for call in calls)
    said = [e for e in events if isinstance(e, MessageEvent)]
    assert [e.role for e in said if e.role != "system"] == ["user", "assistant", "assistant"]
    streamed = [event.streamed for event in events if isinstance(event, ModelCall)]
    assert streamed == ["stream" in how] * 2
    trajectory = trajectory_of(result, "a", 1)
    assert trajectory.final_reply == "Together they cost 16 euros."
    outcome = next(result.read_outcomes())
    assert (outcome.strict, outcome.lenient) == (False, True)
