"""`trajaudit plugins`: what stands behind each name."""

from collections.abc import Iterable

import typer

from trajaudit.cli.output import emit, out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plugins")(plugins)


def plugins(as_json: bool = typer.Option(False, "--json", help="Print the list as JSON.")) -> None:
    """List agents, sandboxes, models, scorers, importers and exporters: built in, or of a package.

    Example: trajaudit plugins
    """
    from trajaudit.audit.exporting import EXPORTERS
    from trajaudit.llm import MODELS
    from trajaudit.plugins import offers
    from trajaudit.record.importers import IMPORTERS
    from trajaudit.run.agents import AGENTS
    from trajaudit.sandbox import SANDBOXES
    from trajaudit.score import SCORERS

    tables: dict[str, Iterable[str]] = {
        "agent": AGENTS,
        "sandbox": SANDBOXES,
        "model": MODELS,
        "scorer": SCORERS,
        "importer": IMPORTERS,
        "exporter": EXPORTERS,
    }
    found = [offer for kind, table in tables.items() for offer in offers(kind, list(table))]
    if as_json:
        emit([{"kind": kind, "name": name, "from": origin} for kind, name, origin in found])
        return
    for kind, name, origin in found:
        out(f"{kind:8} {name:22} {origin}")
