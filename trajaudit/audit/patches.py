"""The patches that the trials of a run left, each tested in a container of its own."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from trajaudit.audit.repositories import (
    AT_ONCE,
    PatchTask,
    instance_of,
    open_verifier,
    patch_tasks,
)
from trajaudit.audit.score import trajectories
from trajaudit.audit.verifying.container import Verifier
from trajaudit.audit.verifying.keys import code_hash, verification_key
from trajaudit.datamodel.patch import Instance, Prediction
from trajaudit.datamodel.patch_trial import PatchTrial
from trajaudit.errors import NoEngineError, SandboxError
from trajaudit.record.patch_trials import read_patch, read_patch_trial, write_patch_trial
from trajaudit.record.rundir import RunDir
from trajaudit.record.scenarios import LoadedScenario
from trajaudit.sandbox.images import Progress

RETRIES = 1
"""How often a test that the infrastructure spoiled is begun anew."""


@dataclass(frozen=True)
class _Job:
    trial: int
    instance: Instance
    patch: bytes
    repository: Mapping[str, str]
    """Names and hashes of its files."""


def verify_patches(run: RunDir, loaded: LoadedScenario, say: Progress) -> None:
    """Test every patch of a run that was not tested yet; each result is on disk at once.

    Raises:
        NoEngineError: there is no container engine.
        StorageError: a result cannot be written.
    """
    tasks = {one.task.id: one for one in patch_tasks(run.config.scenario)}
    jobs = list(_jobs(run, loaded, tasks)) if tasks else []
    if not jobs:
        return
    say(f"testing {len(jobs)} patches" if len(jobs) > 1 else "testing the patch")
    wanted = [tasks[name] for name in {job.instance.instance_id for job in jobs}]
    with open_verifier(loaded, wanted, run.run_id, say) as verifier:
        for found in _tested(run, verifier, jobs):
            write_patch_trial(run, found)


def _jobs(run: RunDir, loaded: LoadedScenario, tasks: Mapping[str, PatchTask]) -> Iterator[_Job]:
    known: dict[str, tuple[Instance, dict[str, str]]] = {}
    for record, trajectory in trajectories(run):
        taken = trajectory.patch
        if record.task_id not in tasks or taken is None or not taken.size or not taken.artifact:
            continue
        patch = read_patch(run, record.task_id, record.trial, taken.artifact)
        if patch is None:
            continue  # gone or changed: scoring says so
        if record.task_id not in known:
            one = tasks[record.task_id]
            known[record.task_id] = (
                instance_of(loaded, run.config.scenario, one),
                _hashes(loaded, one),
            )
        instance, repository = known[record.task_id]
        yield _Job(record.trial, instance, patch, repository)


def _hashes(loaded: LoadedScenario, one: PatchTask) -> dict[str, str]:
    files = loaded.open_repository(one.spec.repository)
    return {
        path: f"{hashlib.sha256(file.content).hexdigest()} {file.executable}"
        for path, file in files.items()
    }


def _tested(run: RunDir, verifier: Verifier, jobs: Sequence[_Job]) -> Iterator[PatchTrial]:
    code = code_hash()
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="patch") as pool:
        waiting = [pool.submit(_one, run, verifier, job, code) for job in jobs]
        try:
            for done in as_completed(waiting):
                found = done.result()
                if found is not None:
                    yield found
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            verifier.stop()
            raise


def _one(run: RunDir, verifier: Verifier, job: _Job, code: str) -> PatchTrial | None:
    """Return what was seen of a patch; None where that is known already."""
    task_id = job.instance.instance_id
    reason = ""
    for _ in range(RETRIES + 1):
        try:
            prediction = Prediction(
                instance_id=task_id,
                model_name_or_path=str(job.trial),
                model_patch=job.patch.decode(),
            )
            image = verifier.image(job.instance)
            key = verification_key(job.instance, prediction, image, code, job.repository)
            known = read_patch_trial(run, task_id, job.trial)
            if known is not None and known.key == key and known.evidence is not None:
                return None
            evidence = verifier.examine(job.instance, prediction)
        except NoEngineError:
            raise
        except (SandboxError, OSError, UnicodeDecodeError) as error:
            reason = str(error)
            if verifier.stopped.is_set():
                break
        else:
            return PatchTrial(task_id=task_id, trial=job.trial, key=key, evidence=evidence)
    return PatchTrial(task_id=task_id, trial=job.trial, key="", failure=reason)
