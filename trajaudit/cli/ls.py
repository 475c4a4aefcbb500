"""`trajaudit ls`: the runs that are there."""

import dataclasses
from pathlib import Path

import typer

from trajaudit.cli.output import emit, out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ls")(ls)


def ls(
    runs: Path | None = typer.Option(None, help="Folder of run directories; default runs/."),
    scenario: str | None = typer.Option(None, help="Only runs of this scenario."),
    model: str | None = typer.Option(None, help="Only runs with this model."),
    limit: int = typer.Option(50, min=1, help="At most so many, newest first."),
    as_json: bool = typer.Option(False, "--json", help="Print the list as JSON."),
) -> None:
    """List runs, newest first.

    Example: trajaudit ls --model local/smollm2
    """
    from trajaudit.cli.output import say
    from trajaudit.record.index import list_runs
    from trajaudit.record.project import runs_dir

    folder = runs or runs_dir(Path.cwd())
    entries = list_runs(folder, scenario=scenario, model_id=model, limit=limit, tell=say)
    if as_json:
        emit([dataclasses.asdict(entry) for entry in entries])
        return
    if not entries:
        out(f"no runs in {folder}")
        return
    width = max(len(entry.scenario) for entry in entries)
    out(f"{'run':22} {'scenario':{width}}  trials  strict lenient  final  agent, model")
    for one in entries:
        trials = f"{one.graded} of {one.tasks * one.trials}"
        counts = f"{one.strict:6} {one.lenient:7} {one.final:6}"
        name = f"{one.run_id:22} {one.scenario:{width}}"
        out(f"{name}  {trials:>8} {counts}  {one.agent}, {one.model_id}")
