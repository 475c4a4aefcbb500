"""Containers in which the repositories of a scenario are tested, and the instances they make."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from trajaudit.audit.verifying.container import Verifier
from trajaudit.datamodel.patch import Instance
from trajaudit.datamodel.patch_trial import PatchSpec
from trajaudit.datamodel.scenario import SandboxSpec, Scenario, Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.record.project import sandbox_folders
from trajaudit.record.repository import SourceFile
from trajaudit.record.scenarios import LoadedScenario
from trajaudit.run.repository.seed import seed
from trajaudit.sandbox.docker_sandbox import DockerSandbox
from trajaudit.sandbox.docker_verifier import DockerVerifier
from trajaudit.sandbox.images import Progress

T = TypeVar("T")
AT_ONCE = 2
"""A test run takes the processors that it gets: more at once make time-outs, not speed."""
Repositories = Mapping[str, Mapping[str, SourceFile]]
"""Task id → the files of its repository."""


class RepositoryContainers(DockerVerifier):
    """Starts containers whose work directory holds the repository of a task."""

    def __init__(self, loaded: LoadedScenario, repositories: Repositories, say: Progress) -> None:
        super().__init__(sandbox_folders(loaded.root), progress=say)
        self._repositories = repositories

    def start(self, image_id: str, spec: SandboxSpec, *, run_id: str, name: str) -> DockerSandbox:
        """Start a container of a prepared image; `name` is `.../task id`.

        Raises:
            SandboxError: it does not come up, or its image holds no git.
        """
        sandbox = super().start(image_id, spec, run_id=run_id, name=name)
        try:
            seed(sandbox, self._repositories[name.rpartition("/")[2]])
        except BaseException:
            sandbox.stop()
            raise
        return sandbox


@dataclass(frozen=True)
class PatchTask:
    """A task that asks for the change of a repository."""

    task: Task
    spec: PatchSpec


def patch_tasks(scenario: Scenario) -> list[PatchTask]:
    """Return the tasks that ask for a patch."""
    return [
        PatchTask(task, task.target.patch)
        for task in scenario.tasks
        if isinstance(task.target, PatchTarget)
    ]


@contextmanager
def open_verifier(
    loaded: LoadedScenario, tasks: list[PatchTask], run_id: str, say: Progress
) -> Iterator[Verifier]:
    """Open what tests the patches of some tasks; on leaving nothing runs any more.

    Raises:
        NoEngineError: there is no container engine.
    """
    repositories = {one.task.id: loaded.open_repository(one.spec.repository) for one in tasks}
    containers = RepositoryContainers(loaded, repositories, say)
    verifier = Verifier(containers=containers, run_id=run_id)
    try:
        containers.reap()
        yield verifier
    finally:
        verifier.stop()
        containers.close()


def for_each(
    verifier: Verifier, tasks: Sequence[PatchTask], work: Callable[[PatchTask], T]
) -> list[T]:
    """Do some work with each task, several at once; an interruption ends all of it."""
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="patch") as pool:
        try:
            return list(pool.map(work, tasks))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            verifier.stop()
            raise


def instance_of(loaded: LoadedScenario, scenario: Scenario, one: PatchTask) -> Instance:
    """Return a task as an instance of the patch verifier; its repository is put in at the start."""
    spec = one.spec
    return Instance(
        instance_id=one.task.id,
        image=spec.image or scenario.sandbox.image,
        patch=loaded.open_file(spec.gold).decode(),
        test_patch=loaded.open_file(spec.tests).decode(),
        fail_to_pass=spec.fail_to_pass or (),
        pass_to_pass=spec.pass_to_pass or (),
        test_command=spec.command,
        workdir=scenario.sandbox.workdir,
        timeout_s=spec.timeout_s,
    )
