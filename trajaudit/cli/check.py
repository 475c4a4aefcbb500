"""`trajaudit check`: a scenario before it is run, a run after it."""

from pathlib import Path

import typer

from trajaudit.cli.output import emit, out, say


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(check)


def check(
    what: list[str] = typer.Argument(
        None, help="Scenario files, suites or suite/scenario; or runs.", metavar="SCENARIO|RUN..."
    ),
    runs: Path | None = typer.Option(None, help="Folder of run directories; default runs/."),
    lint_only: bool = typer.Option(False, help="Do not run the golden and null trajectories."),
    schema: bool = typer.Option(False, help="Print the JSON Schema of a scenario for editors."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Check scenarios (every fault at once, golden must pass, null must fail) or runs (integrity).

    Examples:
      trajaudit check scenarios/shop_support/refunds.yaml

      trajaudit check latest
    """
    if schema:
        from trajaudit.record.schema import scenario_schema

        emit(scenario_schema())
        return
    from trajaudit.audit.check import UnsoundError, check_all

    if not what:
        raise typer.BadParameter("name a scenario or a run", param_hint="SCENARIO|RUN")
    checks = check_all(what, runs=runs, lint_only=lint_only, say=say)
    if as_json:
        emit([{"name": one.name, "faults": one.faults, "checked": one.checked} for one in checks])
    else:
        for one in checks:
            out(f"{one.name}: {'ok' if not one.faults else 'not ok'} ({one.checked})")
    faults = [fault for one in checks for fault in one.faults]
    if faults:
        raise UnsoundError(faults)
