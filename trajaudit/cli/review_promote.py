"""`trajaudit review promote`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trajaudit.cli.output import emit, out, say
from trajaudit.cli.score import AS_JSON, OUT, RUN

if TYPE_CHECKING:
    from trajaudit.audit.review_cases import Listed


def register(app: typer.Typer) -> None:
    """Add the command to the group of `review`."""
    app.command("promote")(promote)


def promote(
    run_name: str = RUN,
    write: bool = typer.Option(False, "--write", help="Add them to the file; else only show."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Add to the accepted paths what people passed and no path lists, in the reviewers' names.

    Example: trajaudit review promote latest --write
    """
    from trajaudit.audit.review_cases import paths_to_list
    from trajaudit.cli.runs import find_run

    found = paths_to_list(find_run(run_name, runs), datetime.now(UTC).date())
    made = [one.promoted for one in found if one.promoted is not None]
    if write:
        for each in made:
            each.write()
    if as_json:
        emit([_listed_as_json(one, written=write) for one in found])
        return
    for one in found:
        _listed(one)
    if made:
        say(f"{len(made)} written" if write else "nothing was written; --write does")
    elif not found:
        out("no trial that people passed took a path that is not listed")


def _listed(one: "Listed") -> None:
    out(f"{one.task_id}/{one.trial}   passed by {one.by}")
    if one.promoted is not None:
        for line in one.promoted.diff.splitlines():
            out(line)
        for note in one.promoted.notes:
            say(note)
        return
    out(f"  not added: {one.refused}")
    for line in one.entry.splitlines():
        out(line)


def _listed_as_json(one: "Listed", *, written: bool) -> dict[str, Any]:
    made = one.promoted
    return {
        "task_id": one.task_id,
        "trial": one.trial,
        "name": one.name,
        "by": one.by,
        "diff": made.diff if made else "",
        "notes": list(made.notes) if made else [],
        "entry": made.entry if made else one.entry,
        "refused": one.refused,
        "written": written and made is not None,
    }
