"""`trajaudit judge pairs`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.audit.pairwise import Compared
    from trajaudit.audit.pairwise_match import Comparison, PairEstimate
    from trajaudit.datamodel.pairwise import PairFigures, PairShare

_RUN = "Run id, its beginning, a path, or latest."
RUN_A = typer.Argument(..., help=_RUN, metavar="RUN_A")
RUN_B = typer.Argument(..., help=_RUN, metavar="RUN_B")


def register(app: typer.Typer) -> None:
    """Add the command to the group of `judge`."""
    app.command("pairs")(pairs)


def pairs(
    run_a: str = RUN_A,
    run_b: str = RUN_B,
    panel: str | None = typer.Option(None, help="A panel's name or file; default RUN_A's."),
    rubric: str | None = typer.Option(None, help="A rubric for pairs; default pair_outcome."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what it would take; send nothing."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Let a panel compare the trials that two runs share, each pair in both orders.

    Example: trajaudit judge pairs 20261129-1015 latest --panel panels/default --dry-run
    """
    from trajaudit.audit.pairwise import compare_pairs
    from trajaudit.audit.pairwise_match import PairOptions, comparison_of, estimate_pairs
    from trajaudit.cli.runs import find_run

    first, second = find_run(run_a, runs), find_run(run_b, runs)
    comparison = comparison_of(first, second, PairOptions(panel=panel, rubric=rubric))
    if dry_run:
        _show_estimate(comparison, estimate_pairs(comparison), as_json=as_json)
        return
    with first.lock():
        compared = compare_pairs(comparison)
    if as_json:
        decisions = [one.model_dump(mode="json") for one in compared.decisions]
        summary = compared.summary.model_dump(mode="json")
        emit({**summary, "folder": str(compared.folder), "decisions": decisions})
        return
    _show(compared)


def _show_estimate(comparison: "Comparison", found: "PairEstimate", *, as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        first, second = (run.run_id for run in comparison.runs)
        emit({"run_a": first, "run_b": second, **asdict(found)})
        return
    _show_left_out(found.left_out)
    cost = "cost unknown" if found.most_cost_usd is None else f"at most ${found.most_cost_usd:.4f}"
    out(f"{found.pairs} pairs, {found.fewest_calls} to {found.most_calls} calls without cache")
    out(f"{found.most_calls_with_reasks} calls where every reply has to be asked for again")
    out(f"about {found.prompt_tokens} prompt tokens, {cost} without re-asks; nothing was sent")


def _show_left_out(left_out: Mapping[str, int]) -> None:
    for why, count in left_out.items():
        out(f"left out: {count} {'trial' if count == 1 else 'trials'} {why}")


def _show(compared: "Compared") -> None:
    summary = compared.summary
    names = {"a": "A wins", "b": "B wins"}
    for one in compared.decisions:
        why = ", ".join(one.triggers) or f"stage {one.stage}"
        queue = "" if one.queue == "none" else one.queue
        result = names.get(one.result, str(one.result))
        out(f"  {f'{one.task_id}/{one.trial}':<24} {result:<13} {queue:<8} {why}")
    for lost in summary.unheard:
        out(f"  {lost.task_id}/{lost.trial}   not judged: {lost.why}")
    _show_left_out(summary.left_out)
    out(f"A is {summary.run_a}, B is {summary.run_b}")
    _show_figures(summary.figures)
    replies = ", ".join(f"{count} {status}" for status, count in summary.replies.items())
    cost = "cost unknown" if summary.cost_usd is None else f"${summary.cost_usd:.4f}"
    out(f"replies: {replies or 'none'}")
    spent = f"{summary.calls_sent} calls sent, {summary.calls_saved} saved"
    out(f"{spent}, {summary.tokens} tokens, {cost}; kept in {compared.folder}")


def _show_figures(figures: "PairFigures") -> None:
    results = figures.results
    out(
        f"{figures.pairs} pairs: A wins {results['a']}, B wins {results['b']}, "
        f"{results['tie']} ties, {results['inconsistent']} inconsistent, "
        f"{results['undecided']} undecided, {results['unheard']} not judged"
    )
    rate = figures.win_rate
    if rate is None or rate.value is None:
        out("win rate of A: none, since no pair has a winner")
    else:
        out(
            f"win rate of A {rate.value:.3f} [{rate.low:.3f}, {rate.high:.3f}] over "
            f"{rate.decided} pairs with a winner; between {rate.if_lost:.3f} and "
            f"{rate.if_won:.3f} with the unsettled ones"
        )
    for family, one in figures.position.items():
        out(
            f"order, {family}: turned {_share(one.turned)}, {one.to_first} to the first shown, "
            f"{one.to_second} to the second; chose the first {_share(one.first)}"
        )
    out(f"length: more was shown of the winner in {_share(figures.longer_wins)}")
    out(f"{figures.resolve} for people to resolve, {figures.audit} to audit")


def _share(share: "PairShare") -> str:
    if share.value is None or share.low is None or share.high is None:
        return "0 of 0"
    return f"{share.holds} of {share.of} ({share.value:.2f} [{share.low:.2f}, {share.high:.2f}])"
