"""`trajaudit index`: the database, which files can always rebuild."""

from pathlib import Path

import typer

from trajaudit.cli.output import out, say


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("index")(index)


def index(
    runs: Path | None = typer.Option(None, help="Folder of run directories; default runs/."),
    rebuild: bool = typer.Option(False, "--rebuild", help="Throw it away and read every run."),
) -> None:
    """Bring the index of runs up to date with the files; files are the truth.

    Example: trajaudit index --rebuild
    """
    from trajaudit.record import index as store
    from trajaudit.record.project import runs_dir

    folder = runs or runs_dir(Path.cwd())
    if rebuild:
        store.rebuild(folder, say)
    out(f"{len(store.list_runs(folder, tell=say))} runs in {folder}")
