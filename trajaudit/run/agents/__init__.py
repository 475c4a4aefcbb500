"""The kinds of agents, one file each."""

from collections.abc import Callable

from trajaudit.datamodel.scenario import AgentSpec
from trajaudit.run.base import Agent


def _langgraph(spec: AgentSpec) -> Agent:
    from trajaudit.run.agents.program import langgraph_agent

    return langgraph_agent(spec)


def _command(spec: AgentSpec) -> Agent:
    from trajaudit.run.agents.program import command_agent

    return command_agent(spec)


def _scripted(spec: AgentSpec) -> Agent:
    from trajaudit.run.agents.scripted import scripted_agent

    return scripted_agent(spec)


def _replay(spec: AgentSpec) -> Agent:
    from trajaudit.run.agents.replay import replay_agent

    return replay_agent(spec)


AGENTS: dict[str, Callable[[AgentSpec], Agent]] = {
    "langgraph": _langgraph,
    "command": _command,
    "scripted": _scripted,
    "replay": _replay,
}
