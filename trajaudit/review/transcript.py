"""A blind trial as plain text, for people who label it elsewhere than on our page."""

import json
from collections.abc import Iterable, Iterator

from trajaudit.datamodel.trajectory import Message, Step
from trajaudit.review.blind import BlindTrial


def transcript(item: BlindTrial) -> str:
    """Return what the agent did, step by step; a step begins with its number in brackets."""
    return "\n".join(_lines(item))


def reference(item: BlindTrial) -> str:
    """Return what would be right, as the task says it; empty where it says nothing."""
    task = item.task
    parts = {"target": task.target, "accept": task.accept}
    return "\n".join(
        f"{name}: {_written(one.model_dump(mode='json', exclude_defaults=True))}"
        for name, one in parts.items()
        if one is not None
    )


def _lines(item: BlindTrial) -> Iterator[str]:
    trajectory = item.trajectory
    changes: dict[int, list[str]] = {}
    for change in trajectory.world_changes:
        changes.setdefault(change.step, []).append(_written(change.patch))
    for step in trajectory.steps:
        yield from _step(step)
        yield from (f"[{step.number}] state changed: {one}" for one in changes.get(step.number, ()))
    yield from _messages("end", trajectory.after)
    answer = trajectory.final_reply
    yield f"[end] final answer: {'(none)' if answer is None else answer}"
    if item.patch is not None:
        yield f"[end] patch:\n{item.patch}"
    yield f"[end] {trajectory.end_reason}"


def _step(step: Step) -> Iterator[str]:
    mark = f"[{step.number}]"
    yield from _messages(str(step.number), step.before)
    if step.message.reasoning:
        yield f"{mark} agent thought: {step.message.reasoning}"
    if step.message.content:
        yield f"{mark} agent said: {step.message.content}"
    for call in step.tool_calls:
        yield (
            f"{mark} call {call.tool}({call.arguments_text})"
            f"{'' if call.executed else ' (not carried out)'}"
        )
    for seen in step.observations:
        yield f"{mark} {'error' if seen.is_error else 'result'} of {seen.tool}: {seen.content}"


def _messages(mark: str, messages: Iterable[Message]) -> Iterator[str]:
    for one in messages:
        # The prompt and the policy have columns of their own.
        if one.source != "task" and one.role not in {"system", "developer"}:
            yield f"[{mark}] {one.role} said: {one.content}"


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
