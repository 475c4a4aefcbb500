"""`trajaudit show`: one trial in the terminal, and lists of what there is."""

from pathlib import Path

import typer

from trajaudit.cli.output import emit


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show)


def show(
    run_name: str = typer.Argument(
        ..., help="Run id, its beginning, a path, latest.", metavar="RUN"
    ),
    task: str = typer.Argument(..., help="Task id."),
    trial: int = typer.Argument(1, min=1, help="Trial, counted from 1."),
    runs: Path | None = typer.Option(None, help="Folder of run directories; default runs/."),
    as_json: bool = typer.Option(False, "--json", help="Print the trajectory as JSON."),
) -> None:
    """Show one trial step by step, with its verdicts and findings.

    Example: trajaudit show latest late-parcel 2
    """
    from trajaudit.audit.show import trial_of
    from trajaudit.cli.runs import find_run

    shown = trial_of(find_run(run_name, runs), task, trial)
    if as_json:
        emit(
            {
                "trajectory": shown.trajectory.model_dump(mode="json"),
                "verdicts": [one.model_dump(mode="json") for one in shown.verdicts],
                "findings": [one.model_dump(mode="json") for one in shown.findings],
            }
        )
        return
    from trajaudit.report.trial import print_trial

    print_trial(shown.trajectory, shown.verdicts, shown.findings)
