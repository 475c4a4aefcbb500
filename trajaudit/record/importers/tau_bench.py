"""tau-bench: a JSON list of runs with their dialogue, gold actions and reward.

| here | there |
|---|---|
| task | `task_id` with the domain of the policy; what the simulated user was told |
| accepted path | `info.task.actions`: writes exactly, reads optional, any order |
| texts to be told | `info.task.outputs` |
| step | message of role assistant in `traj` |
| raw verdict | `reward`, or `components.base_success` of a shaped reward |
| checks | `r_actions` is the database, `r_outputs` what was told |
| no `reward_info` | the run was cut at its limit of steps |
"""

from collections.abc import Iterator
from typing import Any

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.scenario import Task
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.chat import ChatReader, calls_of, text_of
from trajaudit.record.importers.json_source import elements, head_keys, is_json_file
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import (
    as_dict,
    as_list,
    as_number,
    as_text,
    make_task,
    task_id,
)
from trajaudit.record.importers.tau_task import Action, domain_of, state_path, texts, tools_named

NAME = "tau_bench"
_KNOWN = frozenset({"task_id", "reward", "info", "traj", "trial"})
_KNOWN_INFO = frozenset({"task", "source", "user_cost", "reward_info", "error"})
_KNOWN_TASK = frozenset({"user_id", "actions", "instruction", "outputs", "annotator"})
_KNOWN_REWARD = frozenset({"reward", "info", "actions", "components"})
_RESPOND = "respond"


def sniff(source: Source) -> bool:
    """A JSON list whose first record has a task, a reward and a trajectory."""
    if source.is_folder or not is_json_file(source.path) or source.head.lstrip()[:1] != b"[":
        return False
    return head_keys(source) >= {"task_id", "reward", "info", "task", "instruction", "actions"}


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a run."""
    stem = source.path.stem

    def make(record: Any) -> ForeignTrial | None:
        return _trial(as_dict(record), stem, losses)

    yield from mapped(elements(source, losses), make, losses, "run")


def _trial(record: dict[str, Any], stem: str, losses: Losses) -> ForeignTrial | None:
    messages = as_list(record.get("traj"))
    if not messages:
        losses.malformed("run", "no traj")
        return None
    info = as_dict(record.get("info"))
    losses.unknown("", record, _KNOWN)
    losses.unknown("info", info, _KNOWN_INFO)
    builder = TrialBuilder(losses)
    names = _read_messages(messages, builder, losses)
    actions = _actions(info, losses)
    end, detail = _end(info)
    name = as_text(record.get("task_id"))
    return ForeignTrial(
        task=_task(name, info, messages, actions, losses),
        events=builder.end(end, detail),
        origin=_origin(record, name, stem, losses),
        tools=tools_named([*names, *(action.name for action in actions)]),
    )


def _read_messages(messages: list[Any], builder: TrialBuilder, losses: Losses) -> set[str]:
    """Feed the dialogue to the builder; return the names of the tools that were called."""
    reader = ChatReader(builder, losses, user=True)
    names: set[str] = set()
    for message in map(as_dict, messages):
        if message.get("role") == "tool":
            text = text_of(message.get("content"), losses)
            builder.answer(
                as_text(message.get("tool_call_id")) or None,
                text,
                tool=as_text(message.get("name")),
                is_error=text.startswith("Error"),
            )
        else:
            names |= {tool for _, tool, _ in calls_of(message, Losses())}
            reader.take(message)
    return names


def _task(
    name: str, info: dict[str, Any], messages: list[Any], actions: list[Action], losses: Losses
) -> Task:
    task = as_dict(info.get("task"))
    losses.unknown("info.task", task, _KNOWN_TASK)
    first = as_dict(messages[0])
    policy = as_text(first.get("content")) if first.get("role") == "system" else ""
    accept = {**state_path(actions), "communicate": texts(as_list(task.get("outputs")))}
    return make_task(
        task_id(domain_of(policy), name),
        as_text(task.get("instruction")),
        losses,
        accept=accept if "actions" in task else None,
    )


def _actions(info: dict[str, Any], losses: Losses) -> list[Action]:
    found = []
    for action in map(as_dict, as_list(as_dict(info.get("task")).get("actions"))):
        name = as_text(action.get("name"))
        if not name:
            losses.malformed("info.task.actions", action)
        elif name != _RESPOND:
            found.append(Action(name, as_dict(action.get("kwargs", action.get("arguments")))))
    return found


def _end(info: dict[str, Any]) -> tuple[EndReason, str]:
    if info.get("error"):
        return "infra_error", as_text(info["error"])
    if not info.get("reward_info"):
        return "step_limit", "no reward_info: the run did not come to its end"
    return "replied", ""


def _origin(record: dict[str, Any], name: str, stem: str, losses: Losses) -> Origin:
    given = as_dict(as_dict(record.get("info")).get("reward_info"))
    losses.unknown("info.reward_info", given, _KNOWN_REWARD)
    reward = as_number(record.get("reward"))
    success = as_number(as_dict(given.get("components")).get("base_success"))
    decided = reward if success is None else success
    raw = decided == 1 if decided in (0, 1) else None
    if as_dict(record.get("info")).get("error"):
        raw = None
    return Origin(
        source=losses.where,
        format=NAME,
        source_id=f"{name}/{as_text(record.get('trial'))}",
        model_id=stem,
        raw=raw,
        raw_score=reward,
        raw_detail=f"reward {reward}",
        checks=_checks(as_dict(given.get("info")), raw=raw),
    )


def _checks(info: dict[str, Any], *, raw: bool | None) -> dict[str, bool | None]:
    """Take the reward apart; where outputs were compared the log tells of the database only
    through the reward.
    """
    checks: dict[str, bool | None] = {}
    actions, outputs = as_number(info.get("r_actions")), as_number(info.get("r_outputs"))
    if actions is not None:
        checks["db"] = actions == 1
    if outputs is not None:
        checks["communicate"] = outputs == 1
        if actions is None and raw is not None and (raw or outputs == 1):
            checks["db"] = raw
    return checks


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="tau-bench runs: JSON list with traj, reward and gold actions",
)
