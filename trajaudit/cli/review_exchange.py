"""What `trajaudit review --export` and `--import` say."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from trajaudit.cli.output import emit, out, say

if TYPE_CHECKING:
    from trajaudit.record.rundir import RunDir


def say_draws(runs: Sequence["RunDir"]) -> None:
    """Say of runs that nobody drew a sample of that the defaults hold."""
    from trajaudit.audit.review import draw_where_nobody_did

    for run, waiting in draw_where_nobody_did(runs):
        say(
            f"{run.run_id}: nobody drew a sample, so the defaults hold: {waiting.text}; "
            f"`trajaudit review draw {run.run_id}` changes it"
        )


def export_to(runs: Sequence["RunDir"], path: Path, *, as_json: bool) -> None:
    """Write the items of runs."""
    from trajaudit.audit.review_exchange import export_items
    from trajaudit.review.exchange import CELL

    found = export_items(runs, path)
    if as_json:
        emit({"path": str(path), "items": found.items, "settled": found.settled})
    else:
        out(f"{found.items} items in {path}; {found.settled} that people settled are left out")
    if found.too_long:
        say(
            f"a transcript has {found.longest:,} characters, and a cell of a spreadsheet holds "
            f"{CELL:,}: use .jsonl for a program that is none"
        )


def import_from(runs: Sequence["RunDir"], path: Path, reviewer: str, *, as_json: bool) -> None:
    """Take labels into runs, and let them count."""
    from trajaudit.audit.review import take_back
    from trajaudit.audit.review_exchange import import_labels
    from trajaudit.cli.review_taken import show_taken, taken_as_json

    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    found = import_labels(runs, path, now, reviewer=reviewer)
    told = [take_back(run, Path.cwd()) for run in found.runs]
    if as_json:
        counts = {"added": found.added, "known": found.known, "blank": found.blank}
        more = {"late": found.late, "open": found.open, "by": found.by}
        runs_told = [taken_as_json(one) for one in told]
        emit({"path": str(path), **counts, **more, "runs": runs_told})
        return
    by = ", ".join(f"{name} {count}" for name, count in sorted(found.by.items()))
    out(f"{found.added} labels added{f' ({by})' if by else ''}")
    for count, what in (
        (found.known, "were there already"),
        (found.blank, "items without a verdict"),
        (found.open, "items wait for another person, or for an adjudicator"),
        (found.late, "are of items that people had settled; they are kept"),
    ):
        if count:
            out(f"{count} {what}")
    show_taken(told, as_json=False)
