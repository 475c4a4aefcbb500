"""`--agent` names an agent, or says what would."""

from collections.abc import Callable
from pathlib import Path

import pytest

from trajaudit.datamodel.scenario import (
    AgentAction,
    AgentSpec,
    CommandAgent,
    LangGraphAgent,
    ReplayAgent,
    ScriptedAgent,
)
from trajaudit.errors import ScenarioError, UsageError
from trajaudit.record.agents import load_agent
from trajaudit.record.scenarios import LoadedScenario, load_scenario

Write = Callable[[str, str], Path]

SCENARIO = """\
trajaudit: 1
agent: {kind: langgraph, system: Be kind., env: {A: b}}
tasks:
  - {id: a, prompt: x, golden: [{reply: one}]}
  - {id: b, prompt: y}
"""


@pytest.fixture
def loaded(write: Write) -> LoadedScenario:
    return load_scenario(write("s.yaml", SCENARIO))


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        ("langgraph", LangGraphAgent(system="Be kind.", env={"A": "b"})),
        (
            "langgraph:my.graph:app",
            LangGraphAgent(system="Be kind.", graph="my.graph:app", env={"A": "b"}),
        ),
        (
            "command:python -c 'print(1)'",
            CommandAgent(kind="command", command=("python", "-c", "print(1)"), system="Be kind."),
        ),
        ("replay:20261129-a", ReplayAgent(kind="replay", run="20261129-a")),
        ("null", ScriptedAgent(kind="scripted", tasks={"*": ()}, name="null")),
    ],
)
def test_an_agent_is_named_by_its_kind(loaded: LoadedScenario, spec: str, agent: AgentSpec) -> None:
    assert load_agent(spec, loaded) == agent


def test_the_golden_agent_does_what_the_golden_trajectories_do(loaded: LoadedScenario) -> None:
    actions = (AgentAction(reply="one"),)

    assert load_agent("golden", loaded, ["a"]) == ScriptedAgent(
        kind="scripted", tasks={"a": actions}, name="golden"
    )
    with pytest.raises(UsageError, match="a golden trajectory is missing; got none for b;"):
        load_agent("golden", loaded)


def test_a_scripted_agent_is_read_from_its_file(write: Write, loaded: LoadedScenario) -> None:
    write("agents/lines.jsonl", '{"reply": "one"}\n')
    path = write("agents/careless.yaml", "tasks: {a: lines.jsonl, '*': [{note: n}]}\n")
    agent = ScriptedAgent(
        kind="scripted",
        name="scripted:careless",
        tasks={"a": (AgentAction(reply="one"),), "*": (AgentAction(note="n"),)},
    )

    assert load_agent("scripted:agents/careless.yaml", loaded) == agent
    assert load_agent(f"scripted:{path}", loaded) == agent


def test_a_scenario_may_name_the_file_of_its_agent(write: Write) -> None:
    write("agents/lines.jsonl", '{"reply": "one"}\n')
    write("agents/x.yaml", "kind: scripted\ntasks: {a: lines.jsonl}\n")
    text = "trajaudit: 1\nagent: {file: agents/x.yaml}\ntasks: [{id: a, prompt: x}]"
    loaded = load_scenario(write("with_file.yaml", text))

    assert loaded.scenario.agent == ScriptedAgent(
        kind="scripted", tasks={"a": (AgentAction(reply="one"),)}
    )
    assert load_agent("scripted", loaded) is loaded.scenario.agent


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("langgrph", "unknown agent; got 'langgrph'; did you mean 'langgraph'"),
        ("", "unknown agent; got ''; known: command, golden, langgraph, null, replay, scripted"),
        ("command:", "a command is missing; got 'command'; write command:PROGRAM ARGUMENTS"),
        ("command:'", 'no command line; got "\'"; no closing quotation'),
        ("scripted", "a file is missing; got 'scripted'; write scripted:FILE.yaml"),
        ("replay", "a run is missing; got 'replay'; write replay:RUN"),
    ],
)
def test_what_names_no_agent_is_refused(loaded: LoadedScenario, spec: str, fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_agent(spec, loaded)

    assert str(caught.value) == fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tasks: {a: [{repy: x}]}", ":1: tasks.a[0].repy: unknown field; got 'repy'; did you mean"),
        ("- a", ":1: no agent; a mapping with tasks is wanted"),
        ("tasks: {a: nope.jsonl}", ":1: tasks.a: there is no such file; got 'nope.jsonl'"),
    ],
)
def test_a_faulty_file_is_told_with_its_line(
    write: Write, loaded: LoadedScenario, text: str, fault: str
) -> None:
    path = write("agents/x.yaml", text)

    with pytest.raises(ScenarioError) as caught:
        load_agent("scripted:agents/x.yaml", loaded)
    assert str(caught.value).startswith(f"{path}{fault}")
