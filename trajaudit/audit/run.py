"""`trajaudit run` and `trajaudit resume`: load, freeze, trials, score, report, index."""

from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from trajaudit import plugins
from trajaudit.audit.control import open_control
from trajaudit.audit.freeze import freeze
from trajaudit.audit.judged_run import judge_after, require_panel
from trajaudit.audit.options import RunOptions, Show, apply_options
from trajaudit.audit.patches import verify_patches
from trajaudit.audit.report import report_run
from trajaudit.audit.score import score_run, trajectories
from trajaudit.audit.testlists import with_test_lists
from trajaudit.audit.trust import may_send_key, require_own_files
from trajaudit.datamodel.run import RunConfig, TrialRecord
from trajaudit.datamodel.scenario import Scenario
from trajaudit.errors import InfraError, RunDirError, StorageError, UsageError
from trajaudit.llm import ModelOptions, open_model
from trajaudit.record.agents import load_agent
from trajaudit.record.project import project_roots, resolve_scenario, runs_dir, sandbox_folders
from trajaudit.record.rundir import RunDir
from trajaudit.record.runs import open_run, reopen_infra_failures
from trajaudit.record.scenarios import LoadedScenario, load_scenario
from trajaudit.report.progress import RunProgress
from trajaudit.report.schema import Summary
from trajaudit.run.agents import AGENTS
from trajaudit.run.assembly import Assembly, open_services
from trajaudit.run.base import Agent
from trajaudit.run.executor import run_trials
from trajaudit.run.place import Place, choose_place
from trajaudit.run.services import Progress
from trajaudit.score.selfcheck import with_golden_world


class RunStoppedError(InfraError):
    """The run could not go on; what is whole was kept, and `resume` does the rest."""


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """A run that was carried out and reported."""

    run: RunDir
    summary: Summary
    html: Path


def run_scenarios(names: list[str], options: RunOptions, show: Show) -> list[RunResult]:
    """Run every scenario that the names stand for; all are read before the first starts.

    Raises:
        ScenarioError: a scenario is wrong; nothing was started.
        InfraError: a run could not go on; `resume` completes it.
    """
    paths = [path for name in names for path in resolve_scenario(name)]
    loaded = [load_scenario(path) for path in paths]
    prepared = [(one, apply_options(one, options)) for one in loaded]
    return [run_scenario(one, scenario, options, show) for one, scenario in prepared]


def resume_run(name: str, options: RunOptions, show: Show) -> RunResult:
    """Finish what is missing of a run, infrastructure failures included; repeat nothing else.

    Raises:
        RunDirError: there is no such run, it was imported, or its scenario changed since.
    """
    run = open_run(name, options.runs_dir or runs_dir(Path.cwd()))
    config = run.config
    if not config.scenario_path:
        raise RunDirError(f"{run.path}: was imported from a log, and has nothing left to run")
    loaded = same_scenario(config, run)
    agent = open_agent(config.scenario)
    place = choose_place(config.scenario, agent, sandbox_folders(loaded.root), show.say)
    with ExitStack() as stack:
        stack.callback(place.close)
        _require_same_place(config, place)
        return _execute(run, config, loaded, agent, place, options, show)


def open_agent(scenario: Scenario) -> Agent:
    """Return the agent that a scenario names."""
    return plugins.find("agent", scenario.agent.kind, AGENTS)(scenario.agent)


def run_scenario(
    loaded: LoadedScenario, scenario: Scenario, options: RunOptions, show: Show
) -> RunResult:
    """Run one scenario as it is, from freezing to the report; errors as for `run_scenarios`."""
    require_own_files(loaded, scenario)
    scenario = _with_golden_states(loaded, scenario, show)
    scenario = with_test_lists(loaded, scenario, show.say)
    agent = open_agent(scenario)
    _require_models(loaded, scenario, agent, options)
    require_panel(scenario, loaded.root)
    place = choose_place(scenario, agent, sandbox_folders(loaded.root), show.say)
    with ExitStack() as stack:
        stack.callback(place.close)
        if place.note:
            show.say(place.note)
        where = options.runs_dir or runs_dir(loaded.root)
        config = freeze(loaded, scenario, agent=agent, place=place, options=options, runs_dir=where)
        run = RunDir.create(where, config)
        return _execute(run, config, loaded, agent, place, options, show)


def _require_models(
    loaded: LoadedScenario, scenario: Scenario, agent: Agent, options: RunOptions
) -> None:
    """Open every model once, which asks and starts nothing, before anything is written."""
    users = [task.user or scenario.user for task in scenario.tasks]
    wanted = {user.model or scenario.model for user in users if user and user.kind == "model"}
    settings = _model_options(loaded, scenario.base_url, options)
    for model_id in sorted(wanted | ({scenario.model} if agent.needs_model else set())):
        open_model(model_id, options=settings).close()


def _with_golden_states(loaded: LoadedScenario, scenario: Scenario, show: Show) -> Scenario:
    """Let the golden trajectories run once where a task accepts the end state they leave."""
    tasks = {
        task.id: task.model_copy(
            update={"accept": task.accept.model_copy(update={"golden_state": False})}
        )
        for task in scenario.tasks
        if task.accept is not None and task.accept.golden_state
    }
    if not tasks:
        return scenario
    golden = scenario.model_copy(
        update={
            "control": False,
            "tasks": tuple(tasks.values()),
            "agent": load_agent("golden", loaded, list(tasks)),
            "trials": 1,
        }
    )
    with TemporaryDirectory(prefix="trajaudit-golden-") as folder:
        options = RunOptions(runs_dir=Path(folder))
        run = run_scenario(loaded, golden, options, Show(say=show.say)).run
        left = {record.task_id: trajectory for record, trajectory in trajectories(run)}
    return with_golden_world(scenario, left)


