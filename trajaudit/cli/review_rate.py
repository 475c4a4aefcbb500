"""`trajaudit review rate`."""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import typer

from trajaudit.cli.output import emit
from trajaudit.cli.review import RUNS, find_runs
from trajaudit.cli.review_agreement import CONFIDENCE
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.record.rundir import RunDir

OF = "these|new-tasks|watched"
GUARANTEE = typer.Option(
    False, "--guarantee", help="Limits that hold whatever the trials are; wider."
)
AGAINST = typer.Option(None, help="The difference to this run, task by task.", metavar="RUN")
GOLD = typer.Option(None, help="Labels of another run, or a certificate.", metavar="RUN|FILE")


def register(app: typer.Typer) -> None:
    """Add the command to the group of `review`."""
    app.command("rate")(rate)


def rate(
    names: list[str] = RUNS,
    of: str = typer.Option("these", help="Of what the rate is.", metavar=OF),
    guarantee: bool = GUARANTEE,
    soft: bool = typer.Option(False, "--soft", help="Guesses follow the panel's score."),
    against: str | None = AGAINST,
    gold: str | None = GOLD,
    confidence: float = CONFIDENCE,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Correct the rate of runs by what people said, beside all the rates that nobody corrected.

    Example: trajaudit review rate latest --of new-tasks
    """
    from trajaudit.audit.rates import RateOf, RateOptions, rates
    from trajaudit.cli.review_rate_output import show
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
        show(one)


def _gold(name: str, runs: Path | None) -> "RunDir | Path":
    from trajaudit.cli.runs import find_run

    return Path(name) if Path(name).is_file() else find_run(name, runs)
