"""Unmodified clients and a user's own graph inside the container, against the real gateway."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import RunText
from trajaudit.datamodel.event import Event, ModelCall, ToolCallEvent
from trajaudit.record.journal import read_events
from trajaudit.record.rundir import RunDir

pytestmark = [pytest.mark.docker]

HEAD = """
trajaudit: 1
sandbox: {image: agent-base, files: {PROGRAM: PROGRAM}}
model: scripted/SCRIPT
limits: {time_s: 120}
tools:
  - name: price_of
    effect: read
    parameters: {type: object, required: [item], properties: {item: {type: string}}}
    mock: {table: [{args: {item: K-3}, reply: {price: 7}}]}
tasks: [{id: a, prompt: What does K-3 cost?, target: {money: 7, currency: EUR}}]
"""
CLIENTS = """
import asyncio, os
from mcp import Client
from openai import OpenAI

client = OpenAI()
model = os.environ["OPENAI_MODEL"]
assert [one.id for one in client.models.list()] == [model]
ask = [{"role": "user", "content": os.environ["TRAJAUDIT_PROMPT"]}]
plain = client.chat.completions.create(model=model, messages=ask)
print(plain.choices[0].message.content)
text = ""
for chunk in client.chat.completions.create(model=model, messages=ask, stream=True):
    text += chunk.choices[0].delta.content or "" if chunk.choices else ""
print(text)
print(client.responses.create(model=model, input="And now?").output_text)

async def tools():
    async with Client(os.environ["TRAJAUDIT_MCP_URL"]) as mcp:
        assert [tool.name for tool in (await mcp.list_tools()).tools] == ["price_of"]
        reply = await mcp.call_tool("price_of", {"item": "K-3"})
        print(reply.content[0].text)

asyncio.run(tools())
print("It costs 7 euros.")
"""
GRAPH = """
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

def make(tools):
    return create_react_agent(ChatOpenAI(model="any"), tools)
"""


def run(
    run_text: RunText, folder: Path, program: str, text: str, agent: str, script: object
) -> RunDir:
    (folder / "scenarios" / "made").mkdir(parents=True, exist_ok=True)
    (folder / "scenarios" / "made" / program).write_text(text)
    (folder / "script.json").write_text(json.dumps(script))
    scenario = HEAD.replace("PROGRAM", program).replace("SCRIPT", str(folder / "script.json"))
    return run_text(f"{scenario}agent: {agent}\n").run


def events_of(result: RunDir) -> list[Event]:
    return list(read_events(result.journal_path("a", 1)))


def test_the_clients_of_openai_and_mcp_work_unmodified(run_text: RunText, tmp_path: Path) -> None:
    agent = "{kind: command, command: [python3, client.py], reply: stdout}"
    script = [{"text": "Seven.", "repeat": True}]

    result = run(run_text, tmp_path, "client.py", CLIENTS, agent, script)

    record = next(result.read_trials())
    assert record.end_reason == "replied", record.end_detail
    events = events_of(result)
    calls = [event for event in events if isinstance(event, ModelCall)]
    assert [(one.endpoint, one.streamed) for one in calls] == [
        ("chat", False),
        ("chat", True),
        ("responses", False),
    ]
    assert [one.via for one in events if isinstance(one, ToolCallEvent)] == ["mcp"]
    outcome = next(result.read_outcomes())
    assert outcome.lenient is True


def test_a_users_own_graph_is_run_with_the_scenarios_tools(
    run_text: RunText, tmp_path: Path
) -> None:
    script = [{"tool_calls": [{"price_of": {"item": "K-3"}}]}, {"text": "It costs 7 euros."}]
    agent = '{kind: langgraph, graph: "own:make"}'

    result = run(run_text, tmp_path, "own.py", GRAPH, agent, script)

    record = next(result.read_trials())
    assert record.end_reason == "replied", record.end_detail
    kinds = Counter(event.kind for event in events_of(result))
    assert (kinds["model_call"], kinds["tool_call"], kinds["observation"]) == (2, 1, 1)
    assert next(result.read_outcomes()).lenient is True


def test_the_built_in_graph_calls_tools_and_replies(run_text: RunText, tmp_path: Path) -> None:
    script = [{"tool_calls": [{"price_of": {"item": "K-3"}}]}, {"text": "7"}]

    result = run(
        run_text, tmp_path, "unused.txt", "", "{kind: langgraph, system: Be short.}", script
    )

    kinds = Counter(event.kind for event in events_of(result))
    assert (kinds["model_call"], kinds["tool_call"], kinds["observation"]) == (2, 1, 1)
    outcome = next(result.read_outcomes())
    assert (outcome.strict, outcome.lenient) == (True, True)
