"""`trajaudit verify`: decide about patches by running tests in containers."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from trajaudit.cli.output import emit, out, say

if TYPE_CHECKING:
    from trajaudit.audit.verify import VerifyOptions, VerifyResult


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify)


def verify(
    instances: Path = typer.Option(..., help="Instances: JSON lines, or a JSON list.", metavar="F"),
    predictions: Path | None = typer.Option(
        None, help="Predictions: JSON lines, a JSON list or an object.", metavar="F"
    ),
    results: Path | None = typer.Option(
        None, "--out", help="Write JSON lines as decided; what still holds there is kept."
    ),
    concurrency: int = typer.Option(2, help="Containers at a time."),
    retries: int = typer.Option(1, help="New attempts after a failure of the infrastructure."),
    check_instances: bool = typer.Option(
        False, help="Check the instances themselves: tests without and with their own fix."
    ),
    repeats: int = typer.Option(2, help="Runs of each, to find flaky tests (--check-instances)."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Decide which patches fix their issue: one container each, no network, strict and lenient.

    Example: trajaudit verify --instances tasks.jsonl --predictions preds.jsonl
    """
    from trajaudit.audit.verify import VerifyOptions
    from trajaudit.audit.verify import verify as verify_all
    from trajaudit.errors import SandboxError

    options = VerifyOptions(out=results, concurrency=concurrency, retries=retries, say=say)
    if check_instances:
        _check(instances, options, repeats, as_json=as_json)
        return
    if predictions is None:
        raise typer.BadParameter("name a file of predictions", param_hint="--predictions")
    result = verify_all(instances, predictions, options)
    if as_json:
        emit(_summary(result))
    else:
        _print(result)
    ungraded = [one for one in result.verifications if one.status == "ungraded"]
    if ungraded:
        raise SandboxError(f"{len(ungraded)} verifications were spoiled and are ungraded")


def _check(instances: Path, options: "VerifyOptions", repeats: int, *, as_json: bool) -> None:
    from dataclasses import asdict

    from trajaudit.audit.verify import check_instances

    checks = check_instances(instances, options, repeats)
    if as_json:
        emit([asdict(one) for one in checks])
        return
    for one in checks:
        out(f"{one.instance_id}   {one.result}   {'; '.join(one.notes)}".rstrip())


def _summary(result: "VerifyResult") -> dict[str, object]:
    counts = {mode: result.count(mode) for mode in ("strict", "lenient")}
    return {
        **{mode: {"resolved": done, "graded": of} for mode, (done, of) in counts.items()},
        "predictions": len(result.verifications),
        "kept": result.kept,
        "unknown": list(result.unknown),
        "missing": list(result.missing),
        "verifications": [one.model_dump(mode="json") for one in result.verifications],
    }


def _print(result: "VerifyResult") -> None:
    for one in result.verifications:
        verdicts = f"{one.strict} / {one.lenient}" if one.status == "graded" else "ungraded"
        more = ", ".join([*one.repairs, *one.flags, *one.notes, *([one.reason] * bool(one.reason))])
        out(f"{one.instance_id}   {one.model_name_or_path}   {verdicts}   {more}".rstrip())
    total = len(result.verifications)
    for mode in ("strict", "lenient"):
        resolved, graded = result.count(mode)
        most = resolved + total - graded
        out(
            f"{mode}: {resolved} of {graded} graded resolved; of all {total}: between {resolved} "
            f"(ungraded = fail) and {most} (ungraded = pass)"
        )
    if result.kept:
        out(f"{result.kept} were decided earlier and still hold")
    if result.unknown:
        out(f"{len(result.unknown)} predictions have no instance: {', '.join(result.unknown[:5])}")
    if result.missing:
        out(f"{len(result.missing)} instances have no prediction: {', '.join(result.missing[:5])}")
