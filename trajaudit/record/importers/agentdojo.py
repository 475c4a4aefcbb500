"""AgentDojo: one run a JSON file, or a record a line; also the form that the DRIFT defence writes.

| here | there |
|---|---|
| task | `suite_name`, `user_task_id`, under attack `injection_task_id`; the first user message |
| step | message of role assistant in `messages` or `conversations` |
| call | `tool_calls[]`: `function`, `args`, `id` |
| reply of a tool, failed | message of role tool: `content`, `error` |
| raw verdict | `utility` |
| checks | utility; under attack injection_resisted: `security` says that the attack succeeded |
| tools | `tool_permission`, which says of each tool whether it reads or writes |
"""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.event import EndReason
from trajaudit.datamodel.imported import Origin
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.base import ForeignTrial, Importer, Source, mapped
from trajaudit.record.importers.builder import TrialBuilder
from trajaudit.record.importers.json_source import (
    document,
    elements,
    head_keys,
    is_json_file,
    lines,
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

NAME = "agentdojo"
_KNOWN = frozenset(
    {"suite_name", "pipeline_name", "user_task_id", "injection_task_id", "attack_type", "duration"}
    | {"messages", "conversations", "utility", "security", "error", "tool_permission"}
    | {"benchmark_version", "agentdojo_package_version", "evaluation_timestamp", "total_tokens"}
    | {"injections", "initial_trajectory", "initial_checklist", "build_constraints"}
    | {"injection_isolation", "dynamic_validation", "adaptive_attack"}
)
_KNOWN_MESSAGE = frozenset(
    {"role", "content", "tool_calls", "tool_call_id", "tool_call", "error", "id"}
)


def sniff(source: Source) -> bool:
    """A record with a suite, a user task and its utility, as far as the head shows it."""
    if source.is_folder or not is_json_file(source.path):
        return False
    return head_keys(source) >= {"suite_name", "pipeline_name", "user_task_id"}


def read(source: Source, losses: Losses) -> Iterator[ForeignTrial]:
    """Yield one trial a record."""

    def make(record: Any) -> ForeignTrial | None:
        fields = as_dict(record)
        return _trial(as_dict(fields.get("data")) or fields, losses)

    yield from mapped(_records(source, losses), make, losses, "run")


def _records(source: Source, losses: Losses) -> Iterator[tuple[str, Any]]:
    if source.path.suffix.lower() != ".json":
        yield from lines(source, losses)
    elif source.head.lstrip()[:1] == b"[":
        yield from elements(source, losses)
    else:
        yield source.name, document(source)


def _trial(record: dict[str, Any], losses: Losses) -> ForeignTrial | None:
    messages = [as_dict(one) for one in as_list(first(record, "messages", "conversations"))]
    if not messages:
        losses.malformed("run", "no messages")
        return None
    losses.unknown("", record, _KNOWN)
    builder = TrialBuilder(losses)
    names: set[str] = set()
    for number, message in enumerate(messages):
        losses.unknown("messages", message, _KNOWN_MESSAGE)
        earlier = [one.get("role") for one in messages[:number]]
        _message(message, builder, names, losses, is_task="user" not in earlier)
    prompt = next((_text(one) for one in messages if one.get("role") == "user"), "")
    attack = as_text(record.get("injection_task_id"))
    end, detail = _end(record)
    return ForeignTrial(
        task=make_task(
            task_id(record.get("suite_name"), record.get("user_task_id"), attack), prompt, losses
        ),
        events=builder.end(end, detail),
        origin=_origin(record, attack, losses.where),
        tools=_tools(as_dict(record.get("tool_permission")), names, losses),
        duration_s=max(as_number(record.get("duration")) or 0.0, 0.0),
    )


def _message(
    message: dict[str, Any],
    builder: TrialBuilder,
    names: set[str],
    losses: Losses,
    *,
    is_task: bool,
) -> None:
    role, text = message.get("role"), _text(message)
    if role == "assistant":
        calls = []
        for call in map(as_dict, as_list(message.get("tool_calls"))):
            name = as_text(call.get("function"))
            names.add(name)
            calls.append(builder.request(name, call.get("args"), as_text(call.get("id")) or None))
        builder.assistant(text, calls=calls)
    elif role == "tool":
        error = as_text(message.get("error"))
        asked = as_dict(message.get("tool_call"))
        call_id = as_text(first(message, "tool_call_id") or asked.get("id")) or None
        tool = as_text(asked.get("function"))
        builder.answer(call_id, text or error, tool=tool, is_error=bool(error))
    elif role == "user":
        builder.prompt("user", text, first=is_task)
    elif role == "system":
        builder.prompt("system", text)
    else:
        losses.malformed("messages.role", repr(role))


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if not isinstance(content, list):
        return as_text(content)
    return "\n".join(as_text(first(as_dict(part), "content", "text")) for part in content)


def _end(record: dict[str, Any]) -> tuple[EndReason, str]:
    error = as_text(record.get("error"))
    return ("agent_error", error) if error else ("replied", "")


def _origin(record: dict[str, Any], attack: str, source: str) -> Origin:
    utility, security = record.get("utility"), record.get("security")
    checks: dict[str, bool | None] = {}
    if isinstance(utility, bool):
        checks["utility"] = utility
    if attack and attack != "none" and isinstance(security, bool):
        checks["injection_resisted"] = not security
    return Origin(
        source=source,
        format=NAME,
        source_id="/".join(
            as_text(record.get(name)) for name in ("suite_name", "user_task_id", "attack_type")
        ),
        agent=as_text(record.get("pipeline_name")),
        model_id=as_text(record.get("pipeline_name")),
        raw=utility if isinstance(utility, bool) else None,
        raw_detail=f"utility {utility}, security {security}",
        checks=checks,
        basis=("utility",),
    )


def _tools(permissions: dict[str, Any], called: set[str], losses: Losses) -> tuple[ToolSpec, ...]:
    found = []
    for name in sorted({*permissions, *called}):
        try:
            found.append(
                ToolSpec(
                    name=name,
                    parameters={"type": "object"},
                    effect="read" if permissions.get(name) == "Read" else "write",
                )
            )
        except ValidationError:
            losses.dropped("tools", name)
    return tuple(found) if permissions else ()


IMPORTER = Importer(
    name=NAME,
    sniff=sniff,
    read=read,
    describes="AgentDojo runs: JSON or JSONL with utility and security",
)
