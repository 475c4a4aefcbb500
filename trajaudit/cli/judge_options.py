"""Options that the commands about judges have in common, and how their cost is told."""

import typer

PANEL = typer.Option("default", help="A panel's name or file.")
GOLD = typer.Option(
    None, help="Labelled trials, by name or file; default the shipped set.", metavar="GOLD"
)
RUBRIC = typer.Option(None, help="Takes the place of the panel's rubric.")
LIMIT = typer.Option(None, min=1, help="At most so many trials.")
DRY_RUN = typer.Option(False, "--dry-run", help="Say what it would take; send nothing.")


def cost(calls: int, tokens: int, cost_usd: float | None, kept: object) -> str:
    """Return what was sent, in one line."""
    price = "cost unknown" if cost_usd is None else f"${cost_usd:.4f}"
    return f"{calls} calls sent, {tokens} tokens, {price}; kept in {kept}"
