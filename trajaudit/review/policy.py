"""How items are given out and which trials are drawn: small files that a lead may change."""

from pathlib import Path

from trajaudit.datamodel.review import ReviewPolicy, SamplePlan
from trajaudit.errors import StorageError
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped, read_record, storing, write_atomic

REVIEW = ".review"
POLICY = "policy.json"
SAMPLE = "sample.json"


def review_dir(runs: Path) -> Path:
    """Return the folder beside the runs of what belongs to no single run (it need not exist)."""
    return runs / REVIEW


def make_review_dir(runs: Path) -> Path:
    """Return that folder, made where it was not; nobody else on the machine may look into it.

    Raises:
        StorageError: it cannot be made.
    """
    folder = review_dir(runs)
    with storing(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    return folder


def load_policy(runs: Path) -> ReviewPolicy:
    """Return the policy of the reviews in a folder of runs; the default where none was stored.

    Raises:
        RunDirError: it is damaged or of a newer version.
    """
    path = review_dir(runs) / POLICY
    return read_record(path, ReviewPolicy) if path.exists() else ReviewPolicy()


def store_policy(runs: Path, policy: ReviewPolicy) -> None:
    """Replace the policy; errors: StorageError, it is as before."""
    write_atomic(make_review_dir(runs) / POLICY, [dumped(policy)])


def load_plan(run: RunDir) -> SamplePlan | None:
    """Return which trials of a run are drawn; None where nobody said it.

    Raises:
        RunDirError: it is damaged or of a newer version.
    """
    path = run.path / SAMPLE
    return read_record(path, SamplePlan) if path.exists() else None


def store_plan(run: RunDir, plan: SamplePlan) -> None:
    """Replace which trials of a run are drawn; errors: StorageError, it is as before."""
    if not run.path.is_dir():
        raise StorageError(f"{run.path}: there is no such run; its plan cannot be written")
    write_atomic(run.path / SAMPLE, [dumped(plan)])
