"""`trajaudit review round`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out, say
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.review.lead_records import RoundFigures

ROUNDS = "calibration|certification|production"
KIND = typer.Argument(None, help="Which one begins; default: say how far it is.", metavar=ROUNDS)
RUNS = typer.Argument(None, help="Runs whose trials are put up first.", metavar="RUN...")


def register(app: typer.Typer) -> None:
    """Add the command to the group of `review`."""
    app.command("round")(turn)


def turn(
    kind: str | None = KIND,
    names: list[str] | None = RUNS,
    size: int | None = typer.Option(None, min=1, help="Its items; default 20, or 50 to certify."),
    force: bool = typer.Option(False, "--force", help="Production although nobody is certified."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Begin a round in which everybody labels the same trials, or the production that follows.

    Example: trajaudit review round calibration latest
    """
    from trajaudit.audit.review_round import RoundOptions, turn_round
    from trajaudit.cli.review import find_runs
    from trajaudit.datamodel.review import Round
    from trajaudit.record.project import runs_dir

    if kind is not None and kind not in tuple(Round):
        raise typer.BadParameter(f"got {kind!r}; use {ROUNDS}", param_hint="ROUND")
    named = find_runs(names, runs) if names else []
    folder = named[0].path.parent if named else runs or runs_dir(Path.cwd())
    options = RoundOptions(
        wanted=None if kind is None else Round(kind),
        runs=named,
        size=size,
        force=force,
        start=Path.cwd(),
    )
    found = turn_round(folder, options)
    if as_json:
        emit(found.model_dump(mode="json"))
        return
    _show(found)


def _show(found: "RoundFigures") -> None:
    if found.round == "production":
        out("round: production")
        return
    out(f"round: {found.round}, {found.done} of {found.items} items labelled by everybody")
    if found.agreement is not None:
        low = "" if found.low is None else f", at least {found.low:.2f}"
        out(f"agreement {found.agreement:.2f}{low}; wanted {found.least:g}")
    if found.passed is not None:
        out("passed" if found.passed else "not passed")
    if found.note:
        say(found.note)
