"""Which agent does `--agent` name?"""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from trajaudit.datamodel.scenario import (
    AgentSpec,
    CommandAgent,
    LangGraphAgent,
    ReplayAgent,
    Scenario,
    ScriptedAgent,
)
from trajaudit.errors import ScenarioError, UsageError
from trajaudit.record.explain import explain
from trajaudit.record.fault import Faults, nearest
from trajaudit.record.includes import Includes
from trajaudit.record.project import find_project
from trajaudit.record.project_files import ProjectFiles
from trajaudit.record.scenarios import LoadedScenario
from trajaudit.record.yaml_nodes import Node

_AGENT: TypeAdapter[AgentSpec] = TypeAdapter(AgentSpec)


def load_agent(
    spec: str, loaded: LoadedScenario, task_ids: Sequence[str] | None = None
) -> AgentSpec:
    """Return the agent that `spec` names; the scenario's system prompt goes with it.

    Args:
        spec: `langgraph[:module:attribute]`, `command:PROGRAM ...`, `scripted:FILE`, `replay:RUN`,
            `golden`, `null` (does nothing), or the kind of the scenario's own agent.
        loaded: the scenario.
        task_ids: the tasks that will run; `golden` needs a golden trajectory for each.

    Raises:
        UsageError: there is no such kind of agent, or its part after the colon is wrong.
        ScenarioError: the file of a scripted agent is wrong.
    """
    kind, _, rest = spec.partition(":")
    if not rest and kind == loaded.scenario.agent.kind:
        return loaded.scenario.agent
    make = _KINDS.get(kind)
    if make is None:
        raise UsageError(f"unknown agent; got {spec!r}; {nearest(kind, _KINDS)}")
    if kind == "golden":
        return _golden(loaded.scenario, task_ids)
    return make(rest, loaded)


def _langgraph(rest: str, loaded: LoadedScenario) -> AgentSpec:
    own = loaded.scenario.agent
    env = own.env if isinstance(own, (LangGraphAgent, CommandAgent)) else {}
    return LangGraphAgent(system=_system(loaded), graph=rest or None, env=env)


def _command(rest: str, loaded: LoadedScenario) -> AgentSpec:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise UsageError(f"no command line; got {rest!r}; {str(error).lower()}") from error
    if not words:
        raise UsageError("a command is missing; got 'command'; write command:PROGRAM ARGUMENTS")
    if loaded.scenario.sandbox.kind == "none":
        raise UsageError("a command needs a sandbox; got sandbox kind 'none'; use docker")
    return CommandAgent(kind="command", command=tuple(words), system=_system(loaded))


def _system(loaded: LoadedScenario) -> str | None:
    own = loaded.scenario.agent
    return own.system if isinstance(own, (LangGraphAgent, CommandAgent)) else None


def _scripted(rest: str, loaded: LoadedScenario) -> AgentSpec:
    if not rest:
        raise UsageError("a file is missing; got 'scripted'; write scripted:FILE.yaml")
    typed = Path(rest)
    path = typed if typed.exists() or typed.is_absolute() else loaded.root / rest
    folder = path.parent.resolve()
    files = ProjectFiles(folder, find_project(folder) or folder, str(path.parent))
    node = files.node(path.name)
    if node.kind != "map":
        raise ScenarioError([f"{path}:{node.line}: no agent; a mapping with tasks is wanted"])
    node.children.setdefault("kind", Node(node.file, node.line, value="scripted"))
    node.children.setdefault("name", Node(node.file, node.line, value=f"scripted:{path.stem}"))
    return _agent(node, files)


def _agent(node: Node, files: ProjectFiles) -> AgentSpec:
    faults = Faults()
    Includes(node, files, faults).agent(node, "", ())
    faults.raise_any()
    try:
        return _AGENT.validate_python(node.plain())
    except ValidationError as error:
        explain(error, ScriptedAgent, node, faults)
        faults.raise_any()
        raise


def _replay(rest: str, _loaded: LoadedScenario) -> AgentSpec:
    if not rest:
        raise UsageError("a run is missing; got 'replay'; write replay:RUN")
    return ReplayAgent(kind="replay", run=rest)


def _null(_rest: str, _loaded: LoadedScenario) -> AgentSpec:
    return ScriptedAgent(kind="scripted", tasks={"*": ()}, name="null")


def _golden(scenario: Scenario, task_ids: Sequence[str] | None) -> AgentSpec:
    wanted = {task.id for task in scenario.tasks} if task_ids is None else set(task_ids)
    tasks = [task for task in scenario.tasks if task.id in wanted]
    without = [task.id for task in tasks if task.golden is None]
    if without:
        raise UsageError(
            f"a golden trajectory is missing; got none for {', '.join(without)}; "
            "add golden to the task, or choose others with --tasks"
        )
    actions = {task.id: task.golden for task in tasks if task.golden is not None}
    return ScriptedAgent(kind="scripted", tasks=actions, name="golden")


_KINDS: dict[str, Callable[[str, LoadedScenario], AgentSpec]] = {
    "langgraph": _langgraph,
    "command": _command,
    "scripted": _scripted,
    "replay": _replay,
    "null": _null,
    "golden": lambda _, loaded: _golden(loaded.scenario, None),
}
