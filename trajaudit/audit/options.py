"""What may be changed about a scenario for one run, and what the caller is told meanwhile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trajaudit.datamodel.scenario import PanelUse, Scenario, Task
from trajaudit.errors import UsageError
from trajaudit.llm.pace import RetryPolicy
from trajaudit.record.agents import load_agent
from trajaudit.record.fault import nearest
from trajaudit.record.scenarios import LoadedScenario

MOST_TRIALS = 1_000_000
"""Of one run: more is a slip of the keyboard, and would fill the memory before the first one."""


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Overrides of one run; None leaves what the scenario says."""

    model: str | None = None
    base_url: str | None = None
    agent: str | None = None
    trials: int | None = None
    tasks: Sequence[str] = ()
    tags: Sequence[str] = ()
    sandbox: str | None = None
    concurrency: int | None = None
    seed: int | None = None
    control: bool | None = None
    """Tasks that declare faults are run once more without them."""
    runs_dir: Path | None = None
    allow_mcp: bool = False
    """Recorded MCP servers may be reached, or started as commands on this machine."""
    panel: str | None = None
    """Judges to ask after scoring; empty: none, whatever the scenario says."""
    retry: RetryPolicy | None = None
    """How a failed model call is repeated; None: as the model's adapter thinks best."""


@dataclass(frozen=True, kw_only=True)
class Show:
    """How the caller is told what happens."""

    say: Callable[[str], None] = field(default=lambda _: None)
    """A line of news, for example of an image that is being built."""
    progress: bool = False
    """Show live progress on stderr."""


def apply_options(loaded: LoadedScenario, options: RunOptions) -> Scenario:
    """Return the scenario as it will run; `tasks` holds only the chosen ones.

    Raises:
        UsageError: an unknown task, tag, agent, or a number that makes no sense.
    """
    scenario = loaded.scenario
    tasks = _chosen(scenario, options)
    trials = scenario.trials if options.trials is None else options.trials
    if not 1 <= trials <= MOST_TRIALS // len(tasks):
        most = MOST_TRIALS // len(tasks)
        raise UsageError(f"--trials cannot be; got {trials} for {len(tasks)} tasks; 1 to {most}")
    update: dict[str, object] = {"tasks": tasks}
    if options.agent is not None:
        update["agent"] = load_agent(options.agent, loaded, [task.id for task in tasks])
    for name in ("model", "base_url", "seed", "trials", "control"):
        value = getattr(options, name)
        if value is not None:
            update[name] = value
    if options.panel is not None:
        update["panel"] = panel_use(scenario.panel, options.panel)
    if options.sandbox is not None:
        update["sandbox"] = scenario.sandbox.model_copy(update={"kind": options.sandbox})
    return scenario.model_copy(update=update)


def panel_use(own: PanelUse | None, name: str) -> PanelUse | None:
    """Return the panel that was typed, asked when the scenario says; none where it is empty."""
    if not name:
        return None
    when = "differ" if own is None or own.when == "never" else own.when
    return PanelUse(use=name, when=when)


def _chosen(scenario: Scenario, options: RunOptions) -> tuple[Task, ...]:
    known = [task.id for task in scenario.tasks]
    for wanted in options.tasks:
        if wanted not in known:
            raise UsageError(f"unknown task; got {wanted!r}; {nearest(wanted, known)}")
    tasks = tuple(
        task
        for task in scenario.tasks
        if (not options.tasks or task.id in options.tasks)
        and (not options.tags or set(options.tags) & {*task.tags, *scenario.tags})
    )
    if not tasks:
        tags = sorted({tag for task in scenario.tasks for tag in (*task.tags, *scenario.tags)})
        raise UsageError(f"no task has a tag of {list(options.tags)}; known: {', '.join(tags)}")
    return tasks
