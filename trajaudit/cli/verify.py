"""`trajaudit verify`: decide about patches by running tests in containers."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli import verify_init
from trajaudit.cli.default_command import group_with_default
from trajaudit.cli.output import emit, say
from trajaudit.cli.verify_beyond import BEYOND, chosen
from trajaudit.cli.verify_output import (
    print_checks,
    print_regraded,
    print_result,
    regraded,
    summary,
)

if TYPE_CHECKING:
    from trajaudit.audit.verify import VerifyOptions, VerifyResult

app = typer.Typer(
    cls=group_with_default("run"),
    help="Patches, decided in containers: `verify --instances F` is `verify run --instances F`.",
    subcommand_metavar="[OPTIONS]|COMMAND [ARGS]...",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(above: typer.Typer) -> None:
    """Add the commands."""
    verify_init.register(app)
    above.add_typer(app, name="verify")


INSTANCES = typer.Option(None, help="Instances: JSON lines, or a JSON list.", metavar="F")
PREDICTIONS = typer.Option(
    None, help="Predictions: JSON lines, a JSON list or an object.", metavar="F"
)
RESULTS = typer.Option(
    None, "--out", help="Write JSON lines as decided; what still holds there is kept."
)
CHECK = typer.Option(
    False, "--check-instances", help="Check instances: tests without and with their own fix."
)
REPEATS = typer.Option(
    None, help="Runs of the tests, to find flaky ones; default 1, for --check-instances 2."
)
BASELINE = typer.Option(True, help="Run each instance's tests once without a patch, too.")
REGRADE = typer.Option(
    None, help="Decide again from results and their evidence; needs no container.", metavar="F"
)


@app.command("run")
def verify(
    instances: Path | None = INSTANCES,
    predictions: Path | None = PREDICTIONS,
    results: Path | None = RESULTS,
    concurrency: int = typer.Option(2, help="Containers at a time."),
    retries: int = typer.Option(1, help="New attempts after a failure of the infrastructure."),
    check_instances: bool = CHECK,
    repeats: int | None = REPEATS,
    baseline: bool = BASELINE,
    beyond: str | None = typer.Option(None, help=BEYOND, metavar="CHECKS"),
    disk_limit: int = typer.Option(4096, help="MiB that the tests of one container may write."),
    regrade: Path | None = REGRADE,
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Decide which patches fix their issue: one container each, no network, strict and lenient.

    Examples: trajaudit verify run --instances tasks.jsonl --predictions preds.jsonl --out r.jsonl

    trajaudit verify --instances tasks.jsonl --check-instances (`run` may be left out)
    """
    from trajaudit.audit.verify import VerifyOptions

    options = VerifyOptions(
        out=results,
        concurrency=concurrency,
        retries=retries,
        repeats=(2 if check_instances else 1) if repeats is None else repeats,
        baseline=baseline,
        disk_mb=disk_limit,
        beyond=chosen(beyond, of_instances=check_instances),
        say=say,
    )
    if regrade is not None:
        _regrade(regrade, instances, results, as_json=as_json)
    elif check_instances:
        _refuse_predictions(predictions)
        _check(_named(instances, "--instances"), options, as_json=as_json)
    else:
        files = _named(instances, "--instances"), _named(predictions, "--predictions")
        _verify(*files, options, as_json=as_json)


def _named(path: Path | None, option: str) -> Path:
    if path is None:
        raise typer.BadParameter("name a file", param_hint=option)
    return path


def _refuse_predictions(path: Path | None) -> None:
    if path is not None:
        why = "--check-instances looks at no predictions; leave one of the two out"
        raise typer.BadParameter(why, param_hint="--predictions")


def _verify(instances: Path, predictions: Path, options: "VerifyOptions", *, as_json: bool) -> None:
    from trajaudit.audit.verify import verify as verify_all

    result = verify_all(instances, predictions, options)
    if as_json:
        emit(summary(result))
    else:
        print_result(result)
    _refuse_ungraded(result)


def _refuse_ungraded(result: "VerifyResult") -> None:
    from trajaudit.errors import SandboxError

    ungraded = [one for one in result.verifications if one.status == "ungraded"]
    if ungraded:
        raise SandboxError(f"{len(ungraded)} verifications were spoiled and are ungraded")


def _check(instances: Path, options: "VerifyOptions", *, as_json: bool) -> None:
    from dataclasses import asdict

    from trajaudit.audit.verify import check_instances

    checks = check_instances(instances, options, options.repeats)
    if as_json:
        emit([asdict(one) for one in checks])
    else:
        print_checks(checks)


def _regrade(results: Path, instances: Path | None, out: Path | None, *, as_json: bool) -> None:
    from trajaudit.audit.verify import regrade

    result = regrade(results, instances, out)
    if as_json:
        emit(regraded(result))
    else:
        print_regraded(result)
