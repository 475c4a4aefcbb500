"""Containers of a Docker engine: prepared once a run, one for each trial, one for python mocks."""

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox import command, container
from trajaudit.sandbox.base import Isolation, SandboxRequest
from trajaudit.sandbox.command import Abilities, Place
from trajaudit.sandbox.container import Container, ContainerPlan
from trajaudit.sandbox.docker import Api
from trajaudit.sandbox.docker_sandbox import DockerSandbox, archive
from trajaudit.sandbox.docker_worker import DockerWorker
from trajaudit.sandbox.images import Images, Progress, silent
from trajaudit.sandbox.locate import find_engine
from trajaudit.sandbox.ramp import Ramp
from trajaudit.sandbox.reap import reap

MOST_STARTS = 8
MOCKS = "/mocks"
SOCKET = "gateway.sock"


@dataclass(frozen=True, kw_only=True)
class _Prepared:
    reference: str
    image_id: str
    spec: SandboxSpec
    env: Mapping[str, str]


class DockerProvider:
    """Starts containers in the first engine that answers."""

    isolation: Isolation = "container"

    def __init__(
        self,
        definitions: Sequence[Path] = (),
        *,
        api: Api | None = None,
        progress: Progress = silent,
        most_starts: int = MOST_STARTS,
    ) -> None:
        self._api = api or Api(find_engine())
        self._images = Images(self._api, definitions, progress)
        self._ramp = Ramp(most_starts)
        self._prepared: dict[str, _Prepared] = {}
        self._preparing = threading.Lock()
        self._abilities: dict[str, Abilities] = {}
        self._init = True

    def prepare(self, spec: SandboxSpec) -> tuple[str, str | None]:
        """Make the image available and return (image reference, image id)."""
        ready = self._ready(spec)
        return ready.reference, ready.image_id

    def start(self, request: SandboxRequest) -> DockerSandbox:
        """Start a container; SandboxError when it does not come up."""
        ready = self._ready(request.spec)
        _open_gateway(request.gateway_dir)
        plan = ContainerPlan(
            image=ready.image_id,
            spec=ready.spec,
            run_id=request.run_id,
            name=request.name,
            env={**ready.env, **request.env},
            gateway_dir=str(request.gateway_dir.resolve()),
        )
        place = self._place(plan)
        sandbox = DockerSandbox(place)
        try:
            sandbox.write_files(request.files)
        except (OSError, SandboxError) as e:
            sandbox.stop()
            raise SandboxError(f"files cannot be copied into the sandbox; got: {e}") from e
        return sandbox

    def worker(
        self, spec: SandboxSpec, *, run_id: str, argv: Sequence[str], files: Mapping[str, bytes]
    ) -> DockerWorker:
        """Start a program with no network and none of an agent's files."""
        ready = self._ready(spec)
        plan = ContainerPlan(
            image=ready.image_id,
            spec=ready.spec,
            run_id=run_id,
            name="mocks",
            env=ready.env,
            volume=MOCKS,
            archive=archive(files),
        )
        return DockerWorker(lambda: self._place(plan), argv)

    def reap(self) -> int:
        """Remove the containers of dead owners."""
        return reap(self._api)

    def close(self) -> None:
        """Release connections."""
        self._api.close()

    def _ready(self, spec: SandboxSpec) -> _Prepared:
        key = spec.model_dump_json(exclude={"files"})
        with self._preparing:
            if key not in self._prepared:
                self._prepared[key] = self._make_ready(spec)
            return self._prepared[key]

    def _make_ready(self, spec: SandboxSpec) -> _Prepared:
        container.owner_ids(spec.user)
        found = self._images.definition(spec.image)
        if found is None:
            image = self._images.obtain(spec.image)
            return _Prepared(reference=image.reference, image_id=image.image_id, spec=spec, env={})
        image = self._images.build(spec.image)
        passed = {name: os.environ[name] for name in found.settings.env if name in os.environ}
        return _Prepared(
            reference=image.reference,
            image_id=image.image_id,
            spec=found.apply(spec),
            env=passed,
        )

    def _place(self, plan: ContainerPlan) -> Place:
        with self._ramp():
            started = self._start(plan)
        try:
            abilities = self._probe(plan, started)
        except SandboxError as e:
            started.remove()
            raise SandboxError(
                f"container of image {plan.image} ended at once; its image needs at least the "
                f"program `{container.LIFELINE[0]}`; got: {e}"
            ) from e
        return Place(
            container=started,
            user=plan.spec.user,
            workdir=plan.spec.workdir,
            abilities=abilities,
        )

    def _start(self, plan: ContainerPlan) -> Container:
        try:
            return container.start(self._api, replace(plan, init=self._init))
        except SandboxError as e:
            if not self._init or "docker-init" not in str(e):
                raise
            self._init = False  # the engine came without its init: the main program is process 1
            return self._start(plan)

    def _probe(self, plan: ContainerPlan, started: Container) -> Abilities:
        if plan.image not in self._abilities:
            self._abilities[plan.image] = command.probe(started, plan.spec.user)
        return self._abilities[plan.image]


def _open_gateway(folder: Path) -> None:
    """Let the sandbox's user reach the socket; the folder above keeps other users out."""
    try:
        folder.chmod(0o755)
        socket = folder / SOCKET
        if socket.exists():
            socket.chmod(0o666)
    except OSError as e:
        raise SandboxError(f"gateway directory {folder} cannot be opened; got: {e}") from e