def _execute(
    run: RunDir,
    config: RunConfig,
    loaded: LoadedScenario,
    agent: Agent,
    place: Place,
    options: RunOptions,
    show: Show,
) -> RunResult:
    with run.lock():
        parts = [part for part in (run, open_control(run)) if part is not None]
        for part in parts:
            reopen_infra_failures(part)
        missing = [(part, part.missing()) for part in parts]
        progress = _Progress(missing, shown=show.progress)
        assembly = Assembly(
            config=config,
            run=run,
            agent=agent,
            place=place,
            open_file=loaded.open_file,
            open_repository=loaded.open_repository,
            model_options=_model_options(loaded, config.base_url, options),
            progress=progress,
            allow_mcp=options.allow_mcp,
        )
        try:
            with progress.display:
                for part, pairs in missing:
                    if pairs:
                        _run_missing(replace(assembly, run=part, config=part.config), pairs)
            for part in parts:
                verify_patches(part, loaded, show.say)
        except KeyboardInterrupt:
            show.say(f"{_resume(run)} does the rest; finished trials are kept")
            raise
        except InfraError as error:
            raise RunStoppedError(f"{error}\n{_report_what_is_whole(run)}") from error
        return _result(run, loaded, options, show)


def _result(run: RunDir, loaded: LoadedScenario, options: RunOptions, show: Show) -> RunResult:
    try:
        score_run(run)
        judge_after(run, loaded, options, show.say)
        summary, html = report_run(run)
    except StorageError as error:
        raise RunStoppedError(f"{error}\ntrials are kept; {_resume(run)} does the rest") from error
    _require_something_graded(run, html)
    return RunResult(run=run, summary=summary, html=html)


def _run_missing(assembly: Assembly, missing: list[tuple[str, int]]) -> None:
    tasks = {task.id: task for task in assembly.config.scenario.tasks}
    plans = [(tasks[task_id], trial) for task_id, trial in missing]
    with open_services(assembly) as services:
        run_trials(services, plans, concurrency=assembly.config.concurrency)


def _model_options(
    loaded: LoadedScenario, base_url: str | None, options: RunOptions
) -> ModelOptions:
    settings = ModelOptions(base_url=base_url, send_key=may_send_key(loaded, base_url))
    return settings if options.retry is None else replace(settings, retry=options.retry)


def _require_something_graded(run: RunDir, html: Path) -> None:
    """Raise RunStoppedError when infrastructure failed every single trial."""
    failed = [one.end_detail for one in run.read_trials() if one.end_reason == "infra_error"]
    if len(failed) == len(run.config.task_ids) * run.config.trials:
        raise RunStoppedError(
            f"infrastructure failed every trial; the last: {failed[-1]}\n"
            f"{_resume(run)} tries again; the report is {html}"
        )


def _report_what_is_whole(run: RunDir) -> str:
    """Score and report the finished trials of a run that cannot go on; say what to do next."""
    whole = sum(1 for _ in run.read_trials())
    told = f"{whole} trials are whole; {_resume(run)} does the rest"
    try:
        score_run(run)
        _, html = report_run(run)
    except StorageError as error:
        return f"{told}; there is no report of them: {error}"
    return f"{told}; the report so far is {html}"


def _resume(run: RunDir) -> str:
    folder = run.path.parent
    known = folder.resolve() == runs_dir(Path.cwd()).resolve()
    return f"`trajaudit resume {run.run_id if known else run.path}`"


class _Progress(Progress):
    """Passes what a run tells on to the display, where there is one."""

    def __init__(self, missing: list[tuple[RunDir, list[tuple[str, int]]]], *, shown: bool) -> None:
        due = sum(len(run.config.task_ids) * run.config.trials for run, _ in missing)
        left = sum(len(pairs) for _, pairs in missing)
        self._board = RunProgress(due, done=due - left) if shown and left else None
        self.display: AbstractContextManager[object] = self._board or nullcontext()

    def trial_started(self, task_id: str, trial: int) -> None:
        if self._board is not None:
            self._board.trial_started(task_id, trial)

    def trial_finished(self, record: TrialRecord) -> None:
        if self._board is not None:
            tokens = record.prompt_tokens + record.completion_tokens
            self._board.tick(record.model_calls, tokens, record.cost_usd)
            self._board.trial_finished(record)


def same_scenario(config: RunConfig, run: RunDir) -> LoadedScenario:
    """Return the scenario of a run as it lies on disk, which must be as it was.

    Raises:
        RunDirError: it is gone, or it or a file of it changed.
    """
    roots = [*project_roots(run.path), *project_roots(Path.cwd())]
    path = next((root / config.scenario_path for root in roots), Path(config.scenario_path))
    found = [
        root / config.scenario_path for root in roots if (root / config.scenario_path).exists()
    ]
    if not found:
        raise RunDirError(f"the scenario of the run is gone; expected it at {path}")
    loaded = load_scenario(found[0])
    changed = [
        name
        for name, digest in {**config.files_sha256, found[0].name: config.scenario_sha256}.items()
        if {**loaded.files_sha256, found[0].name: loaded.sha256}.get(name) != digest
    ]
    if changed:
        raise RunDirError(
            f"{found[0]}: changed since the run began: {', '.join(changed)}; start a new run, "
            "or bring back the files as they were"
        )
    return loaded


def _require_same_place(config: RunConfig, place: Place) -> None:
    if place.kind != config.sandbox_kind or place.image_digest != config.image_digest:
        raise UsageError(
            f"the run began in {config.sandbox_kind} {config.image_digest or ''}; got "
            f"{place.kind} {place.image_digest or ''}; start a new run"
        )
