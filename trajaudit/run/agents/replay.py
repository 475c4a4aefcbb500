"""An agent that does again what a recorded trial did: same messages, same calls, same reply."""

from collections.abc import Callable
from pathlib import Path

from trajaudit.datamodel.scenario import AgentAction, AgentSpec, ReplayAgent
from trajaudit.datamodel.trajectory import Step, Trajectory
from trajaudit.record.journal import read_events
from trajaudit.record.project import runs_dir
from trajaudit.record.runs import open_run
from trajaudit.record.trajectory import read_trajectory
from trajaudit.run.agents.scripted import perform
from trajaudit.run.base import AgentContext, AgentExit


class Replay:
    """Re-emits the actions of the recorded trial of the same task and number."""

    needs_sandbox = False
    needs_model = False

    def __init__(self, name: str, recorded: Callable[[str, int], Trajectory | None]) -> None:
        self.name = name
        self._recorded = recorded

    def run(self, context: AgentContext) -> AgentExit:
        trajectory = self._recorded(context.task.id, context.trial)
        if trajectory is None:
            where = f"{context.task.id}/{context.trial}"
            return AgentExit(exit_code=1, detail=f"nothing was recorded for {where}")
        return perform(actions_of(trajectory), context.session)


def actions_of(trajectory: Trajectory) -> list[AgentAction]:
    """Return the actions that would leave this trajectory's messages and calls again."""
    actions = []
    for step in trajectory.steps:
        actions += [AgentAction(note=note) for note in step.notes]
        actions.append(_action(step))
    if trajectory.submitted and trajectory.final_reply is not None:
        actions.append(AgentAction(submit=trajectory.final_reply))
    return actions


def _action(step: Step) -> AgentAction:
    if not step.tool_calls:
        # A message without calls went to the user; a simulated user answers it again.
        return AgentAction(reply=step.message.content, finish_reason=step.finish_reason)
    return AgentAction(
        say=step.message.content,
        calls=tuple({call.tool: call.arguments_text} for call in step.tool_calls),
        finish_reason=step.finish_reason,
    )


def replay_agent(spec: AgentSpec) -> Replay:
    """Return the agent that replays a run directory."""
    if not isinstance(spec, ReplayAgent):
        raise TypeError(f"not a replay agent: {spec!r}")
    run = open_run(spec.run, runs_dir(Path.cwd()))

    def recorded(task_id: str, trial: int) -> Trajectory | None:
        if run.read_trial(task_id, trial) is None:
            return None
        return read_trajectory(read_events(run.journal_path(task_id, trial)))

    return Replay(f"replay:{run.run_id}", recorded)
