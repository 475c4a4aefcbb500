"""`trajaudit review agreement`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out
from trajaudit.cli.review import RUNS, find_runs
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.audit.review_agreement import Agreement
    from trajaudit.review.agreement import AgreementTable

_WORDS = {
    "people": "people",
    "two_people": "two people",
    "panel_people": "panel and people",
    "judge_people": "judge and people",
    "judges": "judges",
    "two_judges": "two judges",
}
CONFIDENCE = typer.Option(0.95, min=0.5, max=0.9999, help="Of the intervals.")


def register(app: typer.Typer) -> None:
    """Add the command to the group of `review`."""
    app.command("agreement")(agreement)


def agreement(
    names: list[str] = RUNS,
    confidence: float = CONFIDENCE,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Say how far people agree with each other, with the panel, and judges among themselves.

    Example: trajaudit review agreement latest
    """
    from trajaudit.audit.review_agreement import agreements

    found = agreements(find_runs(names, runs), confidence=confidence)
    if as_json:
        emit(
            [
                {
                    "run_ids": one.run_ids,
                    "tables": [table.model_dump(mode="json") for table in one.tables],
                }
                for one in found
            ]
        )
        return
    for one in found:
        _show(one)


def _show(one: "Agreement") -> None:
    out(" ".join(one.run_ids))
    if not one.tables:
        out("  no trial has two labels, or a label and a judge's verdict: nothing to compare yet")
    for table in one.tables:
        _table(table)


def _table(table: "AgreementTable") -> None:
    of = f", {table.round} round" if table.round else ""
    what = "pairs" if table.pairs else "trials"
    out(f"  {_WORDS[table.kind]} ({', '.join(table.who)}){of}: {table.items} {what}")
    for name, figure in table.figures.items():
        if figure.value is None:
            out(f"    {name:<24} —   {figure.why}")
        else:
            between = ""
            if figure.interval is not None:
                between = f" [{figure.interval[0]:.2f}, {figure.interval[1]:.2f}]"
            out(f"    {name:<24} {figure.value:.2f}{between}")
    for label, found in (("TPR", table.passes_found), ("TNR", table.fails_found)):
        if found is not None:
            low, high = found.interval
            shown = f"{found.value:.2f} [{low:.2f}, {high:.2f}]"
            out(f"    {label:<24} {shown}  {found.hits}/{found.of}")
