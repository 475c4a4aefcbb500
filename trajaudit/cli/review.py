"""`trajaudit review`: people look at trials; further commands are about what they said."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.default_command import group_with_default
from trajaudit.cli.output import say
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.record.rundir import RunDir

app = typer.Typer(
    cls=group_with_default("serve"),
    help="People look at trials, blind: `review RUN...` is `review serve RUN...`.",
    subcommand_metavar="RUN...|COMMAND [ARGS]...",
    no_args_is_help=True,
    rich_markup_mode=None,
)
RUNS = typer.Argument(..., help="Run ids, their beginnings, paths, or latest.", metavar="RUN...")


def find_runs(names: list[str], folder: Path | None) -> list["RunDir"]:
    """Return the runs that were named, each once; one folder holds all of them.

    Raises:
        UsageError: they lie in several folders.
        RunDirError: there is no such run.
    """
    from trajaudit.cli.runs import find_run
    from trajaudit.errors import UsageError

    found = {run.path: run for run in (find_run(name, folder) for name in names)}
    folders = sorted({str(path.parent) for path in found})
    if len(folders) > 1:
        raise UsageError(f"runs that are reviewed together lie in one folder; got {folders}")
    return list(found.values())


@app.command("serve")
def serve(
    names: list[str] = RUNS,
    port: int = typer.Option(8765, min=0, max=65535, help="Of the page; 0 takes a free one."),
    host: str = typer.Option(
        "127.0.0.1", help="Address; on any but this machine's own, tokens are asked for."
    ),
    url: str = typer.Option("", help="How people reach it, where a proxy stands before it."),
    export: Path | None = typer.Option(
        None, "--export", help="Write the items to a .jsonl or .csv file instead."
    ),
    labels: Path | None = typer.Option(
        None, "--import", help="Take in labels of a .jsonl, .json or .csv file instead."
    ),
    reviewer: str = typer.Option("", help="With --import: whose labels, where a row names nobody."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Serve the page on which people label, or exchange items and labels by files.

    The word `serve` may be left out. Ctrl-C ends it; labels are on the disk by then.

    Examples:
      trajaudit review serve latest --port 8765

      trajaudit review latest --export items.csv
    """
    from trajaudit.cli.review_exchange import export_to, import_from, say_draws
    from trajaudit.errors import UsageError

    if export is not None and labels is not None:
        raise UsageError("--export and --import exclude each other; give one")
    found = find_runs(names, runs)
    if export is not None:
        say_draws(found)
        export_to(found, export, as_json=as_json)
    elif labels is not None:
        import_from(found, labels, reviewer, as_json=as_json)
    else:
        say_draws(found)
        _serve(found, (host, port, url), as_json=as_json)


def _serve(found: list["RunDir"], where: tuple[str, int, str], *, as_json: bool) -> None:
    from trajaudit.audit.review import changed_runs, label_marks, take_back
    from trajaudit.audit.serve import serve as serve_page
    from trajaudit.cli.review_taken import show_taken

    host, port, url = where
    folder = found[0].path.parent
    before = label_marks(folder)
    try:
        serve_page(found, host=host, port=port, say=say, url=url)
    finally:
        # The same trial may lie in other runs: a label counts wherever it does.
        changed = changed_runs(folder, before)
        show_taken([take_back(run, Path.cwd()) for run in changed], as_json=as_json)
