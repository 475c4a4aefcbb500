"""Runs that cases speak of, made up."""

import re

from trajaudit.datamodel.run import RunConfig
from trajaudit.datamodel.scenario import AgentSpec, SandboxSpec, Scenario, ScriptedAgent, Task
from trajaudit.datamodel.tool import ToolSpec

SCRIPTED: AgentSpec = ScriptedAgent.model_validate(
    {"kind": "scripted", "tasks": {"*": [{"reply": "done"}]}}
)


def run_config(
    task_ids: tuple[str, ...],
    *,
    trials: int = 1,
    run_id: str = "r",
    tools: tuple[ToolSpec, ...] = (),
) -> RunConfig:
    """A frozen run of tasks that ask nothing, by an agent that replies at once."""
    # A log from elsewhere has ids that no scenario may have: those stand in the run alone.
    tasks = tuple(
        Task(id=one, prompt="(none)")
        for one in task_ids
        if re.fullmatch(r"\w{1,60}", one, re.ASCII)
    )
    return RunConfig(
        run_id=run_id,
        created="2026-01-01T00:00:00Z",
        trajaudit_version="0",
        scoring_checksum="0",
        scenario=Scenario(
            trajaudit=1,
            agent=SCRIPTED,
            tools=tools,
            tasks=tasks or (Task(id="none", prompt="(none)"),),
            sandbox=SandboxSpec(),
        ),
        scenario_path="made.yaml",
        scenario_sha256="0",
        sandbox_kind="scripted",
        isolation="none",
        agent="scripted",
        model_id="none/none",
        task_ids=task_ids,
        trials=trials,
    )
