"""An agent whose actions are written down: it calls no model and needs no sandbox."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from trajaudit.datamodel.scenario import AgentAction, AgentSpec, ScriptedAgent
from trajaudit.gateway.base import PlannedCall, Session, SessionEnded
from trajaudit.run.base import AgentContext, AgentExit


class Scripted:
    """Carries out the actions of its task in order, then ends."""

    needs_sandbox = False
    needs_model = False

    def __init__(self, name: str, tasks: Mapping[str, Sequence[AgentAction]]) -> None:
        self.name = name
        self._tasks = tasks

    def run(self, context: AgentContext) -> AgentExit:
        actions = self._tasks.get(context.task.id, self._tasks.get("*", ()))
        return perform(actions, context.session)


def scripted_agent(spec: AgentSpec) -> Scripted:
    """Return the agent that a `scripted` entry describes."""
    if not isinstance(spec, ScriptedAgent):
        raise TypeError(f"not a scripted agent: {spec!r}")
    return Scripted(spec.name, spec.tasks)


def perform(actions: Sequence[AgentAction], session: Session) -> AgentExit:
    """Carry out `actions` until one of them, or the session itself, ends the trial."""
    try:
        for action in actions:
            if action.crash is not None:
                return AgentExit(exit_code=1, detail=action.crash)
            _act(action, session)
        session.end("replied", "the script ended without a reply")
    except SessionEnded:
        pass
    return AgentExit()


def _act(action: AgentAction, session: Session) -> None:
    if action.wait_s is not None:
        if session.wait_end(action.wait_s) is not None:
            return
    elif action.note is not None:
        session.note(action.note)
    elif action.submit is not None:
        session.submit(action.submit)
    elif action.reply is not None:
        if session.reply(action.reply, finish_reason=action.finish_reason) is None:
            session.end("replied")
    else:
        calls = (*((action.call,) if action.call else ()), *(action.calls or ()))
        session.say(
            action.say or "",
            [planned for call in calls for planned in _planned(call)],
            finish_reason=action.finish_reason,
        )


def _planned(call: Mapping[str, JsonValue]) -> list[PlannedCall]:
    planned = []
    for tool, arguments in call.items():
        if isinstance(arguments, (dict, str)):
            planned.append(PlannedCall(tool=tool, arguments=arguments))
        else:
            planned.append(PlannedCall(tool=tool, arguments={}))
    return planned
