"""`trajaudit promote`: accept the path that a trial took."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out, say

if TYPE_CHECKING:
    from trajaudit.audit.promote import Promoted


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("promote")(promote)


def promote(
    run_name: str = typer.Argument(
        ..., help="Run id, its beginning, a path, latest.", metavar="RUN"
    ),
    task: str = typer.Argument(..., help="Task id."),
    trial: int = typer.Argument(1, min=1, help="Trial, counted from 1."),
    name: str = typer.Option(..., help="Name of the path, shown in reports."),
    by: str = typer.Option(..., help="Who accepts it."),
    reason: str = typer.Option("", help="Why it is right."),
    write: bool = typer.Option(False, "--write", help="Add it to the file; else only show it."),
    runs: Path | None = typer.Option(None, help="Folder of run directories; default runs/."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Add the calls of a trial to its task's accepted paths, with where they came from.

    Example: trajaudit promote latest late-parcel 2 --name "through a person" --by Ana --write
    """
    from trajaudit.audit.promote import Acceptance, ByHandError, promote
    from trajaudit.cli.runs import find_run
    from trajaudit.errors import UsageError

    if not name.strip() or not by.strip():
        raise UsageError("--name and --by say something; got an empty text")
    acceptance = Acceptance(task_id=task, trial=trial, name=name, by=by, reason=reason)
    try:
        found = promote(find_run(run_name, runs), acceptance, datetime.now(UTC).date())
    except ByHandError as error:
        for line in error.entry.splitlines():
            out(line)
        raise
    if write:
        found.write()
    _show(found, written=write, as_json=as_json)


def _show(found: "Promoted", *, written: bool, as_json: bool) -> None:
    if as_json:
        told = {"path": str(found.path), "entry": found.entry, "diff": found.diff}
        emit({**told, "notes": list(found.notes), "written": written})
        return
    for line in found.diff.splitlines():
        out(line)
    for note in found.notes:
        say(note)
    say(f"written to {found.path}" if written else "nothing was written; --write does")
