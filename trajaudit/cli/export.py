"""`trajaudit export`."""

from pathlib import Path

import typer

from trajaudit.cli.output import emit, out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export)


RUN = typer.Argument(..., help="Run id, its beginning, a path, or latest.", metavar="RUN")
TO = typer.Option(..., "--to", help="Name of the format: inspect, jsonl, ...", metavar="FORMAT")
PATH = typer.Option(None, "--out", help="File or folder; default: `exports` in the run.")
RUNS = typer.Option(None, "--runs", help="Folder of run directories; default runs/.")
AS_JSON = typer.Option(False, "--json", help="Print the result as JSON.")


def export(
    run_name: str = RUN,
    to: str = TO,
    path: Path | None = PATH,
    runs: Path | None = RUNS,
    as_json: bool = AS_JSON,
) -> None:
    """Write a scored run in the format of another tool, verdicts and findings included.

    Example: trajaudit export latest --to inspect
    """
    from trajaudit.audit.export import export_run
    from trajaudit.cli.runs import find_run

    run = find_run(run_name, runs)
    with run.lock():
        target, trials = export_run(run, to, path)
    if as_json:
        emit({"run_id": run.run_id, "format": to, "path": str(target), "trials": trials})
        return
    out(f"{target}   {trials} trials")
