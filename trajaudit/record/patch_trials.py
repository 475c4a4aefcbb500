"""What was seen when the patch of a trial was tested: one file beside its journal."""

from trajaudit.datamodel.patch_trial import PatchTrial
from trajaudit.errors import RunDirError
from trajaudit.record.artifact import load_artifact
from trajaudit.record.rundir import RunDir
from trajaudit.record.stored import dumped, read_record, write_atomic

FILE = "patch.json"


def read_patch_trial(run: RunDir, task_id: str, trial: int) -> PatchTrial | None:
    """Return what was seen, or None where nothing was tested.

    Raises:
        RunDirError: the file is damaged, or belongs to another trial.
    """
    path = run.trial_dir(task_id, trial) / FILE
    if not path.exists():
        return None
    found = read_record(path, PatchTrial)
    if (found.task_id, found.trial) != (task_id, trial):
        raise RunDirError(
            f"{path}:1: belongs to another trial; got {found.task_id!r}/{found.trial}; "
            f"{task_id!r}/{trial} is wanted"
        )
    return found


def write_patch_trial(run: RunDir, found: PatchTrial) -> None:
    """Write it, replacing what was there.

    Raises:
        StorageError: it cannot be written.
    """
    write_atomic(run.trial_dir(found.task_id, found.trial) / FILE, [dumped(found)])


def read_patch(run: RunDir, task_id: str, trial: int, sha256: str) -> bytes | None:
    """Return the patch of a trial; None where it is gone or was changed."""
    return load_artifact(run.trial_dir(task_id, trial), sha256)
