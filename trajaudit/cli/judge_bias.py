"""`trajaudit judge bias`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trajaudit.cli.judge_options import DRY_RUN, GOLD, LIMIT, PANEL, RUBRIC, cost
from trajaudit.cli.output import emit, out
from trajaudit.cli.score import AS_JSON, OUT

if TYPE_CHECKING:
    from trajaudit.audit.bias import BiasOptions, BiasResult
    from trajaudit.datamodel.bias import ProbeEffect

FAIL_ON = typer.Option(None, help="biased: exit code 4 unless each must-pass probe is clear.")


def register(app: typer.Typer) -> None:
    """Add the command to the group of `judge`."""
    app.command("bias")(bias)


def bias(
    panel: str = PANEL,
    gold: str | None = GOLD,
    rubric: str | None = RUBRIC,
    probes: str = typer.Option("", help="Names with commas between them; default all."),
    most: float = typer.Option(0.05, min=0.001, max=0.5, help="Largest effect allowed."),
    limit: int | None = LIMIT,
    fail_on: str | None = FAIL_ON,
    dry_run: bool = DRY_RUN,
    runs: Path | None = OUT,
    as_json: bool = AS_JSON,
) -> None:
    """Change trials in ways that must not matter, and see which judges are moved by it.

    Example: trajaudit judge bias --panel panels/default --probes order,injection --dry-run
    """
    from trajaudit.audit.bias import BiasOptions, bias_estimate
    from trajaudit.audit.certify import CertifyOptions
    from trajaudit.cli.judge import show_estimate
    from trajaudit.record.project import runs_dir

    if fail_on not in (None, "biased"):
        raise typer.BadParameter(f"got {fail_on!r}; use biased", param_hint="--fail-on")
    folder = runs or runs_dir(Path.cwd())
    options = BiasOptions(
        trials=CertifyOptions(panel=panel, rubric=rubric, gold=gold, limit=limit, runs=folder),
        probes=tuple(name.strip() for name in probes.split(",") if name.strip()),
        limit=most,
    )
    if dry_run:
        show_estimate(panel, bias_estimate(options), as_json=as_json)
    else:
        _measure(options, gate=fail_on is not None, as_json=as_json)


def _measure(options: "BiasOptions", *, gate: bool, as_json: bool) -> None:
    from trajaudit.audit.bias import measure_bias
    from trajaudit.errors import GateMatched

    found = measure_bias(options)
    if as_json:
        emit(_as_json(found))
    else:
        _show(found)
    if gate and not found.report.passed:
        raise GateMatched([f"biased: {', '.join(found.report.failed)}"])


def _as_json(found: "BiasResult") -> dict[str, Any]:
    return {
        **found.report.model_dump(mode="json"),
        "path": str(found.path),
        "unheard": list(found.unheard),
        "calls_sent": found.sent,
        "tokens": found.tokens,
        "cost_usd": found.cost_usd,
    }


def _show(found: "BiasResult") -> None:
    report = found.report
    out(f"panel {report.panel}, rubric {report.rubric}, trials of {report.gold}")
    for judge in dict.fromkeys(one.judge for one in report.effects):
        out(judge)
        out(f"  {'probe':<18} {'flips':<8} {'placebo':<8} {'effect, interval':<22} p (Holm)")
        for one in report.effects:
            if one.judge == judge:
                _row(one)
    out(f"* has to stay within {report.limit:g}; too few trials never count as that")
    out("passed" if report.passed else f"not passed: {', '.join(report.failed)}")
    for why in found.unheard:
        out(f"not all was asked: {why}")
    out(cost(found.sent, found.tokens, found.cost_usd, found.path))


def _row(one: "ProbeEffect") -> None:
    name = f"{one.probe}{' *' if one.must_pass else ''}"
    flips, placebo = f"{one.flips}/{one.n}", f"{one.placebo_flips}/{one.n}"
    effect = "—"
    if one.effect is not None and one.low is not None and one.high is not None:
        effect = f"{one.effect:+.2f} [{one.low:+.2f}, {one.high:+.2f}]"
    p_value = "—" if one.p_holm is None else f"{one.p_holm:.3f}"
    verdict = one.verdict.replace("_", " ")
    out(f"  {name:<18} {flips:<8} {placebo:<8} {effect:<22} {p_value:<8} {verdict}")
