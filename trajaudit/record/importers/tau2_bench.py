"""tau2-bench: one JSON file of tasks and simulations, several domains and reward bases.

| here | there |
|---|---|
| task | `tasks[]`, its id with the domain; what the simulated user was told |
| accepted path | `evaluation_criteria.actions`, where the database or the actions are rewarded |
| texts to be told | `evaluation_criteria.communicate_info`, where that is rewarded |
| step | message of role assistant; calls of the simulated user are told as its words |
| raw arguments | `raw_data.message.tool_calls[].function.arguments`, where kept |
| raw verdict, checks | `reward_info`: reward, and db, env, action, communicate, nl_assertions |
| basis | `reward_info.reward_basis` |
| end reason | `termination_reason` |
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.scenario import Task
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.json_source import (
    WHOLE_BYTES,
    document,
    elements,
    head_keys,
    is_json_file,
    member,
)
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_dict,
    as_list,
    as_number,
    as_text,
    first,
    make_task,
    task_id,
)
from trajaudit.record.importers.tau2_dialogue import Dialogue, seconds_between
from trajaudit.record.importers.tau2_reward import end_of, origin_of
from trajaudit.record.importers.tau_task import (
    Action,
    action_path,
    state_path,
    texts,
    tools_named,
)

NAME = "tau2_bench"
_KNOWN = frozenset(
    {"id", "task_id", "timestamp", "start_time", "end_time", "duration", "termination_reason"}
    | {"agent_cost", "user_cost", "reward_info", "messages", "trial", "seed", "policy", "mode"}
)
_KNOWN_TASK = frozenset(
    {"id", "description", "user_scenario", "ticket", "evaluation_criteria", "initial_state"}
    | {"annotations", "user_tools", "issues", "required_documents"}
)
_STATE = frozenset({"DB", "ENV_ASSERTION"})


@dataclass(frozen=True)
class _Log:
    """What all simulations of a file share."""

    domain: str
    agent: str
    model_id: str
    tasks: dict[str, dict[str, Any]]


def sniff(source: Source) -> bool:
    """A JSON object with `info`, `tasks` and `simulations`, as far as its head shows it."""
    if source.is_folder or not is_json_file(source.path) or source.head.lstrip()[:1] != b"{":
        return False
    keys = head_keys(source)
    known = {"simulations", "tasks"} <= keys or {"agent_info", "user_info"} <= keys
    return known and bool({"evaluation_criteria", "environment_info", "reward_info"} & keys)


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a simulation."""
    tasks, simulations, info = _parts(source, losses)
    agent = as_dict(info.get("agent_info"))
    log = _Log(
        domain=as_text(as_dict(info.get("environment_info")).get("domain_name")),
        agent=as_text(agent.get("implementation")),
        model_id=as_text(agent.get("llm")) or source.path.stem,
        tasks={as_text(task.get("id")): task for task in map(as_dict, tasks)},
    )

    def make(record: Any) -> ForeignTrial | None:
        return _trial(as_dict(record), log, losses)

    yield from mapped(simulations, make, losses, "simulation")


def _parts(
    source: Source, losses: Losses
) -> tuple[Iterator[Any], Iterator[tuple[str, Any]], dict[str, Any]]:
    """Return tasks, simulations with their places, and what is said of the run."""
    if source.path.stat().st_size > WHOLE_BYTES:
        tasks = (task for _, task in elements(source, losses, "tasks"))
        info = as_dict(member(source, "info"))
        return tasks, elements(source, losses, "simulations"), info
    whole = as_dict(document(source))
    places = (
        (f"{source.name}#{number}", one)
        for number, one in enumerate(as_list(whole.get("simulations")))
    )
    return iter(as_list(whole.get("tasks"))), places, as_dict(whole.get("info"))


def _trial(record: dict[str, Any], log: _Log, losses: Losses) -> ForeignTrial | None:
    messages = as_list(record.get("messages"))
    if not messages:
        losses.malformed("simulation", "no messages")
        return None
    losses.unknown("", record, _KNOWN)
    builder = TrialBuilder(losses)
    dialogue = Dialogue(builder, losses, log.model_id, as_text(record.get("start_time")))
    for message in messages:
        dialogue.take(as_dict(message))
    name = as_text(record.get("task_id"))
    task = log.tasks.get(name, {})
    if not task:
        losses.malformed("simulation.task_id", f"no task {name!r} in the file")
    reward = as_dict(record.get("reward_info"))
    criteria = as_dict(task.get("evaluation_criteria"))
    end, detail = end_of(as_text(record.get("termination_reason")))
    actions = [_action(one) for one in map(as_dict, as_list(criteria.get("actions")))]
    return ForeignTrial(
        task=_task(name, task, actions, log, losses),
        events=builder.end(end, detail),
        origin=origin_of(record, reward, losses.where, end).model_copy(
            update={"format": NAME, "agent": log.agent, "model_id": log.model_id}
        ),
        tools=tools_named([*dialogue.tools, *(one.name for one in actions if not one.by_user)]),
        started=as_text(record.get("start_time")),
        duration_s=max(
            as_number(record.get("duration"))
            or seconds_between(record.get("start_time"), record.get("end_time")),
            0.0,
        ),
    )


def _task(
    name: str, task: dict[str, Any], actions: list[Action], log: _Log, losses: Losses
) -> Task:
    losses.unknown("tasks", task, _KNOWN_TASK)
    return make_task(
        task_id(log.domain, name),
        _prompt(task),
        losses,
        accept=_accept(as_dict(task.get("evaluation_criteria")), actions),
    )


def _accept(criteria: dict[str, Any], actions: list[Action]) -> dict[str, Any] | None:
    """Return what the reward is based on, as far as it can be expressed: assertions on the
    environment can not, and what a simulated user has to do is none of the agent's.
    """
    basis = {as_text(one) for one in as_list(criteria.get("reward_basis"))} or {"DB"}
    accept: dict[str, Any] = {}
    if "DB" in basis and not any(one.by_user for one in actions):
        accept = state_path(actions)
    elif "ACTION" in basis and actions and not (basis & _STATE):
        accept = {} if any(one.by_user for one in actions) else action_path(actions)
    told = texts(as_list(criteria.get("communicate_info"))) if "COMMUNICATE" in basis else []
    return {**accept, "communicate": told} if accept or told else None


def _action(found: dict[str, Any]) -> Action:
    compared = found.get("compare_args")
    return Action(
        as_text(found.get("name")),
        as_dict(found.get("arguments")),
        by_user=found.get("requestor") == "user",
        compared=tuple(map(as_text, compared)) if isinstance(compared, list) else None,
    )


def _prompt(task: dict[str, Any]) -> str:
    """Return what the simulated user was told to want; for an agent on its own, the ticket."""
    scenario = as_dict(task.get("user_scenario"))
    told = scenario.get("instructions")
    if isinstance(told, str):
        return told
    fields = as_dict(told)
    parts = ("reason_for_call", "known_info", "unknown_info", "task_instructions")
    text = "\n".join(filter(None, (as_text(fields.get(part)) for part in parts)))
    return text or as_text(first(task, "ticket", "description"))


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="tau2-bench results: JSON with info, tasks and simulations",
)
