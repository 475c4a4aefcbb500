"""Trials with a known verdict, as they are put to judges: of a labelled set, or of a run."""

import hashlib
import random
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from trajaudit.audit.judging import policy_of
from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.gold import GoldLabel, Label
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.errors import UsageError
from trajaudit.judge.commit import Commission
from trajaudit.judge.notebook import Notebook
from trajaudit.judge.panel import Bench
from trajaudit.judge.seat import Item
from trajaudit.judge.view import view_of
from trajaudit.llm import family_of
from trajaudit.record.gold import load_gold, load_labels, trial_of
from trajaudit.record.judges import LoadedPanel
from trajaudit.record.rundir import RunDir
from trajaudit.review.column import passes_of
from trajaudit.review.settle import human_decisions


@dataclass(frozen=True)
class LabelledTrial:
    """One trial with its verdict, and what it was made from."""

    item: Item
    label: Label
    group: str
    """Twins have one group."""
    task: Task
    trajectory: Trajectory


@dataclass(frozen=True)
class Labelled:
    """Trials with known verdicts."""

    name: str
    sha256: str
    trials: tuple[LabelledTrial, ...]

    def first(self, limit: int) -> "Labelled":
        """Return a seeded choice of whole groups, of at most so many trials.

        Raises:
            UsageError: not even one group fits.
        """
        groups = list(dict.fromkeys(one.group for one in self.trials))
        random.Random(0).shuffle(groups)
        chosen: list[LabelledTrial] = []
        for group in groups:
            more = [one for one in self.trials if one.group == group]
            if len(chosen) + len(more) > limit:
                break
            chosen += more
        if not chosen:
            raise UsageError(f"--limit is too small; got {limit}; twins are kept together")
        text = f"{self.sha256}\0{limit}"
        digest = hashlib.sha256(text.encode()).hexdigest()
        return replace(
            self, name=f"{self.name} ({len(chosen)})", sha256=digest, trials=tuple(chosen)
        )


def with_notebooks(bench: Bench, loaded: LoadedPanel) -> Bench:
    """Return the bench with empty notebooks, where its panel makes notes beforehand."""
    if not loaded.commit_prompt:
        return bench
    books = {
        seat.family: Notebook(partial(seat.commit, template=loaded.commit_prompt))
        for seat in reversed(bench.seats)
    }
    return replace(bench, notebooks=books)


def from_gold(name: str | None, loaded: LoadedPanel, start: Path) -> Labelled:
    """Return a labelled set as it is put to judges; errors as for `load_gold`."""
    gold = load_gold(name, loaded.rubric.name, start)
    trials: list[LabelledTrial] = []
    for one in gold.trials:
        task, trajectory = trial_of(one)
        item = Item(
            task_id=one.id,
            trial=1,
            view=view_of(loaded.rubric.view, task, trajectory),
            commission=Commission(task, (), one.rules) if loaded.panel.commit_first else None,
        )
        trials.append(LabelledTrial(item, one.label, one.of or one.id, task, trajectory))
    return Labelled(gold.name, gold.sha256, tuple(trials))


def from_labels(run: RunDir, loaded: LoadedPanel, labels: Path | None) -> Labelled:
    """Return the trials of a run that people labelled, in a file or in the run itself.

    Raises:
        ScenarioError: the file is wrong.
        UsageError: a label is of a trial that is not there, or there is none at all.
    """
    if labels is None:
        known, name = _settled(run), f"people's verdicts in {run.run_id}"
        text = "".join(one.model_dump_json() for one in known)
        digest = hashlib.sha256(text.encode()).hexdigest()
    else:
        known, digest = load_labels(labels)
        name = labels.stem
    if not known:
        raise UsageError(f"{run.run_id}: no trial has a person's verdict; name a file of labels")
    # Trials of one task are no independent evidence: one of each label is enough.
    one_each = {(one.task_id, one.label): one for one in reversed(known)}
    chosen = sorted(one_each.values(), key=known.index)
    return Labelled(name, digest, tuple(_labelled(run, loaded, one) for one in chosen))


def _settled(run: RunDir) -> list[GoldLabel]:
    """Return what people settled, scored since or not, in the order of the run's trials."""
    passes = passes_of(human_decisions(run))
    known = [key for key in run.trial_keys() if key in passes]
    return [
        GoldLabel(task_id=task_id, trial=trial, label="pass" if passes[task_id, trial] else "fail")
        for task_id, trial in known
    ]


def _labelled(run: RunDir, loaded: LoadedPanel, label: GoldLabel) -> LabelledTrial:
    record = run.read_trial(label.task_id, label.trial)
    if record is None:
        raise UsageError(
            f"{run.run_id}: a label is of no whole trial; got {label.task_id!r}/{label.trial}"
        )
    task, scenario = run.tasks.task(label.task_id), run.tasks.scenario(record)
    trajectory = trajectory_of(run, label.task_id, label.trial)
    model = (record.origin.model_id if record.origin else None) or run.config.model_id
    commission = Commission(task, scenario.tools, policy_of(scenario, trajectory))
    item = Item(
        task_id=label.task_id,
        trial=label.trial,
        view=view_of(loaded.rubric.view, task, trajectory),
        agent_family=family_of(model),
        commission=commission if loaded.panel.commit_first else None,
    )
    return LabelledTrial(item, label.label, label.task_id, task, trajectory)
