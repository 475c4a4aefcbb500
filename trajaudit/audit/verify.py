"""`trajaudit verify`: which patches really fix their issue, decided by tests in containers."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from trajaudit.audit.verifying import regrading
from trajaudit.audit.verifying.batch import Batch, BatchOptions
from trajaudit.audit.verifying.beyond_instances import looked_into
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.instances import InstanceCheck, check_instance
from trajaudit.datamodel.patch import Instance, PatchVerdict, Verification
from trajaudit.errors import UsageError
from trajaudit.record.patch_files import PatchFileError, load_instances, load_predictions
from trajaudit.record.patch_results import Results
from trajaudit.record.project import sandbox_folders
from trajaudit.sandbox.docker_verifier import DISK_MB, DockerVerifier

EVAL_TYPES = ("pass_and_fail", "fail_only")


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(BatchOptions):
    """What may be chosen for one verification of many predictions."""

    out: Path | None = None
    """JSON lines, one for each prediction as it is decided; those that still hold are kept. What
    they were decided from lies in a folder beside it."""
    disk_mb: int = DISK_MB
    """How much the tests of one container may write."""
    say: Callable[[str], None] = field(default=lambda _: None)


@dataclass(frozen=True, kw_only=True)
class VerifyResult:
    """All verifications, in the order of the predictions, and what could not be looked at."""

    verifications: Sequence[Verification]
    unknown: Sequence[str]
    """Instance ids of predictions for which there is no instance."""
    missing: Sequence[str]
    """Instances without a prediction."""
    kept: int
    """Of the verifications: how many an earlier run had decided."""

    def count(self, mode: Literal["strict", "lenient"]) -> tuple[int, int]:
        """Return (resolved, graded); what speaks against an instance grades nothing."""
        return count(self.verifications, mode)


def count(
    verifications: Sequence[Verification], mode: Literal["strict", "lenient"]
) -> tuple[int, int]:
    """Return (resolved, graded); what speaks against an instance grades nothing."""
    verdicts = [getattr(one, mode) for one in verifications if one.status == "graded"]
    graded = [one for one in verdicts if one is not PatchVerdict.INVALID_INSTANCE]
    return graded.count(PatchVerdict.RESOLVED), len(graded)


def verify(instances: Path, predictions: Path, options: VerifyOptions) -> VerifyResult:
    """Verify every prediction that has an instance.

    Raises:
        UsageError: a file is wrong; nothing was started.
        NoEngineError: there is no container engine.
        StorageError: results cannot be written.
    """
    _refuse(options)
    known = _load(instances)
    proposed = load_predictions(predictions)
    pairs = [(known[one.instance_id], one) for one in proposed if one.instance_id in known]
    results = Results(options.out) if options.out is not None else None
    found: dict[int, Verification] = {}
    kept = 0
    with _verifier(options) as verifier, results or nullcontext():
        batch = Batch(verifier, options, results, options.say)
        for number, one, was_kept in batch.verified(pairs):
            found[number] = one
            kept += was_kept
    answered = {one.instance_id for one in proposed}
    return VerifyResult(
        verifications=[found[number] for number in sorted(found)],
        unknown=[one.instance_id for one in proposed if one.instance_id not in known],
        missing=[name for name in known if name not in answered],
        kept=kept,
    )


def check_instances(instances: Path, options: VerifyOptions, repeats: int) -> list[InstanceCheck]:
    """Check instances by themselves, without any prediction.

    Raises:
        UsageError: the file is wrong; nothing was started.
        NoEngineError: there is no container engine.
    """
    if repeats < 1:
        raise UsageError(f"repeats must be at least 1; got {repeats}")
    _refuse(options)
    known = list(_load(instances).values())
    with _verifier(options) as verifier, ThreadPoolExecutor(options.concurrency) as pool:
        try:
            return list(pool.map(lambda one: _checked(verifier, one, repeats, options), known))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            verifier.stop()
            raise


def _checked(
    verifier: Verifier, instance: Instance, repeats: int, options: VerifyOptions
) -> InstanceCheck:
    check = check_instance(verifier, instance, repeats)
    return looked_into(verifier, instance, check, options.beyond)


def regrade(results: Path, instances: Path | None, out: Path | None) -> regrading.Regraded:
    """Decide again from what earlier verifications saw; needs no container.

    Raises:
        UsageError: a file is wrong, or evidence is missing or was changed.
    """
    return regrading.regrade(results, _load(instances) if instances is not None else {}, out)


def _refuse(options: VerifyOptions) -> None:
    """Refuse numbers that make no sense.

    Raises:
        UsageError: all of them.
    """
    least = {"concurrency": 1, "retries": 0, "repeats": 1, "disk_mb": 1}
    faults = [
        f"{name} must be at least {bound}; got {getattr(options, name)}"
        for name, bound in least.items()
        if getattr(options, name) < bound
    ]
    if faults:
        raise UsageError("\n".join(faults))


def _load(path: Path) -> dict[str, Instance]:
    """Return instances by id.

    Raises:
        PatchFileError: what is wrong with the file, or cannot be honoured.
    """
    known = {one.instance_id: one for one in load_instances(path)}
    known_types = ", ".join(EVAL_TYPES)
    faults = [
        f"{path}:1: {name}: unknown eval_type; got {one.eval_type!r}; known: {known_types}"
        for name, one in known.items()
        if one.eval_type not in {None, *EVAL_TYPES}
    ]
    if faults:
        raise PatchFileError(faults)
    return known


@contextmanager
def _verifier(options: VerifyOptions) -> Iterator[Verifier]:
    """Open what starts containers, after what a dead owner left behind was removed."""
    folders = sandbox_folders(Path.cwd())
    containers = DockerVerifier(folders, progress=options.say, disk_mb=options.disk_mb)
    try:
        containers.reap()
        yield Verifier(containers=containers, run_id=f"verify-{secrets.token_hex(4)}")
    finally:
        containers.close()
