"""A trial of a scripted agent, without gateway: its actions through the tools, as a trajectory."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from trajaudit.datamodel.scenario import AgentAction, Scenario, Task
from trajaudit.datamodel.trajectory import (
    Message,
    Observation,
    Step,
    ToolCall,
    Trajectory,
    WorldChange,
)
from trajaudit.mocks.base import LineWorker
from trajaudit.mocks.toolbox import ToolBox
from trajaudit.mocks.user import SimulatedUser, simulated_user
from trajaudit.mocks.world import diff
from trajaudit.record.scenarios import LoadedScenario


@dataclass
class _Trial:
    box: ToolBox
    user: SimulatedUser | None
    steps: list[Step] = field(default_factory=list)
    changes: list[WorldChange] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    heard: tuple[Message, ...] = ()
    hit: set[int] = field(default_factory=set)


def play(
    loaded: LoadedScenario, task: Task, actions: Sequence[AgentAction], worker: LineWorker | None
) -> Trajectory:
    """Carry out the actions of a scripted agent."""
    scenario = loaded.scenario
    world = scenario.world if task.world is None else task.world
    box = ToolBox(
        scenario.tools,
        faults=scenario.faults if task.faults is None else task.faults,
        world=world,
        open_file=loaded.open_file,
        worker=None if worker is None else lambda: worker,
        sleep=lambda _: None,
    )
    trial = _Trial(box, _user(scenario, task))
    reply: str | None = None
    for action in actions:
        if action.reply is not None:
            reply = action.reply
            if _answer(trial, reply, action.finish_reason) is None:
                break
        else:
            _act(trial, action)
    return Trajectory(
        task_id=task.id,
        steps=tuple(trial.steps),
        final_reply=reply,
        finish_reason=trial.steps[-1].finish_reason if trial.steps else None,
        world_start=world,
        world_end=box.world,
        world_changes=tuple(trial.changes),
        faults_hit=tuple(sorted(trial.hit)),
    )


def _user(scenario: Scenario, task: Task) -> SimulatedUser | None:
    spec = task.user or scenario.user
    return None if spec is None else simulated_user(spec, prompt=task.prompt, ask=None)


def _answer(trial: _Trial, reply: str, finish_reason: str | None) -> str | None:
    _step(trial, reply, (), (), finish_reason)
    trial.said.append(("agent", reply))
    answer = None if trial.user is None else trial.user.answer(trial.said)
    if answer is not None:
        trial.said.append(("user", answer))
        trial.heard = (Message(role="user", content=answer, source="user"),)
    return answer


def _act(trial: _Trial, action: AgentAction) -> None:
    calls: list[ToolCall] = []
    seen: list[Observation] = []
    for name, written in _written(action):
        call_id = f"c{len(trial.steps)}.{len(calls)}"
        text, arguments, wrong = _parsed(written)
        call = ToolCall(
            call_id=call_id,
            tool=name,
            arguments_text=text,
            arguments=arguments,
            parse_error=wrong,
            executed=wrong is None,
        )
        calls.append(call)
        seen.append(_observed(trial, call))
    _step(trial, action.say or "", tuple(calls), tuple(seen), action.finish_reason)


def _observed(trial: _Trial, call: ToolCall) -> Observation:
    if not isinstance(call.arguments, dict):
        text = f"arguments are no JSON object: {call.arguments_text}"
        return Observation(call_id=call.call_id, tool=call.tool, content=text, is_error=True)
    before = trial.box.world
    reply = trial.box.call(call.tool, call.arguments)
    if reply.world_changed:
        patch = diff(before, trial.box.world)
        trial.changes.append(WorldChange(step=len(trial.steps) + 1, patch=patch))
    if reply.fault_index is not None:
        trial.hit.add(reply.fault_index)
    return Observation(
        call_id=call.call_id,
        tool=call.tool,
        content=reply.content,
        is_error=reply.is_error,
        fault=reply.fault,
    )


def _written(action: AgentAction) -> Iterator[tuple[str, JsonValue]]:
    for call in (*((action.call,) if action.call else ()), *(action.calls or ())):
        yield from call.items()


def _parsed(written: JsonValue) -> tuple[str, JsonValue, str | None]:
    if not isinstance(written, str):
        return json.dumps(written), written, None
    try:
        return written, json.loads(written), None
    except ValueError as error:
        return written, None, str(error)


def _step(
    trial: _Trial,
    text: str,
    calls: tuple[ToolCall, ...],
    seen: tuple[Observation, ...],
    finish_reason: str | None,
) -> None:
    step = Step(
        number=len(trial.steps) + 1,
        before=trial.heard,
        message=Message(role="assistant", content=text),
        tool_calls=calls,
        observations=seen,
        finish_reason=finish_reason or ("tool_calls" if calls else "stop"),
    )
    trial.heard = ()
    trial.steps.append(step)
