"""What a reviewer sees of a trial, and nothing besides.

It is built from the fields that `shown` allows. Run, task, trial, agent, model, costs, durations,
verdicts, findings, votes and other people's labels are not among them, and names of the agent and
its model are hidden in every text, as they are from judges. The same content has one id, whatever
run, agent or trial it comes from, so that nobody labels it twice.
"""

import hashlib
import json
from typing import cast

from trajaudit.datamodel._base import Record
from trajaudit.datamodel.run import TrialRecord
from trajaudit.datamodel.scenario import Scenario, Task
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.judge.names import brands, telling
from trajaudit.judge.view import system_text
from trajaudit.record.artifact import load_artifact
from trajaudit.record.rundir import RunDir
from trajaudit.review.shown import Hider


class BlindTrial(Record):
    """One trial as it is put to people."""

    item_id: str
    """SHA-256 of all that follows."""
    task: Task
    """Prompt, reference and accepted paths, under a neutral id."""
    policy: str = ""
    """The rules that the agent was given; empty where it had none."""
    tools: tuple[ToolSpec, ...] = ()
    """Those that this task offers, as the agent saw them."""
    trajectory: Trajectory
    patch: str | None = None
    """What was left in the repository, as a patch. None: no such task, or nothing was left."""


def blind_trial(
    run: RunDir, record: TrialRecord, task: Task, scenario: Scenario, trajectory: Trajectory
) -> BlindTrial:
    """Return a trial of a run as it is put to people; a patch is read from its artifacts.

    `scenario`: the trial's own, with the tools that it was offered (`run.tasks.scenario(record)`).
    """
    config, origin = run.config, record.origin
    agents = [trajectory.agent, config.agent, origin.agent if origin else ""]
    models = [trajectory.model_id, config.model_id, origin.model_id if origin else ""]
    names = {*telling(agents, models), *brands(models)}
    taken, patch = trajectory.patch, None
    if taken is not None and taken.artifact is not None:
        folder = run.trial_dir(record.task_id, record.trial)
        data = load_artifact(folder, taken.artifact)
        patch = None if data is None else data.decode(errors="backslashreplace")
    hider = Hider(sorted(names, key=lambda name: (-len(name), name)))
    return blinded(hider, task, scenario, trajectory, patch)


def blinded(
    hider: Hider,
    task: Task,
    scenario: Scenario,
    trajectory: Trajectory,
    patch: str | None = None,
) -> BlindTrial:
    """Return what may be seen of a trial, with its id; pure."""
    if task.accept is None and scenario.accept is not None:
        task = task.model_copy(update={"accept": scenario.accept})
    offered = [one for one in scenario.tools if task.tools is None or one.name in task.tools]
    own = getattr(scenario.agent, "system", None)
    shown = BlindTrial(
        item_id="",
        task=cast("Task", hider.record(task)),
        policy=hider.text(own or system_text(trajectory)),
        tools=tuple(cast("ToolSpec", hider.record(one)) for one in offered),
        trajectory=cast("Trajectory", hider.record(trajectory)),
        patch=hider.text(patch),
    )
    return shown.model_copy(update={"item_id": _digest(shown)})


def pair_id(first: BlindTrial, second: BlindTrial) -> str:
    """Return the id of two trials side by side, whichever hand either is on."""
    both = f"pair\0{first.item_id}\0{second.item_id}"
    return hashlib.sha256(both.encode()).hexdigest()


def _digest(shown: BlindTrial) -> str:
    """Hash the content; a field that is as by default does not count, so that ids outlive it."""
    content = shown.model_dump(exclude={"item_id"}, exclude_defaults=True)
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
