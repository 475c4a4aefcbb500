"""What a probe is: a trial, its changed twin, and what both are put to a judge as."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from trajaudit.datamodel.gold import Label
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Message, Step, Trajectory
from trajaudit.judge.commit import Commission


@dataclass(frozen=True)
class Subject:
    """A trial that is probed."""

    task: Task
    trajectory: Trajectory
    label: Label
    other: Task | None = None
    """A task with another reference of the same kind."""
    commission: Commission | None = None
    """What judges make notes on beforehand, for the trial and for its twins."""


@dataclass(frozen=True)
class Side:
    """One way to put a trial to a judge."""

    task: Task
    trajectory: Trajectory
    order: Literal[1, 2] = 1
    turned_choices: bool = False
    """The criteria stand as in order 1, their choices the other way round."""


@dataclass(frozen=True)
class Probe:
    """A change that must not change a verdict."""

    name: str
    what: str
    twin: Callable[[Subject], Side | None]
    """The changed trial; None: the probe cannot be put to this one."""
    base: Callable[[Subject], Side] | None = None
    """What the twin is compared with; None: the trial as it is."""
    must_pass: bool = False


def clean(subject: Subject) -> Side:
    """Return the trial as it is."""
    return Side(subject.task, subject.trajectory)


def with_reply(trajectory: Trajectory, reply: str) -> Trajectory:
    """Return a trial that ends with other words; what was its final message says them, too."""
    old = trajectory.final_reply
    steps = [
        step.model_copy(update={"message": said(step.message, reply)})
        if step.message.content == old and not step.tool_calls
        else step
        for step in trajectory.steps
    ]
    return trajectory.model_copy(update={"final_reply": reply, "steps": tuple(steps)})


def with_thoughts(trajectory: Trajectory, change: Callable[[str], str]) -> Trajectory:
    """Return a trial with other words beside its calls."""
    steps = [
        step.model_copy(update={"message": said(step.message, change(step.message.content))})
        if step.tool_calls
        else step
        for step in trajectory.steps
    ]
    return trajectory.model_copy(update={"steps": tuple(steps)})


def said(message: Message, content: str) -> Message:
    """Return a message with other words."""
    return message.model_copy(update={"content": content})


def inserted(trajectory: Trajectory, at: int, more: Sequence[Step]) -> Trajectory:
    """Return a trial with steps put in before its step of index `at`; all are numbered anew."""
    steps = list(trajectory.steps)
    more = list(more)
    if more and at < len(steps):
        # What was said to the agent before stays in front.
        more[0] = more[0].model_copy(update={"before": steps[at].before})
        steps[at] = steps[at].model_copy(update={"before": ()})
    steps[at:at] = more
    moved = len(more)

    def number(old: int) -> int:
        return old + moved if old > at else old

    changes = [
        one.model_copy(update={"step": number(one.step)}) for one in trajectory.world_changes
    ]
    last = trajectory.final_step
    return trajectory.model_copy(
        update={
            "steps": tuple(
                step.model_copy(update={"number": place}) for place, step in enumerate(steps, 1)
            ),
            "world_changes": tuple(changes),
            "final_step": None if last is None else number(last),
        }
    )


def of(subject: Subject, trajectory: Trajectory) -> Side:
    """Return the subject's task with another trajectory."""
    return replace(clean(subject), trajectory=trajectory)
