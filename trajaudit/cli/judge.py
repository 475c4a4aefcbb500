"""`trajaudit judge`: a run is put to a panel; further commands are about judges themselves."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trajaudit.cli.default_command import group_with_default
from trajaudit.cli.output import emit, out
from trajaudit.cli.score import AS_JSON, OUT, RUN

if TYPE_CHECKING:
    from trajaudit.audit.judge import JudgeReport
    from trajaudit.audit.judging import Estimate


app = typer.Typer(
    cls=group_with_default("run"),
    help="Judge a run by a panel of language models: `judge RUN` is `judge run RUN`.",
    subcommand_metavar="RUN|COMMAND [ARGS]...",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("run")
def judge(
    run_name: str = RUN,
    panel: str | None = typer.Option(None, help="A panel's name or file; default the scenario's."),
    rubric: str | None = typer.Option(None, help="Takes the place of the panel's rubric."),
    every: bool = typer.Option(False, "--all", help="Every trial, not only the doubtful ones."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what it would take; send nothing."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Put the trials that the rules leave in doubt to a panel of language models.

    The word `run` may be left out.

    Example: trajaudit judge run latest --panel panels/default --dry-run
    """
    from trajaudit.audit.judge import judge_run
    from trajaudit.audit.judging import JudgeOptions, estimate
    from trajaudit.audit.report import report_run
    from trajaudit.cli.runs import find_run

    run = find_run(run_name, runs)
    options = JudgeOptions(panel=panel, rubric=rubric, every=every)
    if dry_run:
        show_estimate(run.run_id, estimate(run, options), as_json=as_json)
        return
    with run.lock():
        report = judge_run(run, options)
        report_run(run)
    if as_json:
        emit(_as_json(run.run_id, report))
    else:
        _show(report)
    _require_heard(report)


def _require_heard(report: "JudgeReport") -> None:
    """Raise ProviderError where not one judge could be reached."""
    from trajaudit.errors import ProviderError

    if report.unheard and set(report.statuses) == {"provider_failed"}:
        raise ProviderError(f"panel {report.panel}: no judge answers; {report.unheard[-1].why}")


def show_estimate(run_id: str, found: "Estimate", *, as_json: bool) -> None:
    """Say what judging would take."""
    from dataclasses import asdict

    if as_json:
        emit({"run_id": run_id, **asdict(found)})
        return
    cost = "cost unknown" if found.most_cost_usd is None else f"at most ${found.most_cost_usd:.4f}"
    calls = f"{found.fewest_calls} to {found.most_calls} calls"
    out(f"{found.trials} trials, {calls} without re-asks and cache")
    out(f"about {found.prompt_tokens} prompt tokens at most, {cost}; nothing was sent")


def _as_json(run_id: str, report: "JudgeReport") -> dict[str, Any]:
    return {
        "run_id": run_id,
        "panel": report.panel,
        "rubric": report.rubric,
        "decisions": [one.model_dump(mode="json") for one in report.decisions],
        "unheard": [
            {"task_id": one.item.task_id, "trial": one.item.trial, "why": one.why}
            for one in report.unheard
        ],
        "replies": report.statuses,
        "flips": report.flips,
        "calls_sent": report.sent,
        "tokens": report.tokens,
        "cost_usd": report.cost_usd,
        "certified": report.certified,
    }


def _show(report: "JudgeReport") -> None:
    for one in report.decisions:
        why = ", ".join(one.triggers) or f"stage {one.stage}"
        sure = "" if one.confidence is None else f"confidence {one.confidence:.2f}"
        queue = "" if one.queue == "none" else one.queue
        name = f"{one.task_id}/{one.trial}"
        out(f"  {name:<24} {one.result:<10} {sure:<16} {queue:<8} {why}")
    for lost in report.unheard:
        out(f"  {lost.item.task_id}/{lost.item.trial}   not judged: {lost.why}")
    settled = sum(one.queue != "resolve" for one in report.decisions)
    audit = sum(one.queue == "audit" for one in report.decisions)
    resolve = len(report.decisions) - settled
    out(f"{settled} settled, {resolve} for people to resolve, {audit} to audit")
    replies = ", ".join(f"{count} {status}" for status, count in report.statuses.items())
    saved = sum(one.calls_saved for one in report.decisions)
    cost = "cost unknown" if report.cost_usd is None else f"${report.cost_usd:.4f}"
    out(f"replies: {replies or 'none'}; {report.flips} turned with the order")
    out(f"{report.sent} calls sent, {saved} saved, {report.tokens} tokens, {cost}")
    out(f"certified: {report.certified}")
