"""A container for looking further: a repository with a patch and the tests of its instance."""

import secrets
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files

from trajaudit.audit.verifying.container import CPUS, MEMORY_MB, PIDS, Verifier
from trajaudit.audit.verifying.patching import TEST_FILE, apply_patch
from trajaudit.audit.verifying.testrun import run_tests
from trajaudit.audit.verifying.worktree import Worktree
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_evidence import TestRun
from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import Sandbox
from trajaudit.score.patch.applying import touched_paths

MOST_SAID = 50_000_000


class NotDoneError(Exception):
    """A check cannot be made; the text says why. Never leaves this package."""


@dataclass(frozen=True)
class Opened:
    """A repository in a container, and what a patch did to its files."""

    sandbox: Sandbox
    tree: Worktree
    instance: Instance
    before: Mapping[str, bytes] = field(default_factory=dict)
    """Files that the patch touches, as they were."""
    after: Mapping[str, bytes] = field(default_factory=dict)
    """The same files as they are while tests run."""
    test_paths: Sequence[str] = ()
    """Files that the tests of the instance bring."""
    home: str = field(default_factory=lambda: f"/tmp/{secrets.token_hex(8)}")  # noqa: S108 (inside the container)
    """A folder of ours beside the repository."""

    @property
    def changed(self) -> list[str]:
        """Python files, tests apart, that the patch left with another content."""
        return [
            path
            for path, content in sorted(self.after.items())
            if path.endswith(".py")
            and not TEST_FILE.search(path)
            and self.before.get(path) != content
        ]

    def run_tests(self, plugin: str, settings: bytes) -> TestRun:
        """Run the tests of the instance with one more plug-in, which reads its settings."""
        self.put({f"{plugin}.py": source(plugin), "settings": settings})
        setup = (
            f"export BEYOND_HOME={self.home} "
            f"PYTHONPATH={self.home}${{PYTHONPATH:+:$PYTHONPATH}} "
            f'PYTEST_ADDOPTS="$PYTEST_ADDOPTS -p {plugin}"\n'
        )
        return run_tests(self.sandbox, self.tree, self.instance, setup=setup)

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write files beside the repository."""
        self.tree.write(
            {f"{self.home}/{name}"[1:]: one for name, one in contents.items()}, folder="/"
        )

    def said(self, name: str) -> bytes:
        """Return what a program left beside the repository.

        Raises:
            NotDoneError: it left nothing.
        """
        try:
            return self.sandbox.read_file(f"{self.home}/{name}", max_bytes=MOST_SAID)
        except SandboxError:
            raise
        except OSError as e:
            raise NotDoneError("what watches the tests left nothing behind") from e

    def python(self, program: str, *argv: str, timeout_s: float) -> None:
        """Run one of our programs with the Python that the tests run with."""
        self.put({f"{program}.py": source(program)})
        command = shlex.join([f"{self.home}/{program}.py", *argv])
        done = self.sandbox.exec(
            ["bash", "-c", f'exec "$(cat {self.home}/python)" {command}'], timeout_s=timeout_s
        )
        if done.timed_out:
            raise NotDoneError(f"it did not end within {timeout_s:g} s")
        if done.exit_code != 0:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise NotDoneError(f"it failed in the container; got: {said[-1] if said else ''}")


@contextmanager
def opened(
    verifier: Verifier, instance: Instance, patch: str | None, *, tests: bool = True
) -> Iterator[Opened]:
    """Start a container and bring the repository into the state in which tests decide.

    Args:
        verifier: Starts it, and can stop it.
        instance: Whose repository.
        patch: None: as it lies in the image.
        tests: Apply the tests of the instance as well.

    Raises:
        NotDoneError: the patch, or the tests, do not apply.
        SandboxError: the infrastructure failed.
    """
    if instance.image is None:
        raise SandboxError(f"instance {instance.instance_id!r} names no image")
    image = verifier.containers.prepare(instance.image)
    spec = SandboxSpec(memory_mb=MEMORY_MB, cpus=CPUS, pids=PIDS, workdir=instance.workdir)
    name = f"beyond/{instance.instance_id}"
    with verifier.containers.start(image, spec, run_id=verifier.run_id, name=name) as sandbox:
        verifier.running.add(sandbox)
        try:
            if verifier.stopped.is_set():
                raise SandboxError("the verification was stopped")
            yield _patched(sandbox, instance, patch, tests=tests)
        finally:
            verifier.running.discard(sandbox)


def _patched(sandbox: Sandbox, instance: Instance, patch: str | None, *, tests: bool) -> Opened:
    tree = Worktree(sandbox, instance.workdir)
    test_patch = instance.test_patch.encode("utf-8", "surrogateescape")
    before: Mapping[str, bytes] = {}
    after: Mapping[str, bytes] = {}
    if patch is not None:
        content = patch.encode("utf-8", "surrogateescape")
        touched = touched_paths(content, tree, [tree.root])
        before = tree.read(touched)
        if not apply_patch(tree, content, instance).lenient:
            raise NotDoneError("the patch does not apply")
        after = tree.read(touched)
    # A script that brings the tests along only does so when it runs.
    if tests and test_patch and instance.eval_script is None:
        done = tree.git("apply", "--whitespace=nowarn", "-", stdin=test_patch)
        if done.exit_code != 0:
            raise NotDoneError("the tests of the instance do not apply")
    return Opened(sandbox, tree, instance, before, after, touched_paths(test_patch, tree))


def source(module: str) -> bytes:
    """Return the source of a module of this package that runs in containers."""
    return files("trajaudit.audit.verifying").joinpath(f"{module}.py").read_bytes()
