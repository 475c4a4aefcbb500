"""Puts one trial's session together: its tools, its model, its user, its limits."""

import hashlib
from datetime import UTC, datetime

from pydantic import JsonValue

from trajaudit.datamodel.event import Start
from trajaudit.datamodel.scenario import (
    AgentSpec,
    CommandAgent,
    Generation,
    LangGraphAgent,
    Scenario,
    Task,
)
from trajaudit.datamodel.tool import ToolSpec, UserSpec
from trajaudit.gateway.base import TrialInfo
from trajaudit.gateway.session import TrialSession
from trajaudit.llm import provider_name
from trajaudit.mocks.mcp_access import McpAccess
from trajaudit.mocks.toolbox import ToolBox
from trajaudit.mocks.user import Ask, simulated_user
from trajaudit.record.journal import Journal
from trajaudit.record.stored import storing
from trajaudit.run.sandbox_tools import SandboxTool
from trajaudit.run.services import Services, limits_of


def open_session(
    services: Services, task: Task, trial: int, journal: Journal, tool: SandboxTool | None
) -> TrialSession:
    """Write the `start` event and return the session of a trial.

    `tool` carries out the calls of sandbox tools, where there is a sandbox.

    Raises:
        UsageError: a tool needs what this run does not have.
        ScenarioError: a file behind a tool is wrong.
    """
    scenario = services.scenario
    tools = tools_of(scenario, task)
    seed = trial_seed(scenario.seed, task.id, trial)
    user = task.user or scenario.user
    journal.append(
        Start(
            run_id=services.config.run_id,
            task_id=task.id,
            trial=trial,
            agent=services.agent.name,
            model_id=services.config.model_id,
            prompt=task.prompt,
            tools=tuple(tool.name for tool in tools),
            seed=seed,
            time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
    )
    session = TrialSession(
        journal,
        _info(scenario, task, trial, user=user is not None),
        toolbox=_toolbox(services, task, trial, tool, seed),
        model=services.model,
        limits=limits_of(scenario, task),
        generation=generation_of(scenario.generation, trial),
    )
    if user is not None:
        session.user = simulated_user(user, prompt=task.prompt, ask=_ask(services, session, user))
    return session


def _info(scenario: Scenario, task: Task, trial: int, *, user: bool) -> TrialInfo:
    agent = scenario.agent
    system = agent.system if isinstance(agent, (LangGraphAgent, CommandAgent)) else None
    # A program that was not written for us cannot wait for the user's answer to its reply.
    user_tool = user and isinstance(agent, CommandAgent)
    return TrialInfo(
        task_id=task.id,
        trial=trial,
        prompt=task.prompt,
        system=system,
        agent=_own_part(agent),
        user=user,
        user_tool=user_tool,
    )


def _own_part(agent: AgentSpec) -> dict[str, JsonValue]:
    """Return what a program may know of its own entry: how it was asked to run, no more."""
    return agent.model_dump(mode="json", include={"kind", "graph", "command", "reply"})


def _toolbox(
    services: Services, task: Task, trial: int, tool: SandboxTool | None, seed: int
) -> ToolBox:
    scenario = services.scenario
    cassette = services.run.trial_dir(task.id, trial) / "cassette.jsonl"

    def record(line: bytes) -> None:
        with storing(cassette), cassette.open("ab") as file:
            file.write(line)

    return ToolBox(
        tools_of(scenario, task),
        faults=task.faults if task.faults is not None else scenario.faults,
        world=task.world if task.world is not None else scenario.world,
        seed=seed,
        open_file=services.open_file,
        worker=services.worker,
        sandbox_tool=tool,
        mcp=McpAccess(record=record, allowed=services.allow_mcp),
    )


def _ask(services: Services, session: TrialSession, user: UserSpec) -> Ask | None:
    if user.kind != "model":
        return None
    model_id = user.model or services.config.model_id
    return session.ask_for_user(services.user_model(model_id), provider_name(model_id))


def tools_of(scenario: Scenario, task: Task) -> tuple[ToolSpec, ...]:
    """Return the tools that a task offers."""
    if task.tools is None:
        return scenario.tools
    return tuple(tool for tool in scenario.tools if tool.name in task.tools)


def generation_of(generation: Generation, trial: int) -> Generation:
    """Return the sampling parameters of a trial: a fixed seed differs from trial to trial."""
    if generation.seed is None:
        return generation
    return generation.model_copy(update={"seed": generation.seed + trial - 1})


def trial_seed(seed: int, task_id: str, trial: int) -> int:
    """Return the seed of a trial: the same for the same scenario, task and number."""
    digest = hashlib.sha256(f"{seed}\0{task_id}\0{trial}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
