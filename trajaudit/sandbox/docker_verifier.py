"""Containers in which a repository that lies in an image is changed and its tests are run.

Root inside, with no capability but that of opening any file; no network, and nothing of the host.
"""

import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox import command, container
from trajaudit.sandbox.command import Abilities, Place
from trajaudit.sandbox.container import ContainerPlan
from trajaudit.sandbox.disk_watch import DiskWatch
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.docker_sandbox import DockerSandbox
from trajaudit.sandbox.images import BuiltImage, Images, Progress, silent
from trajaudit.sandbox.locate import find_engine
from trajaudit.sandbox.ramp import Ramp
from trajaudit.sandbox.reap import reap

ROOT = "0:0"
MOST_STARTS = 4
DISK_MB = 4096
DISK_FULL = "more was written to disk than it may"


class DockerVerifier:
    """Starts one container for each verification."""

    def __init__(
        self,
        definitions: Sequence[Path] = (),
        *,
        api: Api | None = None,
        progress: Progress = silent,
        disk_mb: int = DISK_MB,
    ) -> None:
        self.api = api or Api(find_engine())
        self._images = Images(self.api, definitions, progress)
        self._ramp = Ramp(MOST_STARTS)
        self._watch = DiskWatch(self.api, disk_mb, DISK_FULL)
        self._ready: dict[str, BuiltImage] = {}
        self._preparing: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._abilities: dict[str, Abilities] = {}

    def prepare(self, image: str) -> str:
        """Make an image available and return its id; from several threads, once.

        Raises:
            SandboxError: it cannot be had or built.
        """
        with self._preparing[image]:
            if image not in self._ready:
                known = self._images.definition(image) is not None
                self._ready[image] = (self._images.build if known else self._images.obtain)(image)
        return self._ready[image].image_id

    def start(self, image_id: str, spec: SandboxSpec, *, run_id: str, name: str) -> DockerSandbox:
        """Start a container of a prepared image.

        Raises:
            SandboxError: it does not come up; nothing is left behind.
        """
        plan = ContainerPlan(image=image_id, spec=spec, run_id=run_id, name=name, writable=True)
        with self._ramp():
            started = container.start(self.api, plan)
        self._watch.add(started)
        try:
            if image_id not in self._abilities:
                self._abilities[image_id] = command.probe(started, ROOT)
        except SandboxError:
            started.remove()
            raise
        return DockerSandbox(
            Place(
                container=started,
                user=ROOT,
                workdir=spec.workdir,
                abilities=self._abilities[image_id],
            )
        )

    def reap(self) -> int:
        """Remove the containers of dead owners."""
        return reap(self.api)

    def close(self) -> None:
        """Release connections."""
        self._watch.close()
        self.api.close()
