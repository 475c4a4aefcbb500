"""Starts the sandboxes of the next trials while the present ones run."""

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from trajaudit.datamodel.scenario import Task
from trajaudit.datamodel.target import PatchTarget
from trajaudit.run.agents.program import Program
from trajaudit.run.repository.seed import seed
from trajaudit.run.services import Services, needs_sandbox
from trajaudit.sandbox.base import AgentProcess, Sandbox, SandboxRequest

PREFIX = "trajaudit-"


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A started sandbox that waits for its trial."""

    sandbox: Sandbox | None
    process: AgentProcess | None
    socket_dir: Path
    setup_s: float

    def discard(self) -> None:
        """Remove everything; safe to call twice."""
        if self.process is not None:
            self.process.kill()
        if self.sandbox is not None:
            self.sandbox.stop()
        shutil.rmtree(self.socket_dir, ignore_errors=True)


class Starter:
    """Hands out one prepared sandbox per trial; `schedule` starts one ahead of its trial.

    It knows every sandbox that is up, so that closing it leaves none behind, whoever has it.
    """

    def __init__(self, services: Services, *, threads: int) -> None:
        self._services = services
        self._needed = needs_sandbox(services.scenario, services.agent)
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="sandbox-start")
        self._lock = threading.Lock()
        self._futures: dict[tuple[str, int], Future[Prepared]] = {}
        self._up: dict[int, Prepared] = {}

    def schedule(self, task: Task, trial: int) -> None:
        """Start a trial's sandbox in the background, once."""
        if self._needed:
            with self._lock:
                self._scheduled(task, trial)

    def take(self, task: Task, trial: int) -> Prepared:
        """Return the trial's sandbox, waiting for it where it is not up yet; `discard` it.

        Raises:
            SandboxError: it did not come up.
        """
        if not self._needed:
            folder = self._socket_dir()
            return self._noted(Prepared(sandbox=None, process=None, socket_dir=folder, setup_s=0.0))
        with self._lock:
            future = self._scheduled(task, trial)
            del self._futures[task.id, trial]
        return future.result()

    def discard(self, prepared: Prepared) -> None:
        """Remove what was taken."""
        with self._lock:
            mine = self._up.pop(id(prepared), None)
        if mine is not None:
            mine.discard()

    def close(self) -> None:
        """Remove everything: what is up at once, what is starting as soon as it has started."""
        self._discard_all()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._discard_all()

    def _discard_all(self) -> None:
        with self._lock:
            up = list(self._up.values())
        for prepared in up:
            self.discard(prepared)

    def _scheduled(self, task: Task, trial: int) -> Future[Prepared]:
        key = (task.id, trial)
        if key not in self._futures:
            self._futures[key] = self._pool.submit(self._prepare, task, trial)
        return self._futures[key]

    def _noted(self, prepared: Prepared) -> Prepared:
        with self._lock:
            self._up[id(prepared)] = prepared
        return prepared

    def _socket_dir(self) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self._services.sockets))
        # The agent's user inside the sandbox is not ours; the folder above is closed to others.
        folder.chmod(0o755)
        return folder

    def _prepare(self, task: Task, trial: int) -> Prepared:
        started = time.monotonic()
        services = self._services
        if services.provider is None:
            raise RuntimeError("a sandbox is needed and there is no provider")
        socket_dir = self._socket_dir()
        try:
            sandbox = services.provider.start(
                SandboxRequest(
                    spec=services.scenario.sandbox,
                    run_id=services.config.run_id,
                    name=f"{task.id}/{trial}",
                    gateway_dir=socket_dir,
                    files=self._files(task),
                )
            )
            process = self._seeded(sandbox, task)
        except BaseException:
            shutil.rmtree(socket_dir, ignore_errors=True)
            raise
        setup_s = time.monotonic() - started
        return self._noted(
            Prepared(sandbox=sandbox, process=process, socket_dir=socket_dir, setup_s=setup_s)
        )

    def _seeded(self, sandbox: Sandbox, task: Task) -> AgentProcess | None:
        """Put the task's repository in its place, then start the agent's program.

        The program starts early: its imports overlap with the trial before.
        """
        agent = self._services.agent
        try:
            if isinstance(task.target, PatchTarget):
                seed(sandbox, self._services.open_repository(task.target.patch.repository))
            if not isinstance(agent, Program):
                return None
            return agent.spawn(sandbox, self._services.entry)
        except BaseException:
            sandbox.stop()
            raise

    def _files(self, task: Task) -> Mapping[str, bytes]:
        named = {**self._services.scenario.sandbox.files, **task.files}
        return {inside: self._services.open_file(path) for inside, path in named.items()}


def make_sockets_dir() -> Path:
    """Return a new folder for sockets, closed to other users; its name tells its owner."""
    sweep_sockets_dirs()
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def sweep_sockets_dirs() -> int:
    """Remove the folders of owners that are dead; return how many."""
    removed = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and folder.is_dir() and not Path("/proc", pid).exists():
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed
