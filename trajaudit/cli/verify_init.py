"""`trajaudit verify init`: make an instance of a repository or of a source archive."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out, say
from trajaudit.cli.verify_output import few

if TYPE_CHECKING:
    from trajaudit.audit.verify_init import Made

LEFT_OUT = {
    "flaky": "flaky",
    "never_pass": "never pass",
    "pass_to_fail": "broken by the fix",
    "skipped": "skipped",
}


def register(above: typer.Typer) -> None:
    """Add the command."""
    above.command("init")(init)


SOURCE = typer.Argument(
    ..., help="Folder of a git repository, or a source archive.", metavar="SOURCE"
)
GOLD = typer.Option(..., help="The fix: a patch file, or a commit, whose tests are taken apart.")
INSTALL = typer.Option(None, help="Shell command that installs what the tests need, with network.")


def init(
    source: Path = SOURCE,
    gold: str = GOLD,
    base: str | None = typer.Option(None, help="Commit; default the parent of the fix, or HEAD."),
    tests: Path | None = typer.Option(None, help="Patch file with the tests of the fix."),
    instance_id: str | None = typer.Option(None, "--id", help="Default: name and commit."),
    results: Path = typer.Option(Path("tasks.jsonl"), "--out", help="JSON lines to append to."),
    sandbox: str = typer.Option("pytest-base", help="Image that it is built upon."),
    install: str | None = INSTALL,
    test_command: str | None = typer.Option(None, help="Default: pytest on the files of --tests."),
    timeout: float = typer.Option(1800, help="Seconds that the tests may take."),
    repeats: int = typer.Option(2, help="Runs without and with the fix; what differs is left out."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Make an instance: image, patches, and both lists of tests, found by running them.

    Example: trajaudit verify init ../shop --gold 1a2b3c4
    """
    from trajaudit.audit.verify_init import InitRequest, make_instance
    from trajaudit.record.source import SourceRequest

    request = InitRequest(
        source=SourceRequest(place=source, gold=gold, base=base, tests=tests),
        out=results,
        instance_id=instance_id,
        sandbox=sandbox,
        install=install,
        test_command=test_command,
        timeout_s=timeout,
        repeats=repeats,
        say=say,
    )
    _show(make_instance(request), results, as_json=as_json)


def _show(made: "Made", results: Path, *, as_json: bool) -> None:
    if as_json:
        emit({**_lists(made), "definition": str(made.definition), "notes": list(made.notes)})
    else:
        _print(made, results)


def _lists(made: "Made") -> dict[str, object]:
    from dataclasses import asdict

    return {"instance_id": made.instance.instance_id, **asdict(made.lists)}


def _print(made: "Made", results: Path) -> None:
    fixed, kept = made.lists.fail_to_pass, made.lists.pass_to_pass
    out(f"{made.instance.instance_id}: {len(fixed)} tests fixed, {len(kept)} go on passing")
    for kind, words in LEFT_OUT.items():
        tests = getattr(made.lists, kind)
        if tests:
            out(f"left out, {words}: {few(tests)}")
    for note in made.notes:
        out(note)
    out(f"instance: {results}; image: {made.definition}")
