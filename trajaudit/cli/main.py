"""The command itself: registers one file per command and keeps the start quick."""

import sys
import warnings
from collections.abc import Sequence

import typer

from trajaudit.cli import (
    check,
    doctor,
    export,
    import_,
    index,
    init,
    judge,
    judge_bias,
    judge_certify,
    judge_pairs,
    ls,
    plugins,
    promote,
    review,
    review_agreement,
    review_cases,
    review_draw,
    review_people,
    review_promote,
    review_rate,
    review_round,
    run,
    sandbox,
    score,
    show,
    verify,
)
from trajaudit.cli.errors import error_door, leave, show_warning
from trajaudit.cli.signals import stopping_cleanly

app = typer.Typer(
    name="trajaudit",
    help="Audits what AI agents did: whole trajectories, strict and lenient side by side, "
    "and whose fault the difference is.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Plain help: boxes and colours would cost a third of the time that it takes.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from trajaudit import __version__

        typer.echo(f"trajaudit {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
    debug: bool = typer.Option(False, "--debug", help="Let errors out with their traceback."),
) -> None:
    """Options of every command."""


for command in (
    run,
    import_,
    check,
    score,
    verify,
    promote,
    show,
    export,
    ls,
    doctor,
    init,
    index,
    plugins,
):
    command.register(app)
judge_certify.register(judge.app)
judge_bias.register(judge.app)
judge_pairs.register(judge.app)
for command in (
    review_draw,
    review_people,
    review_round,
    review_agreement,
    review_rate,
    review_cases,
    review_promote,
):
    command.register(review.app)
app.add_typer(judge.app, name="judge")
app.add_typer(review.app, name="review")
app.add_typer(sandbox.app, name="sandbox")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; exits with a documented code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        warnings.showwarning = show_warning
    try:
        with error_door(debug="--debug" in given), stopping_cleanly():
            # Not standalone: typer would call a reader that went away a failure, and hide a Ctrl-C.
            sys.exit(app(given, standalone_mode=False, prog_name="trajaudit") or 0)
    except SystemExit as leaving:
        if arguments is None:
            leave(leaving)
        raise
