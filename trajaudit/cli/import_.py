"""`trajaudit import` and `trajaudit audit`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out, say

if TYPE_CHECKING:
    from trajaudit.audit.imports import Imported
    from trajaudit.datamodel.imported import ImportRecord


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("import")(import_)
    app.command("audit")(audit)


PATHS = typer.Argument(help="Log files, or folders of them.", metavar="PATH...")
FORMAT = typer.Option(None, "--format", help="Name of the format; default: found by looking.")
STRICT = typer.Option(False, "--strict", help="Refuse a log that loses anything; exit 2.")
OUT = typer.Option(None, "--out", help="Folder of run directories; default runs/.")
AS_JSON = typer.Option(False, "--json", help="Print the result as JSON.")
FAIL_ON_HELP = "Exit 4 when it holds: 'lenient<0.8', 'graded<1', 'finding:loop'."
MOST_LOSSES = 12


def import_(
    paths: list[Path] = PATHS,
    format_: str | None = FORMAT,
    strict: bool = STRICT,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Read logs of other tools, write them as a run, and say what could not be carried over.

    Examples:
      trajaudit import logs/

      trajaudit import dialogues.jsonl --format openai_chat --strict
    """
    imported = _imported(paths, format_, runs, strict=strict)
    if as_json:
        emit({**imported.report.model_dump(mode="json"), "new": imported.new})
        return
    _print_losses(imported)
    out(f"{imported.run.path} · trajaudit score {imported.run.run_id}")


def audit(
    paths: list[Path] = PATHS,
    format_: str | None = FORMAT,
    strict: bool = STRICT,
    runs: Path | None = OUT,
    fail_on: list[str] = typer.Option([], help=FAIL_ON_HELP),
    as_json: bool = AS_JSON,
) -> None:
    """Import logs of other tools, score every trial and report, in one step.

    Example: trajaudit audit logs/
    """
    from trajaudit.audit.gate import Gate
    from trajaudit.audit.report import report_run
    from trajaudit.audit.score import score_run
    from trajaudit.cli.pages import print_page

    gate = Gate.parse(fail_on)
    imported = _imported(paths, format_, runs, strict=strict, score=True)
    with imported.run.lock():
        if not imported.new:
            score_run(imported.run)
        summary, html = report_run(imported.run)
    if as_json:
        emit(summary.model_dump(mode="json"))
    else:
        _print_losses(imported)
        print_page(imported.run, summary, html)
    gate.check([summary])


def _imported(
    paths: list[Path],
    format_: str | None,
    runs: Path | None,
    *,
    strict: bool,
    score: bool = False,
) -> "Imported":
    from trajaudit.audit.imports import import_logs
    from trajaudit.audit.intake import ImportOptions
    from trajaudit.record.project import runs_dir
    from trajaudit.report.counting import counting

    with counting("trials read") as tick:
        options = ImportOptions(
            format=format_,
            strict=strict,
            runs_dir=runs or runs_dir(Path.cwd()),
            tick=tick,
            score=score,
        )
        imported = import_logs(paths, options)
    if not imported.new:
        say(f"{imported.run.run_id}: the same logs had been imported before; nothing was added")
    return imported


def _print_losses(imported: "Imported") -> None:
    report = imported.report
    for source in report.sources:
        out(f"{source.path}   {source.format}   {source.trials} trials")
        if source.error:
            out(f"  not read to its end: {source.error}")
    _print_unknown(report)
    if not report.losses:
        out("nothing was lost")
        return
    out(f"What could not be carried over as it was ({len(report.losses)} kinds; import.json)")
    for loss in report.losses[:MOST_LOSSES]:
        out(f"  {loss.kind:9} {loss.count:7,}  {loss.field}   {loss.example}"[:160])
    if len(report.losses) > MOST_LOSSES:
        out(f"  and {len(report.losses) - MOST_LOSSES} more kinds")


def _print_unknown(report: "ImportRecord") -> None:
    if report.unknown_count:
        names = ", ".join(report.unknown[:3])
        more = ", ..." if report.unknown_count > 3 else ""
        out(f"{report.unknown_count} files of no known format were passed over: {names}{more}")
