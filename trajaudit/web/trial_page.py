"""One blind trial as a page shows it: the task, and the steps in portions that stay quick."""

import json
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.datamodel.trajectory import Message, Observation, Step, ToolCall
from trajaudit.report.block import Block, block
from trajaudit.report.timeline import bare_view, step_views
from trajaudit.report.views import StepView, TrialView
from trajaudit.review.blind import BlindTrial
from trajaudit.review.desk_records import Hand
from trajaudit.web.difference import Changed, PatchView, changed, patch_view
from trajaudit.web.language import Words

PORTION_CHARS = 120_000
PORTION_STEPS = 40
TEXT_CHARS = 40_000
"""Of one text of a step; the rest comes when it is asked for."""
BRIEF_CHARS = 100_000
"""Of one text of the task."""


@dataclass(frozen=True)
class Portion:
    """Steps that are sent together."""

    number: int
    first: int
    last: int


@dataclass(frozen=True)
class ShownStep:
    """A step, and whether all of it is there."""

    view: StepView
    whole: bool


@dataclass(frozen=True)
class ShownTool:
    """A tool that the agent was offered."""

    name: str
    description: Block
    parameters: Block


@dataclass(frozen=True)
class ShownTrial:
    """A trial with its first steps."""

    hand: Hand | None
    prefix: str
    """With which the ids of this trial begin."""
    content: BlindTrial
    view: TrialView
    policy: Block | None
    tools: tuple[ShownTool, ...]
    patch: PatchView | None
    world: tuple[Changed, ...]
    world_whole: bool
    steps: tuple[ShownStep, ...]
    later: tuple[Portion, ...]


def prefix_of(hand: Hand | None) -> str:
    """Return the beginning of the ids of a trial on its page."""
    return "x" if hand is None else hand


def shown_trial(content: BlindTrial, words: Words, hand: Hand | None = None) -> ShownTrial:
    """Lay out a trial: everything around the steps, and the first portion of these."""
    trajectory = content.trajectory
    first, *later = portions(content) or (Portion(1, 0, 0),)
    world, whole = changed(trajectory.world_start, trajectory.world_end)
    around = trajectory.model_copy(
        update={
            "after": tuple(_cut_message(one, words) for one in trajectory.after),
            "final_reply": trajectory.final_reply
            and _cut(trajectory.final_reply, words, BRIEF_CHARS),
        }
    )
    return ShownTrial(
        hand=hand,
        prefix=prefix_of(hand),
        content=content,
        view=bare_view(prefix_of(hand), around, content.task),
        policy=block(content.policy) if content.policy else None,
        tools=tuple(
            ShownTool(one.name, block(one.description), _json_block(one.parameters))
            for one in content.tools
        ),
        patch=patch_view(content.patch) if content.patch else None,
        world=world,
        world_whole=whole,
        steps=shown_steps(content, words, hand, first),
        later=tuple(later),
    )


def _json_block(value: JsonValue) -> Block:
    return block(json.dumps(value, ensure_ascii=False))


def portions(content: BlindTrial) -> tuple[Portion, ...]:
    """Cut the steps of a trial into portions; the same trial always in the same way."""
    found: list[Portion] = []
    held: list[int] = []
    size = 0
    for step in content.trajectory.steps:
        weight = sum(min(len(text), TEXT_CHARS) for text in step_texts(step))
        if held and (size + weight > PORTION_CHARS or len(held) == PORTION_STEPS):
            found.append(Portion(len(found) + 1, held[0], held[-1]))
            held, size = [], 0
        held.append(step.number)
        size += weight
    if held:
        found.append(Portion(len(found) + 1, held[0], held[-1]))
    return tuple(found)


def shown_steps(
    content: BlindTrial, words: Words, hand: Hand | None, portion: Portion
) -> tuple[ShownStep, ...]:
    """Lay out the steps of a portion, long texts cut."""
    trajectory = content.trajectory
    wanted = [one for one in trajectory.steps if portion.first <= one.number <= portion.last]
    cut = [cut_step(one, words) for one in wanted]
    views = step_views(prefix_of(hand), trajectory, cut)
    pairs = zip(views, wanted, cut, strict=True)
    return tuple(ShownStep(view, whole=step == short) for view, step, short in pairs)


def whole_step(content: BlindTrial, hand: Hand | None, number: int) -> ShownStep | None:
    """Lay out one step with all of its texts; None: there is no such step."""
    trajectory = content.trajectory
    wanted = [one for one in trajectory.steps if one.number == number]
    views = step_views(prefix_of(hand), trajectory, wanted)
    return ShownStep(views[0], whole=True) if views else None


def step_texts(step: Step) -> list[str]:
    """Return every text of a step, uncut."""
    texts = [
        text
        for message in (*step.before, step.message)
        for text in (message.reasoning, message.content)
        if text
    ]
    for call in step.tool_calls:
        texts += [call.tool, call.arguments_text, call.requested_text or "", call.parse_error or ""]
    texts += [seen.content for seen in step.observations]
    return [*texts, *step.notes]


def cut_step(step: Step, words: Words) -> Step:
    """Return a step whose long texts end early, and say so."""
    if all(len(text) <= TEXT_CHARS for text in step_texts(step)):
        return step
    update = {
        "before": tuple(_cut_message(one, words) for one in step.before),
        "message": _cut_message(step.message, words),
        "tool_calls": tuple(_cut_call(one, words) for one in step.tool_calls),
        "observations": tuple(_cut_seen(one, words) for one in step.observations),
        "notes": tuple(_cut(one, words) for one in step.notes),
    }
    return step.model_copy(update=update)


def _cut_message(message: Message, words: Words) -> Message:
    reasoning = None if message.reasoning is None else _cut(message.reasoning, words)
    return message.model_copy(
        update={"content": _cut(message.content, words), "reasoning": reasoning}
    )


def _cut_call(call: ToolCall, words: Words) -> ToolCall:
    if len(call.arguments_text) <= TEXT_CHARS:
        return call
    # A table of half of the arguments would look like all of them.
    update = {"arguments_text": _cut(call.arguments_text, words), "arguments": None}
    return call.model_copy(update=update)


def _cut_seen(seen: Observation, words: Words) -> Observation:
    return seen.model_copy(update={"content": _cut(seen.content, words)})


def _cut(text: str, words: Words, limit: int = TEXT_CHARS) -> str:
    if len(text) <= limit:
        return text
    return text[:limit] + "\n" + words("characters_more", n=f"{len(text) - limit:,}")
