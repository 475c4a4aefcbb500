"""The text of docs/cli.md, from the command itself. `python -m tests.cli.reference` writes it."""

import contextlib
import io
import os
from pathlib import Path
from unittest import mock

import typer

from trajaudit.cli.main import app, main

PATH = Path(__file__).parents[2] / "docs" / "cli.md"
HEAD = """# Commands

Generated from `--help` of each command by `python -m tests.cli.reference`; a test compares.

| exit code | means |
|---|---|
| 0 | it ran; whatever the agents did |
| 1 | a bug in trajaudit; the message names a log for a report |
| 2 | what was asked for cannot be done: usage, a scenario, a run that is damaged |
| 3 | infrastructure failed: engine, model endpoint, disk; `trajaudit resume RUN` does the rest |
| 4 | `--fail-on` matched |
| 130 | interrupted by Ctrl-C, `kill` or a closed terminal; `trajaudit resume RUN` does the rest |

News go to stderr, results to stdout; `--json` prints the result for machines.
"""


def commands(among: typer.Typer = app, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the words of every command."""
    found = [(*before, str(one.name)) for one in among.registered_commands]
    for group in among.registered_groups:
        if group.typer_instance is not None:
            found += commands(group.typer_instance, (*before, str(group.name)))
    return found


def told(*words: str) -> str:
    """Return the help of a command, in 80 columns."""
    shown = io.StringIO()
    columns = {"COLUMNS": "80"}
    with contextlib.redirect_stdout(shown), mock.patch.dict(os.environ, columns):
        try:
            main([*words, "--help"])
        except SystemExit:
            return "\n".join(line.rstrip() for line in shown.getvalue().strip().splitlines())
    raise AssertionError("the command did not exit")


def text() -> str:
    """Return the whole page."""
    parts = [
        f"\n## trajaudit {' '.join(words)}\n\n```text\n{told(*words)}\n```\n"
        for words in commands()
    ]
    return HEAD + "".join(parts)


if __name__ == "__main__":
    PATH.write_text(text())
