"""One verification, from a fresh container to what is known about the patch."""

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from trajaudit.audit.verifying.deciding import verification
from trajaudit.audit.verifying.patching import Patched, apply_patch
from trajaudit.audit.verifying.testrun import run_tests
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance, Prediction, Verification
from trajaudit.datamodel.patch_evidence import Baseline, Evidence, PatchFacts, TestRun
from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import Sandbox
from trajaudit.sandbox.container import OUT_OF_MEMORY
from trajaudit.sandbox.docker_verifier import DISK_FULL, DockerVerifier
from trajaudit.score.patch.reading import read_patch

MEMORY_MB = 2048
PIDS = 512
CPUS = 2.0
DYING_S = 2.0
Limit = Literal["memory", "disk"]
LIMITS: dict[str, Limit] = {OUT_OF_MEMORY: "memory", DISK_FULL: "disk"}
"""What a sandbox says of its end where the tests brought it about → the limit they overran."""


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

    def image(self, instance: Instance) -> str:
        """Return the id of an instance's image.

        Raises:
            SandboxError: it names none, or it cannot be had.
        """
        if instance.image is None:
            raise SandboxError(f"instance {instance.instance_id!r} names no image")
        return self.containers.prepare(instance.image)

    def verify(
        self,
        instance: Instance,
        prediction: Prediction,
        *,
        baseline: Baseline | None = None,
        repeats: int = 1,
    ) -> Verification:
        """Decide about a prediction.

        Raises:
            SandboxError: the infrastructure failed, which is no verdict.
        """
        return verification(self.examine(instance, prediction, repeats=repeats), baseline)

    def examine(self, instance: Instance, prediction: Prediction, *, repeats: int = 1) -> Evidence:
        """Apply a patch and run the tests, each time in a container of its own.

        Raises:
            SandboxError: the infrastructure failed.
        """
        began = time.monotonic()
        patch = _bytes(prediction.model_patch)
        facts, runs, image = PatchFacts(empty=True), [], ""
        if read_patch(patch).sections:
            image = self.image(instance)
            for _ in range(repeats):
                with self._started(instance, image, prediction) as sandbox:
                    facts, run = _carried_out(sandbox, instance, patch)
                if run is None:
                    break
                runs.append(run)
        return Evidence(
            instance_id=instance.instance_id,
            model_name_or_path=prediction.model_name_or_path,
            fail_to_pass=instance.fail_to_pass,
            pass_to_pass=instance.pass_to_pass,
            eval_type=instance.eval_type,
            log_parser=instance.log_parser,
            patch_sha256=hashlib.sha256(patch).hexdigest(),
            patch=facts,
            runs=tuple(runs),
            image=image,
            duration_s=round(time.monotonic() - began, 3),
        )

    def baseline(self, instance: Instance, *, repeats: int = 1, key: str = "") -> Baseline:
        """Run the tests on the repository as it lies in the image.

        Raises:
            SandboxError: the infrastructure failed.
        """
        image, runs = self.image(instance), []
        for _ in range(repeats):
            with self._started(instance, image, Prediction(instance_id="base")) as sandbox:
                tree = Worktree(sandbox, instance.workdir)
                fault = _test_patch_fault(tree, instance)
                if fault:
                    return Baseline(key=key, fault=fault)
                runs.append(_tested(sandbox, tree, instance))
        return Baseline(key=key, runs=tuple(runs))

    @contextmanager
    def _started(self, instance: Instance, image: str, prediction: Prediction) -> Iterator[Sandbox]:
        """Start a container so that `stop` can end it."""
        spec = SandboxSpec(memory_mb=MEMORY_MB, cpus=CPUS, pids=PIDS, workdir=instance.workdir)
        name = f"{prediction.model_name_or_path}/{instance.instance_id}"
        with self.containers.start(image, spec, run_id=self.run_id, name=name) as sandbox:
            self.running.add(sandbox)
            try:
                if self.stopped.is_set():
                    raise SandboxError("the verification was stopped")
                yield sandbox
            finally:
                self.running.discard(sandbox)


def _carried_out(
    sandbox: Sandbox, instance: Instance, patch: bytes
) -> tuple[PatchFacts, TestRun | None]:
    tree = Worktree(sandbox, instance.workdir)
    patched = apply_patch(tree, patch, instance)
    if not patched.lenient:
        return _facts(patched), None
    fault = _test_patch_fault(tree, instance)
    if fault:
        patched.reason = fault
        return _facts(patched, test_patch_applied=False), None
    return _facts(patched), _tested(sandbox, tree, instance)


def _tested(sandbox: Sandbox, tree: Worktree, instance: Instance) -> TestRun:
    """Run tests; when they take all memory or disk, that is their own failure.

    Raises:
        SandboxError: the infrastructure failed.
    """
    try:
        return run_tests(sandbox, tree, instance)
    except (SandboxError, OSError) as e:
        why = _end_of(sandbox) or str(e)
        limit = next((name for words, name in LIMITS.items() if words in why), None)
        if limit is None:
            raise
        return TestRun(overran=limit)


def _end_of(sandbox: Sandbox) -> str:
    """Return why a sandbox is gone; one that is being ended may seem to live for a moment."""
    deadline = time.monotonic() + DYING_S
    while not (why := sandbox.died()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return why or ""


def _test_patch_fault(tree: Worktree, instance: Instance) -> str:
    """Apply the tests of an instance, unless its script does; return what git says against it."""
    if not instance.test_patch or instance.eval_script is not None:
        return ""
    tests = _bytes(instance.test_patch)
    done = tree.git("apply", "--whitespace=nowarn", "-", stdin=tests)
    said = done.stderr.decode(errors="replace").strip()
    return (said or f"exit code {done.exit_code}") if done.exit_code != 0 else ""


def _facts(patched: Patched, *, test_patch_applied: bool = True) -> PatchFacts:
    return PatchFacts(
        empty=patched.empty,
        strict=patched.strict,
        lenient=patched.lenient,
        reason=patched.reason,
        repairs=patched.repairs,
        flags=tuple(patched.flags),
        test_patch_applied=test_patch_applied,
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
