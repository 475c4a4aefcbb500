"""`trajaudit judge certify`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trajaudit.cli.judge_options import DRY_RUN, GOLD, LIMIT, PANEL, RUBRIC, cost
from trajaudit.cli.output import emit, out
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.audit.certify import Certification, CertifyOptions
    from trajaudit.datamodel.gold import Standing

_NAME = 19
RUN_OF = typer.Option(
    None, "--run", help="Labels are of trials of this run; without --gold, people's verdicts."
)
LEAST = typer.Option(0.8, min=0.5, max=0.999, help="Bar for both lower bounds.")
CONFIDENCE = typer.Option(0.95, min=0.5, max=0.9999, help="Of each lower bound.")
FAIL_ON = typer.Option(None, help="not_certified: exit code 4 where the panel stays advisory.")


def register(app: typer.Typer) -> None:
    """Add the command to the group of `judge`."""
    app.command("certify")(certify)


def certify(
    panel: str = PANEL,
    gold: str | None = GOLD,
    run_name: str | None = RUN_OF,
    rubric: str | None = RUBRIC,
    least: float = LEAST,
    confidence: float = CONFIDENCE,
    limit: int | None = LIMIT,
    fail_on: str | None = FAIL_ON,
    dry_run: bool = DRY_RUN,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Hold a panel's judges against trials whose verdict is known, and keep a certificate.

    Example: trajaudit judge certify --panel panels/default --rubric harm --dry-run
    """
    from trajaudit.audit.certify import CertifyOptions, certify_estimate
    from trajaudit.cli.judge import show_estimate
    from trajaudit.cli.runs import find_run
    from trajaudit.judge.certify import Bar
    from trajaudit.record.project import runs_dir

    if fail_on not in (None, "not_certified"):
        raise typer.BadParameter(f"got {fail_on!r}; use not_certified", param_hint="--fail-on")
    options = CertifyOptions(
        panel=panel,
        rubric=rubric,
        gold=gold,
        run=None if run_name is None else find_run(run_name, runs),
        bar=Bar(least=least, confidence=confidence),
        limit=limit,
        runs=runs or runs_dir(Path.cwd()),
    )
    if dry_run:
        show_estimate(panel, certify_estimate(options), as_json=as_json)
    else:
        _certify(options, gate=fail_on is not None, as_json=as_json)


def _certify(options: "CertifyOptions", *, gate: bool, as_json: bool) -> None:
    from trajaudit.audit.certify import certify as certify_panel
    from trajaudit.errors import GateMatched

    found = certify_panel(options)
    if as_json:
        emit(_as_json(found))
    else:
        _show(found, options)
    if gate and not found.certificate.certified:
        raise GateMatched(["not_certified"])


def _as_json(found: "Certification") -> dict[str, Any]:
    return {
        **found.certificate.model_dump(mode="json"),
        "path": str(found.path),
        "unheard": [
            {"task_id": one.item.task_id, "trial": one.item.trial, "why": one.why}
            for one in found.unheard
        ],
        "calls_sent": found.sent,
        "tokens": found.tokens,
        "cost_usd": found.cost_usd,
    }


def _show(found: "Certification", options: "CertifyOptions") -> None:
    certificate = found.certificate
    out(f"panel {certificate.panel}, rubric {certificate.rubric}, labels {certificate.gold}")
    out(f"  {'':<{_NAME}} {'TPR':<15} {'TNR':<15} {'decided':<8} κ with labels")
    for one in (*certificate.judges, certificate.panel_standing):
        _row(one)
    bar = options.bar
    what = "certified" if certificate.certified else "advisory"
    out(f"{what}: both lower bounds (one-sided, {bar.confidence:.0%}) have to reach {bar.least:g}")
    if certificate.error_correlation is not None:
        out(f"the judges' errors correlate by {certificate.error_correlation:.2f}")
    if certificate.earlier_uses:
        out(
            f"these labels were used for {certificate.earlier_uses} other versions of judges "
            "before: they are not unseen any more"
        )
    for lost in found.unheard:
        out(f"  {lost.item.task_id}/{lost.item.trial}   not judged: {lost.why}")
    out(cost(found.sent, found.tokens, found.cost_usd, found.path))


def _row(one: "Standing") -> None:
    shares = [
        f"{each.hits}/{each.of}" + ("" if each.lower is None else f" (≥ {each.lower:.2f})")
        for each in (one.passes, one.fails)
    ]
    kappa = "—" if one.kappa is None else f"{one.kappa:.2f}"
    if one.kappa_low is not None and one.kappa_high is not None:
        kappa += f" [{one.kappa_low:.2f}, {one.kappa_high:.2f}]"
    decided = f"{one.decided}/{one.due}"
    name = one.judge if len(one.judge) <= _NAME else f"…{one.judge[1 - _NAME :]}"
    out(f"  {name:<{_NAME}} {shares[0]:<15} {shares[1]:<15} {decided:<8} {kappa}")
    rest = [f"{count} {why}" for why, count in one.statuses.items() if why != "decided"]
    if rest:
        out(f"  {'':<{_NAME}} not decided: {', '.join(rest)}")
