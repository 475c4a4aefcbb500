"""`trajaudit review cases`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trajaudit.cli.output import emit, out, say
from trajaudit.cli.review import RUNS, find_runs
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.audit.review_cases import Lessons
    from trajaudit.review.cases import CaseGroup

_SHOWN = 4
_WIDTH = 73
_NAME = 36
_WORDS = {
    "false_credit": "Rules pass what people fail",
    "false_denial": "Rules fail what people pass",
    "unread": "Rules could not tell, people could",
}


def register(app: typer.Typer) -> None:
    """Add the command to the group of `review`."""
    app.command("cases")(cases)


def cases(
    names: list[str] = RUNS,
    file: Path | None = typer.Option(None, "--out", help="Write the cases as JSON lines."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """List where people and rules differ, by likely cause, as cases for tests; and broken tasks.

    Example: trajaudit review cases latest --out cases.jsonl
    """
    from trajaudit.audit.review_cases import lessons, write_cases

    found = lessons(find_runs(names, runs))
    if file is not None:
        say(f"{write_cases(found, file)} cases in {file}")
        if bare := sum(not one.reproduces for one in found.cases):
            say(f"{bare} rest on more than a case holds, as a log's own checks: see `reproduces`")
    if as_json:
        emit(_as_json(found))
    else:
        _show(found)


def _show(found: "Lessons") -> None:
    out(f"{len(found.cases)} cases among {found.settled} trials that people passed or failed")
    sort = ""
    for group in found.groups:
        if group.sort != sort:
            sort = group.sort
            out()
            out(_WORDS[sort])
        _row(group)
    if found.broken:
        out()
        out("Tasks that people call broken, which are in no rate")
    for one in found.broken:
        out(f"  {one.task_id}   {'; '.join(one.reasons) or 'no reason was written'}")


def _row(group: "CaseGroup") -> None:
    from textwrap import wrap

    named = [f"{_short(one.task_id)}/{one.trial}" for one in group.cases[:_SHOWN]]
    more = f" +{len(group.cases) - _SHOWN}" if len(group.cases) > _SHOWN else ""
    out(f"  {len(group.cases):>3}  {f'{group.scorer}, {group.mode}':<28} {group.form}".rstrip())
    for line in (group.shape, f"{' '.join(named)}{more}"):
        for part in wrap(line, _WIDTH, break_on_hyphens=False):
            out(f"       {part}")


def _short(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[: _NAME - 9]}…{name[-8:]}"


def _as_json(found: "Lessons") -> dict[str, Any]:
    return {
        "settled": found.settled,
        "groups": [one.model_dump(mode="json") for one in found.groups],
        "broken": [vars(one) for one in found.broken],
    }
