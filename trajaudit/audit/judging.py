"""Which trials of a run are put to which panel, and what would that take?"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trajaudit.audit.ceilings import FREE, require_prices
from trajaudit.audit.score import trajectory_of
from trajaudit.datamodel.judging import Judge
from trajaudit.datamodel.run import Outcome, TrialRecord
from trajaudit.datamodel.scenario import PanelUse, Scenario
from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.errors import UsageError
from trajaudit.judge.ceiling import CHARS_PER_TOKEN
from trajaudit.judge.column import is_doubtful, is_judgeable
from trajaudit.judge.commit import Commission, messages_of
from trajaudit.judge.panel import calls_of, seated
from trajaudit.judge.prompt import pointwise
from trajaudit.judge.seat import Item
from trajaudit.judge.view import cleaned, system_text, view_of
from trajaudit.llm import family_of
from trajaudit.llm.price import Price, cost_usd
from trajaudit.record.judges import LoadedPanel, load_panel
from trajaudit.record.rundir import RunDir


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """What was asked for; None leaves what the scenario or the panel says."""

    panel: str | None = None
    rubric: str | None = None
    every: bool = False
    """Every trial, and not only those that the rules leave in doubt."""
    start: Path = field(default_factory=Path.cwd)
    """Where names of panels are looked up from."""
    send_keys: bool = True
    """False where a file of the scenario named the panel: keys then go to known addresses only."""
    told: Callable[[int, int], None] = lambda *_: None
    """Is called with how many trials are judged, of how many."""


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
    name = options.panel or panel_named(run.config.scenario.panel)
    return load_panel(name, options.start, rubric=options.rubric)


def panel_named(use: PanelUse | None) -> str:
    """Return the name of the panel that a scenario uses; the shipped one where it names none."""
    return "default" if use is None else use.use


def items(run: RunDir, loaded: LoadedPanel, options: JudgeOptions) -> Iterator[Item]:
    """Yield the trials that are put to the panel, one at a time.

    Raises:
        UsageError: the run was not scored.
    """
    use = run.config.scenario.panel
    always = use is not None and use.when == "always"
    every = options.every or not loaded.rubric.decides or always
    policies: dict[str, str] = {}
    if not (run.path / "outcomes.jsonl").exists():
        raise UsageError(f"{run.run_id} was not scored; run trajaudit score first")
    outcomes = {(one.task_id, one.trial): one for one in run.read_outcomes()}
    for record in run.read_trials():
        outcome = outcomes.get((record.task_id, record.trial))
        if outcome is not None and (is_judgeable if every else is_doubtful)(outcome):
            model = record.origin.model_id if record.origin else run.config.model_id
            item = _item(run, loaded, record, outcome, policies)
            yield replace(item, agent_family=family_of(model or run.config.model_id))


def _item(
    run: RunDir,
    loaded: LoadedPanel,
    record: TrialRecord,
    outcome: Outcome,
    policies: dict[str, str],
) -> Item:
    task, scenario = run.tasks.task(outcome.task_id), run.tasks.scenario(record)
    trajectory = trajectory_of(run, outcome.task_id, outcome.trial)
    commission = None
    if loaded.panel.commit_first:
        # One wording for all trials of a task, so that judges make their notes once.
        policy = policies.setdefault(task.id, policy_of(scenario, trajectory))
        commission = Commission(task, scenario.tools, policy)
    return Item(
        task_id=outcome.task_id,
        trial=outcome.trial,
        view=view_of(loaded.rubric.view, task, trajectory),
        lenient=outcome.lenient,
        commission=commission,
    )


def policy_of(scenario: Scenario, trajectory: Trajectory) -> str:
    """Return the rules that the agent was given: of its scenario, else as its log shows them."""
    own = getattr(scenario.agent, "system", None)
    if own:
        return str(own)
    return cleaned(system_text(trajectory), trajectory)


def estimate(run: RunDir, options: JudgeOptions) -> Estimate:
    """Return what judging would take; no model is opened and nothing is sent.

    Raises:
        UsageError: the run was not scored, a file of the panel is wrong, or a ceiling of its
            cannot hold.
    """
    loaded = panel_of(run, options)
    require_prices(loaded.panel)
    return estimate_of(loaded, items(run, loaded, options))


def estimate_of(
    loaded: LoadedPanel, wanted: Iterable[Item], *, everybody: bool = False
) -> Estimate:
    """Return what putting trials to a panel would take; `everybody`: no stage is spared."""
    judges, first = loaded.panel.judges, loaded.panel.first
    families = [judge.family or family_of(judge.model) for judge in judges]
    sum_of = Sum()
    trials = 0
    noted: set[tuple[str, int]] = set()
    for item in wanted:
        trials += 1
        places, _ = seated(families, item.agent_family, first)
        fewest, most = calls_of(loaded.panel, len(places))
        prompt = pointwise(loaded.rubric, loaded.prompt, item.view, seed="", order=1)
        needed = most if everybody else fewest
        sum_of.add([judges[at] for at in places], prompt.messages, needed, most)
        for number, at in enumerate(places if item.commission else ()):
            key = (item.commission.sha256 if item.commission else "", at)
            if item.commission and key not in noted:
                noted.add(key)
                asked = messages_of(item.commission, loaded.commit_prompt)
                sum_of.add([judges[at]], asked, int(number < first), 1)
    return Estimate(
        trials=trials,
        fewest_calls=sum_of.fewest,
        most_calls=sum_of.most,
        prompt_tokens=sum_of.tokens,
        most_cost_usd=sum_of.cost,
    )


@dataclass
class Sum:
    """What many questions would take."""

    fewest: int = 0
    most: int = 0
    tokens: int = 0
    cost: float | None = 0.0

    def add(
        self,
        judges: Sequence[Judge],
        messages: Sequence[Mapping[str, str]],
        fewest: int,
        most: int,
    ) -> None:
        """Add one question that goes to several judges, in so many calls together."""
        size = round(sum(len(one["content"]) for one in messages) / CHARS_PER_TOKEN)
        self.fewest, self.most = self.fewest + fewest, self.most + most
        self.tokens += size * most
        each = [_call_cost(judge, size) for judge in judges]
        known = [one for one in each if one is not None]
        if self.cost is not None:
            whole = len(known) == len(each)
            self.cost = self.cost + sum(known) * most / len(each) if whole else None


def _call_cost(judge: Judge, prompt_tokens: int) -> float | None:
    if judge.model.startswith(FREE):
        return 0.0
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": judge.max_tokens}
    return cost_usd(usage, price_of(judge))


def price_of(judge: Judge) -> Price | None:
    """Return what a judge's tokens cost, where the panel says it."""
    if judge.price is None:
        return None
    return Price(prompt=judge.price.prompt, completion=judge.price.completion)
