"""`trajaudit review add`, `people` and `remove`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out, say
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.datamodel.review import Reviewer
    from trajaudit.review.people import People

NAME = typer.Argument(..., help="As it stands beside their labels.")


ROLES = "reviewer|adjudicator|lead"


def register(app: typer.Typer) -> None:
    """Add the commands to the group of `review`."""
    app.command("add")(add)
    app.command("people")(people)
    app.command("remove")(remove)


def add(
    name: str = NAME,
    role: str = typer.Option("reviewer", help="What they may do.", metavar=ROLES),
    renew: bool = typer.Option(False, "--renew", help="They are known: a new token for the old."),
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Add a person who reviews; their token is shown once and kept nowhere.

    Example: trajaudit review add Ana --role adjudicator
    """
    from trajaudit.datamodel.review import Role

    if role not in tuple(Role):
        raise typer.BadParameter(f"got {role!r}; use {ROLES}", param_hint="--role")
    found = _people(runs)
    person, token = (
        found.renew(name) if renew else found.add(name, Role(role), now=datetime.now(UTC))
    )
    if as_json:
        emit({**_as_json(person), "token": token})
        return
    out(token)
    say(f"{person.name}, {person.role.value}: this token lets them in, and is shown this once")


def people(runs: Path | None = OUT, as_json: bool = AS_JSON) -> None:
    """List the people who review.

    Example: trajaudit review people
    """
    found = _people(runs).everybody()
    if as_json:
        emit([_as_json(one) for one in found])
        return
    for one in found:
        out(f"{one.name:<32} {one.role.value:<12} {one.added} {'paused' if one.paused else ''}")
    if not found:
        out("nobody yet; without people the page serves one person on this machine alone")


def remove(name: str = NAME, runs: Path | None = OUT, as_json: bool = AS_JSON) -> None:
    """Take away a person's access; what they said stays.

    Example: trajaudit review remove Ana
    """
    person = _people(runs).remove(name)
    if as_json:
        emit(_as_json(person))
    else:
        out(f"{person.name} is removed; their labels stay")


def _people(runs: Path | None) -> "People":
    from trajaudit.record.project import runs_dir
    from trajaudit.review.people import People

    return People(runs or runs_dir(Path.cwd()))


def _as_json(person: "Reviewer") -> dict[str, object]:
    return person.model_dump(mode="json", exclude={"token_sha256", "schema_version"})
