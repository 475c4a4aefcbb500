"""One verification, from a fresh container to what is known about the patch."""

import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trajaudit.audit.verifying.patching import Patched, apply_patch
from trajaudit.audit.verifying.testrun import TestRun, run_tests
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance, Prediction, TestStatus, Verification
from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import Sandbox
from trajaudit.sandbox.docker_verifier import DockerVerifier
from trajaudit.score.patch.reading import read_patch
from trajaudit.score.patch.verdict import Facts, Lists, decide

MEMORY_MB = 2048
PIDS = 512
CPUS = 2.0


@dataclass(frozen=True, kw_only=True)
class Verifier:
    """Verifies one prediction at a time; safe to use from several threads."""

    containers: DockerVerifier
    run_id: str
    running: set[Sandbox] = field(default_factory=set)
    stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Remove the containers that run at this moment; what waits for them fails at once."""
        self.stopped.set()
        for sandbox in list(self.running):
            sandbox.stop()

    def verify(self, instance: Instance, prediction: Prediction) -> Verification:
        """Decide about a prediction.

        Raises:
            SandboxError: the infrastructure failed, which is no verdict.
        """
        began = time.monotonic()
        patch = _bytes(prediction.model_patch)
        image = ""
        patched, run = Patched(empty=True), None
        test_patch_applied = True
        if read_patch(patch).sections:
            if instance.image is None:
                raise SandboxError(f"instance {instance.instance_id!r} names no image")
            image = self.containers.prepare(instance.image)
            with self._start(instance, image, prediction) as sandbox:
                patched, test_patch_applied, run = self._watched(sandbox, instance, patch)
        facts = _facts(patched, run, test_patch_applied=test_patch_applied)
        lists = Lists(fail_to_pass=instance.fail_to_pass, pass_to_pass=instance.pass_to_pass)
        decision = decide(lists, facts)
        return Verification(
            instance_id=instance.instance_id,
            model_name_or_path=prediction.model_name_or_path,
            status="graded",
            strict=decision.strict,
            lenient=decision.lenient,
            reason=patched.reason,
            repairs=patched.repairs,
            flags=tuple(patched.flags),
            notes=(*decision.notes, *_notes(run)),
            statuses=_listed(instance, run.statuses if run else {}),
            patch_sha256=hashlib.sha256(patch).hexdigest(),
            image=image,
            duration_s=round(time.monotonic() - began, 3),
        )

    def _watched(
        self, sandbox: Sandbox, instance: Instance, patch: bytes
    ) -> tuple[Patched, bool, TestRun | None]:
        """Carry it out so that `stop` can end it."""
        self.running.add(sandbox)
        try:
            if self.stopped.is_set():
                raise SandboxError("the verification was stopped")
            return _carried_out(sandbox, instance, patch)
        finally:
            self.running.discard(sandbox)

    def without_patch(self, instance: Instance) -> dict[str, TestStatus]:
        """Return how the listed tests end on the repository as it lies in the image.

        Raises:
            SandboxError: the infrastructure failed, or the tests of the instance do not apply.
        """
        if instance.image is None:
            raise SandboxError(f"instance {instance.instance_id!r} names no image")
        image = self.containers.prepare(instance.image)
        with self._start(instance, image, Prediction(instance_id="base")) as sandbox:
            tree = Worktree(sandbox, instance.workdir)
            fault = _test_patch_fault(tree, instance)
            if fault:
                raise SandboxError(f"the tests of the instance do not apply; got: {fault}")
            return _listed(instance, run_tests(sandbox, tree, instance).statuses)

    def _start(self, instance: Instance, image: str, prediction: Prediction) -> Sandbox:
        spec = SandboxSpec(memory_mb=MEMORY_MB, cpus=CPUS, pids=PIDS, workdir=instance.workdir)
        name = f"{prediction.model_name_or_path}/{instance.instance_id}"
        return self.containers.start(image, spec, run_id=self.run_id, name=name)


def _carried_out(
    sandbox: Sandbox, instance: Instance, patch: bytes
) -> tuple[Patched, bool, TestRun | None]:
    tree = Worktree(sandbox, instance.workdir)
    patched = apply_patch(tree, patch, _bytes(instance.test_patch))
    if not patched.lenient:
        return patched, True, None
    fault = _test_patch_fault(tree, instance)
    if fault:
        patched.reason = fault
        return patched, False, None
    return patched, True, run_tests(sandbox, tree, instance)


def _test_patch_fault(tree: Worktree, instance: Instance) -> str:
    """Apply the tests of an instance, unless its script does; return what git says against it."""
    if not instance.test_patch or instance.eval_script is not None:
        return ""
    tests = _bytes(instance.test_patch)
    done = tree.git("apply", "--whitespace=nowarn", "-", stdin=tests)
    said = done.stderr.decode(errors="replace").strip()
    return (said or f"exit code {done.exit_code}") if done.exit_code != 0 else ""


def _facts(patched: Patched, run: TestRun | None, *, test_patch_applied: bool) -> Facts:
    facts = Facts(
        patch_is_empty=patched.empty,
        applied_strictly=patched.strict,
        applied_leniently=patched.lenient,
        test_patch_applied=test_patch_applied,
    )
    if run is None:
        return facts
    return Facts(
        applied_strictly=patched.strict,
        timed_out=run.timed_out,
        canary_held=run.canary_held,
        session_finished=run.finished,
        collection_failed=run.collection_failed,
        after={test: (status,) for test, status in run.statuses.items()},
    )


def _notes(run: TestRun | None) -> Sequence[str]:
    from_log = run is not None and run.from_log
    return ("statuses were read from the log, which the code under test can write",) * from_log


def _listed(instance: Instance, statuses: Mapping[str, TestStatus]) -> dict[str, TestStatus]:
    listed = (*instance.fail_to_pass, *instance.pass_to_pass)
    return {test: statuses[test] for test in listed if test in statuses}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
