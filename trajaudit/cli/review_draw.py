"""`trajaudit review draw`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trajaudit.cli.output import emit, out, say
from trajaudit.cli.score import AS_JSON, OUT, RUN

if TYPE_CHECKING:
    from trajaudit.audit.review_draw import Draw

FAILURES = typer.Option(
    None, min=0, max=1, help="Share of the failures of each kind; at first .15."
)
PASSES = typer.Option(None, min=0, max=1, help="Share of the passes; at first 0.05.")
FLOOR = typer.Option(None, min=0, help="At least so many of each stratum; at first 5.")
LEAST = typer.Option(None, min=0, help="At least so many settled trials in all; at first 40.")
EVERYTHING = typer.Option(
    None, "--everything/--no-everything", help="Every trial: for a new scenario."
)
SMOKE = typer.Option(None, min=0, help="Only so many, of all strata: for a first look; 0 ends it.")


def register(app: typer.Typer) -> None:
    """Add the command to the group of `review`."""
    app.command("draw")(draw)


def draw(
    run_name: str = RUN,
    failures: float | None = FAILURES,
    passes: float | None = PASSES,
    floor: int | None = FLOOR,
    least: int | None = LEAST,
    everything: bool | None = EVERYTHING,
    smoke: int | None = SMOKE,
    seed: int | None = typer.Option(None, help="Another seed draws other trials; at first 0."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show it; write nothing."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Draw which trials people look at, beside those in doubt; what is not typed stays as it was.

    Examples:
      trajaudit review draw latest --dry-run

      trajaudit review draw latest --least 80 --failures 0.2
    """
    from trajaudit.audit.review_draw import draw as draw_sample
    from trajaudit.cli.runs import find_run

    shares = {"failures": failures, "passes": passes, "floor": floor, "least": least}
    typed: dict[str, Any] = {**shares, "everything": everything, "seed": seed}
    wishes = {name: value for name, value in typed.items() if value is not None}
    if smoke is not None:
        wishes["smoke"] = smoke or None
    found = draw_sample(find_run(run_name, runs), wishes, dry_run=dry_run)
    if as_json:
        emit(_as_json(found, written=not dry_run))
        return
    _show(found)
    if dry_run:
        say("nothing was written")


def _as_json(found: "Draw", *, written: bool) -> dict[str, Any]:
    return {
        "run_id": found.run_id,
        "plan": found.plan.model_dump(mode="json"),
        "strata": [one._asdict() for one in found.strata],
        "resolve": found.resolve,
        "audit": found.audit,
        "half_width": found.half_width,
        "more": found.more,
        "fewer": found.fewer,
        "written": written,
    }


def _show(found: "Draw") -> None:
    size = sum(one.size for one in found.strata)
    out(f"{found.run_id}   {size} trials, {found.resolve} to resolve, {found.audit} to audit")
    out(f"  {'stratum':<44} {'trials':>7} {'to look at':>11} {'share':>6}")
    for one in found.strata:
        out(f"  {one.name:<44} {one.size:>7} {one.chosen:>11} {one.chosen / one.size:>6.2f}")
    if found.half_width == 0:
        out("each trial is looked at: people then know the rate of these")
    elif found.half_width is not None:
        labels = found.resolve + found.audit
        width = f"±{found.half_width:.3f}"
        out(f"{labels} labels would tell the rate of these trials within about {width}")
    if not found.first and (found.more or found.fewer):
        out(f"{found.more} more than before, {found.fewer} no more")
    if found.fewer and not found.first:
        say("labels of trials that are drawn no more stay, and correct no rate")
