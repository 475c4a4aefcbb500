"""`trajaudit review rate`."""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import typer

from trajaudit.cli.output import emit, out
from trajaudit.cli.review import RUNS, find_runs
from trajaudit.cli.review_agreement import CONFIDENCE
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.record.rundir import RunDir
    from trajaudit.report.corrected_schema import Correction, Estimated

OF = "these|new-tasks|watched"


def register(app: typer.Typer) -> None:
    """Add the command to the group of `review`."""
    app.command("rate")(rate)


def rate(
    names: list[str] = RUNS,
    of: str = typer.Option("these", help="Of what the rate is.", metavar=OF),
    guarantee: bool = typer.Option(
        False, "--guarantee", help="Limits that hold whatever the trials are; wider."
    ),
    soft: bool = typer.Option(False, "--soft", help="Guesses follow the panel's score."),
    against: str | None = typer.Option(
        None, help="The difference to this run, task by task.", metavar="RUN"
    ),
    gold: str | None = typer.Option(
        None, help="Labels of another run, or a certificate.", metavar="RUN|FILE"
    ),
    confidence: float = CONFIDENCE,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Correct the rate of runs by what people said, beside all the rates that nobody corrected.

    Example: trajaudit review rate latest --of new-tasks
    """
    from trajaudit.audit.rates import RateOf, RateOptions, rates
    from trajaudit.cli.runs import find_run

    if of not in get_args(RateOf):
        raise typer.BadParameter(f"got {of!r}; use {OF}", param_hint="--of")
    options = RateOptions(
        of=next(one for one in get_args(RateOf) if one == of),
        guarantee=guarantee,
        soft=soft,
        against=None if against is None else find_run(against, runs),
        gold=None if gold is None else _gold(gold, runs),
        confidence=confidence,
    )
    found = rates(find_runs(names, runs), options)
    if as_json:
        emit([one.model_dump(mode="json") for one in found])
        return
    for one in found:
        _show(one)


def _gold(name: str, runs: Path | None) -> "RunDir | Path":
    from trajaudit.cli.runs import find_run

    return Path(name) if Path(name).is_file() else find_run(name, runs)


def _show(one: "Correction") -> None:
    run = one.run_id if one.against is None else f"{one.run_id} against {one.against}"
    out(f"{run}   {one.trials} trials of {one.tasks} tasks, {one.labelled} labelled")
    for column in one.columns:
        out(f"  {column.name:<10} {_number(column.value, column.interval):<22} {column.method}")
    for estimate in one.estimates:
        _estimate(estimate)
    if one.strata:
        out(f"  {'stratum':<40} {'trials':>7} {'labelled':>9} {'pass':>5}")
    for stratum in one.strata:
        out(f"  {stratum.name:<40} {stratum.size:>7} {stratum.labelled:>9} {stratum.passes:>5}")
    for line in (*one.banners, *(f"task left out: {each}" for each in one.broken_tasks)):
        out(f"  ! {line}")


def _estimate(one: "Estimated") -> None:
    if one.refused:
        out(f"  {one.of}: no estimate: {one.refused}")
        return
    out(f"  {one.of}: {_number(one.value, one.interval)} by {one.method}")
    if one.labels_to_halve:
        out(f"    {one.labels_to_halve} more labels would halve the interval")
    for line in one.banners:
        out(f"    ! {line}")


def _number(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None:
        return "—"
    return f"{value:.3f}" + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")
