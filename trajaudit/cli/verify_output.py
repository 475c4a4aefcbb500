"""What `trajaudit verify` prints: verdicts side by side, both bounds, what became another one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from trajaudit.cli.output import out
from trajaudit.cli.verify_beyond import (
    print_findings,
    print_weak_instances,
    print_weakly_tested,
    print_weaknesses,
    weakly_tested,
)

if TYPE_CHECKING:
    from trajaudit.audit.verify import VerifyResult
    from trajaudit.audit.verifying.instances import InstanceCheck
    from trajaudit.audit.verifying.regrading import Regraded
    from trajaudit.datamodel.patch import Verification

MODES: tuple[Literal["strict", "lenient"], ...] = ("strict", "lenient")
MOST_NOTES = 4


def summary(result: "VerifyResult") -> dict[str, object]:
    """Return a result as JSON holds it."""
    return {
        **_counts(result.verifications),
        "predictions": len(result.verifications),
        "kept": result.kept,
        "unknown": list(result.unknown),
        "missing": list(result.missing),
        "weakly_tested": weakly_tested(result.verifications),
        "verifications": [one.model_dump(mode="json") for one in result.verifications],
    }


def regraded(result: "Regraded") -> dict[str, object]:
    """Return what was decided again as JSON holds it."""
    return {
        **_counts(result.verifications),
        "flips": [
            {
                "instance_id": one.instance_id,
                "model_name_or_path": one.model_name_or_path,
                "before": dict(zip(MODES, one.before, strict=True)),
                "after": dict(zip(MODES, one.after, strict=True)),
            }
            for one in result.flips
        ],
        "verifications": [one.model_dump(mode="json") for one in result.verifications],
    }


def print_result(result: "VerifyResult") -> None:
    """Print a line for each prediction, then counts."""
    for one in result.verifications:
        more = few([*one.repairs, *one.flags, *one.notes, *([one.reason] * bool(one.reason))])
        out(f"{one.instance_id}   {one.model_name_or_path}   {_verdicts(one)}   {more}".rstrip())
        print_findings(one)
    _print_counts(result.verifications)
    print_weakly_tested(result.verifications)
    if result.kept:
        out(f"{result.kept} were decided earlier and still hold")
    if result.unknown:
        out(f"{len(result.unknown)} predictions have no instance: {', '.join(result.unknown[:5])}")
    if result.missing:
        out(f"{len(result.missing)} instances have no prediction: {', '.join(result.missing[:5])}")


def print_regraded(result: "Regraded") -> None:
    """Print what became another verdict, then counts."""
    for one in result.flips:
        was, is_now = (_pair(*each) for each in (one.before, one.after))
        out(f"{one.instance_id}   {one.model_name_or_path}   {was}  →  {is_now}")
    out(f"{len(result.flips)} of {len(result.verifications)} are decided otherwise now")
    _print_counts(result.verifications)


def print_checks(checks: "Sequence[InstanceCheck]") -> None:
    """Print a line for each instance, then counts."""
    for one in checks:
        out(f"{one.instance_id}   {one.result}   {few(one.notes)}".rstrip())
        print_weaknesses(one)
    found = [one.result for one in checks]
    counted = (f"{found.count(kind)} {kind}" for kind in dict.fromkeys(found))
    out(f"{len(checks)} instances: {', '.join(counted)}")
    print_weak_instances(checks)


def few(notes: Sequence[str]) -> str:
    """Return the first notes, and how many more there are; `--json` and `--out` hold all."""
    more = len(notes) - MOST_NOTES
    return "; ".join([*notes[:MOST_NOTES], *([f"and {more} more"] if more > 0 else [])])


def _verdicts(one: "Verification") -> str:
    return _pair(one.strict, one.lenient) if one.status == "graded" else "ungraded"


def _pair(strict: object, lenient: object) -> str:
    return f"{strict} / {lenient}" if strict is not None else "ungraded"


def _counts(verifications: "Sequence[Verification]") -> dict[str, object]:
    from trajaudit.audit.verify import count

    counts = {mode: count(verifications, mode) for mode in MODES}
    return {mode: {"resolved": done, "graded": of} for mode, (done, of) in counts.items()}


def _print_counts(verifications: "Sequence[Verification]") -> None:
    from trajaudit.audit.verify import count

    total = len(verifications)
    for mode in MODES:
        resolved, graded = count(verifications, mode)
        most = resolved + total - graded
        out(
            f"{mode}: {resolved} of {graded} graded resolved; of all {total}: between {resolved} "
            f"(ungraded = fail) and {most} (ungraded = pass)"
        )
