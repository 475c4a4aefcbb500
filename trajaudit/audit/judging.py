"""Which trials of a run are put to which panel, and what would that take?"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.judging import Judge
from trajaudit.datamodel.run import Outcome
from trajaudit.errors import UsageError
from trajaudit.judge.column import is_doubtful, is_judgeable
from trajaudit.judge.panel import calls_of, seated
from trajaudit.judge.prompt import pointwise
from trajaudit.judge.seat import Item
from trajaudit.judge.view import view_of
from trajaudit.llm import family_of
from trajaudit.llm.price import Price, cost_usd
from trajaudit.record.judges import LoadedPanel, load_panel
from trajaudit.record.rundir import RunDir

CHARS_PER_TOKEN = 3.5
"""Of English prose and JSON; only for estimates."""
_FREE = ("local/", "scripted/", "recorded/")


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """What was asked for; None leaves what the scenario or the panel says."""

    panel: str | None = None
    rubric: str | None = None
    every: bool = False
    """Every trial, and not only those that the rules leave in doubt."""
    start: Path = field(default_factory=Path.cwd)
    """Where names of panels are looked up from."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What judging would take, before anything is sent."""

    trials: int
    fewest_calls: int
    most_calls: int
    prompt_tokens: int
    """Of the most calls, by a rule of thumb."""
    most_cost_usd: float | None
    """None: a price is unknown."""


def panel_of(run: RunDir, options: JudgeOptions) -> LoadedPanel:
    """Return the panel that was asked for, else the scenario's, else the shipped one.

    Raises:
        ScenarioError: a file is missing or wrong.
    """
    use = run.config.scenario.panel
    name = options.panel or (use.use if use is not None else "default")
    return load_panel(name, options.start, rubric=options.rubric)


def items(run: RunDir, loaded: LoadedPanel, options: JudgeOptions) -> Iterator[Item]:
    """Yield the trials that are put to the panel, one at a time.

    Raises:
        UsageError: the run was not scored.
    """
    use = run.config.scenario.panel
    every = options.every or not loaded.rubric.decides or (use is not None and use.when == "always")
    if not (run.path / "outcomes.jsonl").exists():
        raise UsageError(f"{run.run_id} was not scored; run trajaudit score first")
    outcomes = {(one.task_id, one.trial): one for one in run.read_outcomes()}
    for record in run.read_trials():
        outcome = outcomes.get((record.task_id, record.trial))
        if outcome is not None and (is_judgeable if every else is_doubtful)(outcome):
            model = record.origin.model_id if record.origin else run.config.model_id
            yield _item(run, loaded, outcome, model or run.config.model_id)


def _item(run: RunDir, loaded: LoadedPanel, outcome: Outcome, model_id: str) -> Item:
    task = run.tasks.task(outcome.task_id)
    trajectory = trajectory_of(run, outcome.task_id, outcome.trial)
    return Item(
        task_id=outcome.task_id,
        trial=outcome.trial,
        view=view_of(loaded.rubric.view, task, trajectory),
        agent_family=family_of(model_id),
        lenient=outcome.lenient,
    )


def estimate(run: RunDir, options: JudgeOptions) -> Estimate:
    """Return what judging would take; no model is opened and nothing is sent.

    Raises:
        UsageError: the run was not scored, or a file of the panel is wrong.
    """
    loaded = panel_of(run, options)
    judges = loaded.panel.judges
    families = [judge.family or family_of(judge.model) for judge in judges]
    trials = few = many = tokens = 0
    cost: float | None = 0.0
    for item in items(run, loaded, options):
        places, _ = seated(families, item.agent_family, loaded.panel.first)
        fewest, most = calls_of(loaded.panel, len(places))
        prompt = pointwise(loaded.rubric, loaded.prompt, item.view, seed="", order=1)
        size = round(sum(len(one["content"]) for one in prompt.messages) / CHARS_PER_TOKEN)
        trials, few, many, tokens = trials + 1, few + fewest, many + most, tokens + size * most
        each = [_call_cost(judges[at], size) for at in places]
        known = [one for one in each if one is not None]
        if cost is not None:
            cost = cost + sum(known) * most / len(each) if len(known) == len(each) else None
    return Estimate(
        trials=trials, fewest_calls=few, most_calls=many, prompt_tokens=tokens, most_cost_usd=cost
    )


def _call_cost(judge: Judge, prompt_tokens: int) -> float | None:
    if judge.model.startswith(_FREE):
        return 0.0
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": judge.max_tokens}
    return cost_usd(usage, price_of(judge))


def price_of(judge: Judge) -> Price | None:
    """Return what a judge's tokens cost, where the panel says it."""
    if judge.price is None:
        return None
    return Price(prompt=judge.price.prompt, completion=judge.price.completion)
