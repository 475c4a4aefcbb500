"""Decides again from saved evidence, without a container: other lists, or newer rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trajaudit.audit.verifying.deciding import verification
from trajaudit.audit.verifying.testrun import read_log
from trajaudit.datamodel.patch import Instance, PatchVerdict, Verification
from trajaudit.datamodel.patch_evidence import Baseline, Evidence, TestRun
from trajaudit.errors import UsageError
from trajaudit.record.patch_files import PatchFileError
from trajaudit.record.patch_results import Results

Verdicts = tuple[PatchVerdict | None, PatchVerdict | None]


@dataclass(frozen=True)
class Flip:
    """A verdict that is another one now."""

    instance_id: str
    model_name_or_path: str
    before: Verdicts
    """Strict and lenient."""
    after: Verdicts


@dataclass(frozen=True, kw_only=True)
class Regraded:
    """All verifications as they are decided now, and what became another one."""

    verifications: Sequence[Verification]
    flips: Sequence[Flip]


def regrade(path: Path, instances: Mapping[str, Instance], out: Path | None) -> Regraded:
    """Decide the last verification of each prediction again.

    Args:
        path: Results of `trajaudit verify --out`, with their evidence beside them.
        instances: Whose lists, by id, count instead of those that were saved.
        out: Gets the new results and their evidence; must be another file.

    Raises:
        UsageError: results or evidence are missing or were changed; every fault at once.
    """
    if not path.is_file():
        raise UsageError(f"there are no results to decide again; got {str(path)!r}")
    if out is not None and out.resolve() == path.resolve():
        raise UsageError(f"--out must be another file than the results; got {str(out)!r} twice")
    results, faults = Results(path), []
    last = {(one.instance_id, one.model_name_or_path): one for one in results.earlier()}
    found: list[tuple[Verification, Evidence | None, Baseline | None]] = []
    for one in last.values():
        try:
            found.append((one, *(results.evidence(one) if one.status == "graded" else (None,) * 2)))
        except UsageError as e:
            faults.append(str(e))
    if faults or not found:
        raise PatchFileError(faults or [f"{path}:1: file holds no verification"])
    again = [_again(*each, instances) for each in found]
    if out is not None:
        _write(out, again)
    pairs = zip((one for one, _, _ in found), (one for one, _, _ in again), strict=True)
    flips = [_flip(*pair) for pair in pairs if _verdicts(pair[0]) != _verdicts(pair[1])]
    return Regraded(verifications=[one for one, _, _ in again], flips=flips)


def _again(
    one: Verification,
    evidence: Evidence | None,
    baseline: Baseline | None,
    instances: Mapping[str, Instance],
) -> tuple[Verification, Evidence | None, Baseline | None]:
    if evidence is None:
        return one, None, None
    if one.instance_id in instances:
        lists = ("fail_to_pass", "pass_to_pass", "eval_type", "log_parser")
        known = instances[one.instance_id]
        evidence = evidence.model_copy(update={name: getattr(known, name) for name in lists})
    evidence = evidence.model_copy(update={"runs": _read(evidence.runs, evidence)})
    if baseline is not None:
        baseline = baseline.model_copy(update={"runs": _read(baseline.runs, evidence)})
    # What a container saw under older code is no reason to keep it when verifying anew: no key.
    again = verification(evidence, baseline).model_copy(update={"beyond": one.beyond})
    return again, evidence, baseline


def _read(runs: Sequence[TestRun], evidence: Evidence) -> tuple[TestRun, ...]:
    """Read logs again that are the evidence."""
    parser = evidence.log_parser
    return tuple(
        run.model_copy(update={"statuses": read_log(parser, run.log)}) if run.from_log else run
        for run in runs
    )


def _write(
    out: Path, again: Sequence[tuple[Verification, Evidence | None, Baseline | None]]
) -> None:
    with Results(out) as results:
        for one, evidence, baseline in again:
            kept = results.keep(evidence) if evidence is not None else ""
            if baseline is not None:
                results.keep_baseline(baseline)
            results.append(one.model_copy(update={"evidence": kept}))


def _verdicts(one: Verification) -> Verdicts:
    return one.strict, one.lenient


def _flip(before: Verification, after: Verification) -> Flip:
    name = (after.instance_id, after.model_name_or_path)
    return Flip(*name, before=_verdicts(before), after=_verdicts(after))
