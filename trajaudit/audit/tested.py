"""What came of testing the patch of a trial, decided from what was seen; needs no container."""

from trajaudit.audit.verifying.deciding import verification
from trajaudit.datamodel.patch import Verification
from trajaudit.datamodel.patch_evidence import Evidence
from trajaudit.datamodel.patch_trial import PatchSpec
from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.record.patch_trials import read_patch_trial
from trajaudit.record.rundir import RunDir


def tested(run: RunDir, task: Task, trial: int) -> Verification | None:
    """Return the verification of a trial's patch; None where it was not tested.

    The lists of tests are those of the task, which the evidence was gathered for.

    Raises:
        RunDirError: what is stored is damaged.
    """
    if not isinstance(task.target, PatchTarget):
        return None
    found = read_patch_trial(run, task.id, trial)
    if found is None:
        return None
    if found.evidence is None:
        return Verification(instance_id=task.id, status="ungraded", reason=found.failure)
    return verification(_for(task.target.patch, found.evidence), None)


def _for(spec: PatchSpec, evidence: Evidence) -> Evidence:
    lists = {
        "fail_to_pass": spec.fail_to_pass or evidence.fail_to_pass,
        "pass_to_pass": evidence.pass_to_pass if spec.pass_to_pass is None else spec.pass_to_pass,
    }
    return evidence.model_copy(update=lists)
