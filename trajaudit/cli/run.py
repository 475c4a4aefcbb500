"""`trajaudit run` and `trajaudit resume`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trajaudit.cli.output import emit, say

if TYPE_CHECKING:
    from trajaudit.audit.options import RunOptions
    from trajaudit.audit.run import RunResult


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("run")(run)
    app.command("resume")(resume)


Text = str | None
SCENARIOS = typer.Argument(help="Scenario files, suites or suite/scenario.", metavar="SCENARIO...")
AGENT_HELP = "langgraph[:module:graph], command:..., scripted:FILE, replay:RUN, golden, null."
FAIL_ON_HELP = "Exit 4 when it holds: 'lenient<0.8', 'graded<1', 'finding:loop'."
RETRIES_HELP = "How often a failed model call is repeated; default 5."
AS_JSON = typer.Option(False, "--json", help="Print the summary as JSON.")
CONTROL = typer.Option(
    None,
    "--control-twin/--no-control-twin",
    help="Run tasks that declare faults once more without them, to compare.",
    show_default=False,
)
MCP_HELP = "Let recorded MCP servers be reached, or started on this machine."


def run(
    scenario: list[str] = SCENARIOS,
    model: Text = typer.Option(None, help="Model id, for example openai/NAME."),
    base_url: Text = typer.Option(None, help="OpenAI-compatible endpoint of the model."),
    agent: Text = typer.Option(None, help=AGENT_HELP),
    trials: int | None = typer.Option(None, help="Trials per task."),
    tasks: str = typer.Option("", help="Only these tasks, separated by commas."),
    tags: str = typer.Option("", help="Only tasks with one of these tags."),
    sandbox: Text = typer.Option(None, help="docker, or process (no isolation)."),
    concurrency: int | None = typer.Option(None, min=1, help="Trials at once."),
    seed: int | None = typer.Option(None, help="Seed of faults and simulated users."),
    control: bool | None = CONTROL,
    out: Path | None = typer.Option(None, help="Folder of run directories; default runs/."),
    panel: Text = typer.Option(None, help="Judges asked after scoring; default the scenario's."),
    no_panel: bool = typer.Option(False, "--no-panel", help="Ask no judges."),
    fail_on: list[str] = typer.Option([], help=FAIL_ON_HELP),
    retries: int | None = typer.Option(None, min=0, help=RETRIES_HELP),
    allow_mcp: bool = typer.Option(False, "--allow-mcp", help=MCP_HELP),
    as_json: bool = AS_JSON,
) -> None:
    """Run agents on scenarios in sandboxes, score every trial and report.

    Example: trajaudit run scenarios/quickstart/quickstart.yaml

    Or: trajaudit run shop_support --model openai/my-model --base-url http://127.0.0.1:8000/v1
    """
    options = _options(
        model=model,
        base_url=base_url,
        agent=agent,
        **_chosen(tasks, tags, trials, "" if no_panel else panel),
        sandbox=sandbox,
        concurrency=concurrency,
        seed=seed,
        control=control,
        runs_dir=out,
        allow_mcp=allow_mcp,
        retries=retries,
    )
    _run(scenario, options, fail_on, as_json=as_json)


def _run(names: list[str], options: "RunOptions", fail_on: list[str], *, as_json: bool) -> None:
    from trajaudit.audit.gate import Gate
    from trajaudit.audit.options import Show
    from trajaudit.audit.run import run_scenarios

    gate = Gate.parse(fail_on)
    results = run_scenarios(names, options, Show(say=say, progress=True))
    _show(results, as_json=as_json)
    gate.check([result.summary for result in results])


def resume(
    run_name: str = typer.Argument(
        ..., help="Run id, its beginning, a path, or latest.", metavar="RUN"
    ),
    out: Path | None = typer.Option(None, help="Folder of run directories; default runs/."),
    concurrency: int | None = typer.Option(None, min=1, help="Trials at once."),
    retries: int | None = typer.Option(None, min=0, help=RETRIES_HELP),
    as_json: bool = AS_JSON,
) -> None:
    """Finish what is missing of a run; trials that are whole are not repeated.

    Example: trajaudit resume latest
    """
    from trajaudit.audit.options import Show
    from trajaudit.audit.run import resume_run

    options = _options(runs_dir=out, concurrency=concurrency, retries=retries)
    result = resume_run(run_name, options, Show(say=say, progress=True))
    _show([result], as_json=as_json)


def _options(*, retries: int | None, **overrides: Any) -> "RunOptions":
    from trajaudit.audit.options import RunOptions
    from trajaudit.llm.pace import RetryPolicy

    retry = None if retries is None else RetryPolicy(attempts=retries + 1)
    return RunOptions(retry=retry, **overrides)


def _chosen(tasks: str, tags: str, trials: int | None, panel: Text) -> dict[str, Any]:
    return {"tasks": _names(tasks), "tags": _names(tags), "trials": trials, "panel": panel}


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _show(results: "list[RunResult]", *, as_json: bool) -> None:
    if as_json:
        emit([result.summary.model_dump(mode="json") for result in results])
        return
    from trajaudit.cli.pages import print_page

    for result in results:
        print_page(result.run, result.summary, result.html)
