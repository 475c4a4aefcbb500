"""`trajaudit score` and `trajaudit report`."""

from pathlib import Path

import typer

from trajaudit.cli.output import emit, out


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("score")(score)
    app.command("report")(report)


RUN = typer.Argument(..., help="Run id, its beginning, a path, or latest.", metavar="RUN")
OUT = typer.Option(None, help="Folder of run directories; default runs/.")
AS_JSON = typer.Option(False, "--json", help="Print the result as JSON.")


def score(
    run_name: str = RUN,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Recompute every verdict from the files of a run; say which outcomes flipped, and why.

    Example: trajaudit score latest
    """
    from trajaudit.audit.report import report_run
    from trajaudit.audit.score import require_intact, score_run
    from trajaudit.cli.pages import print_page
    from trajaudit.cli.runs import find_run

    run = find_run(run_name, runs)
    with run.lock():
        require_intact(run)
        flips = score_run(run)
        summary, html = report_run(run)
    if as_json:
        emit(
            {
                "run_id": run.run_id,
                "flips": [
                    {
                        "task_id": flip.task_id,
                        "trial": flip.trial,
                        "before": flip.before,
                        "after": flip.after,
                        "reason": flip.reason,
                    }
                    for flip in flips
                ],
            }
        )
        return
    print_page(run, summary, html)
    out(f"{len(flips)} outcomes flipped")
    for flip in flips:
        out(f"  {flip.task_id}/{flip.trial}   {flip.before} → {flip.after}   {flip.reason}")


def report(
    run_name: str = RUN,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Write the report of a run again and show its first page.

    Example: trajaudit report latest --json
    """
    from trajaudit.audit.report import report_run
    from trajaudit.cli.pages import print_page
    from trajaudit.cli.runs import find_run

    run = find_run(run_name, runs)
    with run.lock():
        summary, html = report_run(run)
    if as_json:
        emit(summary.model_dump(mode="json"))
        return
    print_page(run, summary, html)
