"""Do the parts of a scenario fit each other?"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from trajaudit.datamodel.scenario import AgentAction, CommandAgent, ScriptedAgent, Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.datamodel.tool import UserSpec
from trajaudit.record.check import Check, Found, regex_fault, under
from trajaudit.record.check_accept import accept_faults, fault_faults
from trajaudit.record.check_patch import patch_faults
from trajaudit.record.check_target import format_fault, target_faults
from trajaudit.record.check_tool import file_fault, tool_faults
from trajaudit.record.fault import nearest

_ACTIONS = ("call", "calls", "reply", "note", "submit", "crash", "wait_s")
_REGEX = re.compile(r"/(.+)/", re.DOTALL)


def crosscheck(check: Check) -> None:
    """Add a fault for every part of the scenario that names what is not there."""
    for of, key in (("tasks", "id"), ("tools", "name")):
        _duplicates(check, of, key)
    for number, tool in enumerate(check.scenario.tools):
        _add(check, ("tools", number), tool_faults(check, tool))
    for number, task in enumerate(check.scenario.tasks):
        _add(check, ("tasks", number), _task_faults(check, task))
    _add(check, (), _scenario_faults(check))
    if not check.scenario.tasks:
        check.add(("tasks",), "is empty; got nothing; at least one is wanted")


def _add(check: Check, prefix: Sequence[str | int], found: Iterator[Found]) -> None:
    for loc, text in under(prefix, found):
        check.add(loc, text)


def _duplicates(check: Check, of: str, key: str) -> None:
    entries = check.root.children.get(of)
    seen: dict[str, str] = {}
    for number, entry in (entries.children if entries else {}).items():
        name = entry.text(key)
        file, line = entry.place(key)
        if name is not None and name in seen:
            text = f"is given twice; got {name!r}, which is at {seen[name]}; choose another"
            check.faults.add(check.root, (of, number, key), text)
        elif name is not None:
            seen[name] = f"{file}:{line}"


def _scenario_faults(check: Check) -> Iterator[Found]:
    scenario = check.scenario
    if scenario.accept is not None:
        worlds = scenario.world is not None or all(
            task.world is not None for task in scenario.tasks
        )
        yield from under(("accept",), accept_faults(check, scenario.accept, has_world=worlds))
    yield from under(("faults",), fault_faults(check, scenario.faults, None))
    if scenario.user is not None:
        yield from under(("user",), _user_faults(scenario.user))
    if scenario.answer_format is not None:
        for text in filter(None, [format_fault(scenario.answer_format)]):
            yield ("answer_format",), text
    yield from under(("sandbox", "files"), _copied_faults(check, scenario.sandbox.files))
    yield from _agent_faults(check)


def _agent_faults(check: Check) -> Iterator[Found]:
    agent = check.scenario.agent
    if isinstance(agent, CommandAgent) and check.scenario.sandbox.kind == "none":
        yield ("sandbox", "kind"), "a command needs a sandbox; got 'none'; use docker"
    if isinstance(agent, ScriptedAgent):
        ids = {"*", *check.names("tasks", "id")}
        for task_id, actions in agent.tasks.items():
            if task_id not in ids:
                text = f"unknown task; got {task_id!r}; {nearest(task_id, ids)}"
                yield ("agent", "tasks", task_id), text
            yield from under(("agent", "tasks", task_id), _action_faults(actions))


def _target_faults(check: Check, task: Task) -> Iterator[Found]:
    if task.target is None:
        return
    for name, text in target_faults(task.target):
        yield (task.target.key, name), text
    if isinstance(task.target, PatchTarget):
        yield from under(("patch", "patch"), patch_faults(check, task, task.target.patch))


def _task_faults(check: Check, task: Task) -> Iterator[Found]:
    yield from under(("target",), _target_faults(check, task))
    if task.accept is not None:
        has_world = task.world is not None or check.scenario.world is not None
        yield from under(("accept",), accept_faults(check, task.accept, has_world=has_world))
    accept = task.accept or check.scenario.accept
    if accept is not None and accept.golden_state and task.golden is None:
        yield (), "golden_state needs a golden trajectory; got none; add golden"
    for number, name in enumerate(task.tools or ()):
        for text in filter(None, [check.tool_fault(name)]):
            yield ("tools", number), text
    offered = task.tools
    yield from under(("faults",), fault_faults(check, task.faults or (), offered))
    if task.user is not None:
        yield from under(("user",), _user_faults(task.user))
    yield from under(("golden",), _action_faults(task.golden or ()))
    yield from under(("golden",), _golden_faults(check, task))
    yield from under(("files",), _copied_faults(check, task.files))


def _action_faults(actions: Sequence[AgentAction]) -> Iterator[Found]:
    for number, action in enumerate(actions):
        written = [name for name in _ACTIONS if getattr(action, name) is not None]
        said = action.say is not None
        if len(written) + said != 1 and not (said and written in (["call"], ["calls"])):
            got = ", ".join([*(["say"] if said else []), *written]) or "none"
            yield (number,), f"an action is exactly one of say, {', '.join(_ACTIONS)}; got {got}"
        for call in _calls(action):
            if len(call) != 1:
                names = ", ".join(call) or "none"
                yield (
                    (number,),
                    f"a call names one tool; got {names}; write {{tool: {{arguments}}}}",
                )


def _golden_faults(check: Check, task: Task) -> Iterator[Found]:
    for number, action in enumerate(task.golden or ()):
        for call in _calls(action):
            for name in call:
                text = check.tool_fault(name)
                if text is None and task.tools is not None and name not in task.tools:
                    text = f"not offered in this task; got {name!r}; {nearest(name, task.tools)}"
                if text:
                    yield (number,), text


def _calls(action: AgentAction) -> list[Mapping[str, object]]:
    return [*([action.call] if action.call is not None else []), *(action.calls or ())]


def _user_faults(user: UserSpec) -> Iterator[Found]:
    for number, reply in enumerate(user.replies):
        pattern = _REGEX.fullmatch(reply.when or "")
        for text in filter(None, [regex_fault(pattern[1]) if pattern else None]):
            yield ("replies", number, "when"), text


def _copied_faults(check: Check, files: Mapping[str, str]) -> Iterator[Found]:
    for target, source in files.items():
        inside = posixpath.normpath(target)
        if posixpath.isabs(inside) or inside.split("/")[0] in {"..", "."}:
            text = f"leads out of the work directory; got {target!r}; write it relative to it"
            yield (target,), text
        for text in filter(None, [file_fault(check, source)]):
            yield (target,), text
