"""Which limits a container gets, and the lifeline that removes it when its owner dies.

The main program of every container waits for the end of its input, and its input is a connection
that the owner holds. When the owner ends, even by `kill -9`, the kernel closes the connection, the
main program ends, everything else in the container ends with it and the engine removes it.
"""

import hashlib
import json
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trajaudit.datamodel.scenario import SandboxSpec
from trajaudit.errors import SandboxError
from trajaudit.sandbox.docker import Api, ConflictError, MissingError
from trajaudit.sandbox.owner import Owner
from trajaudit.sandbox.wire import Connection

LABEL = "trajaudit"
RUN_LABEL = "trajaudit.run"
NAME_LABEL = "trajaudit.name"
GATEWAY = "/run/trajaudit"
KEEPER_USER = "65534:65534"
"""Not the agent's user, so that the agent cannot end its own container."""
LIFELINE = ("cat",)
MB = 2**20
INODES_PER_MB = 256
OUT_OF_MEMORY = "out of memory"
EVENTS_S = 600
OPEN_FILES = 4096
SHM_MB = 64


@dataclass(frozen=True, kw_only=True)
class ContainerPlan:
    """What to start."""

    image: str
    spec: SandboxSpec
    run_id: str
    name: str
    env: Mapping[str, str] = field(default_factory=dict)
    gateway_dir: str | None = None
    volume: str | None = None
    """Path of a folder that root may fill before the start."""
    archive: bytes | None = None
    """Tar archive for `volume`."""
    init: bool = True
    writable: bool = False
    """The image's own files may be changed, by root without any right but that to open them: for
    tests of a repository that lies in the image."""


class Container:
    """A running container with its lifeline."""

    def __init__(self, api: Api, container_id: str, lifeline: Connection) -> None:
        self.api = api
        self.id = container_id
        self._lifeline = lifeline
        self._reason: str | None = None

    def kill(self, reason: str) -> None:
        """End everything in it at once; `died` then says why."""
        self._reason = self._reason or reason
        try:
            self.api.kill(self.id)
        except SandboxError:
            self._lifeline.close()

    def died(self) -> str | None:
        """Return why it is gone, or None when it runs."""
        try:
            state = self.api.inspect(self.id)["State"]
        except MissingError:
            return self._reason or self._last_words()
        except SandboxError as e:
            return self._reason or f"engine lost: {e}"
        if state["Running"]:
            return None
        if self._reason is None and state["OOMKilled"]:
            return OUT_OF_MEMORY
        return self._reason or f"the container ended with exit code {state['ExitCode']}"

    def _last_words(self) -> str:
        """Ask the engine's memory of events why a container that removed itself ended."""
        now = time.time()
        try:
            events = self.api.events(self.id, now - EVENTS_S, now + 1)
        except SandboxError as e:
            return f"engine lost: {e}"
        actions = {str(event.get("Action")) for event in events}
        return OUT_OF_MEMORY if "oom" in actions else "the container was removed by someone else"

    def remove(self) -> None:
        """Remove it; safe to call twice, never raises."""
        try:
            self.api.remove(self.id)
        except (MissingError, ConflictError):
            pass  # gone, or the engine is removing it already
        except SandboxError:
            pass  # the lifeline below, or the reaper, will do it
        finally:
            self._lifeline.close()


def start(api: Api, plan: ContainerPlan) -> Container:
    """Create a container, hold its lifeline and start it.

    Raises:
        SandboxError: it does not come up; nothing is left behind.
    """
    # A start that is tried again must not meet the name of the one that is being removed.
    name = f"{container_name(plan.run_id, plan.name)}-{secrets.token_hex(3)}"
    container_id = api.create(configuration(plan), name)
    try:
        if plan.volume and plan.archive is not None:
            api.put(container_id, plan.volume, plan.archive)
        lifeline = api.attach_input(container_id)
    except SandboxError:
        _remove_quietly(api, container_id)
        raise
    container = Container(api, container_id, lifeline)
    try:
        api.start(container_id)
    except BaseException:
        container.remove()
        raise
    return container


def _remove_quietly(api: Api, container_id: str) -> None:
    try:
        api.remove(container_id)
    except SandboxError:
        return  # the error that led here says more; the reaper will come by


def container_name(run_id: str, name: str) -> str:
    """Return what `docker ps` shows: readable, at most 55 characters, another one for each trial.

    The hash is over both parts apart, so that neither a replaced character nor where one part ends
    can make two trials one.
    """
    digest = hashlib.sha256(json.dumps([run_id, name]).encode()).hexdigest()
    shown = re.sub(r"[^a-z0-9]+", "-", f"{run_id}-{name}".lower()).strip("-")[:30].strip("-")
    return "-".join(part for part in ("trajaudit", shown, digest[:14]) if part)


def configuration(plan: ContainerPlan) -> dict[str, Any]:
    """Return the engine's JSON for a container that can reach nothing and keep nothing."""
    labels = {LABEL: "1", RUN_LABEL: plan.run_id, NAME_LABEL: plan.name}
    return {
        "Image": plan.image,
        "Hostname": "sandbox",
        "User": KEEPER_USER,
        "Entrypoint": [],
        "Cmd": list(LIFELINE),
        "WorkingDir": plan.spec.workdir,
        "Env": [f"{key}={value}" for key, value in plan.env.items()],
        "Labels": labels | Owner.current().labels(),
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": False,
        "AttachStderr": False,
        "NetworkDisabled": True,
        "Healthcheck": {"Test": ["NONE"]},
        "Volumes": {plan.volume: {}} if plan.volume else {},
        "HostConfig": _host_configuration(plan),
    }


def _host_configuration(plan: ContainerPlan) -> dict[str, Any]:
    spec = plan.spec
    places = {spec.workdir: "0755", "/tmp": "1777"}  # noqa: S108 (inside the container)
    scratch = {} if plan.writable else {at: _scratch(spec, mode) for at, mode in places.items()}
    gateway = {"Type": "bind", "Source": plan.gateway_dir, "Target": GATEWAY, "ReadOnly": True}
    return {
        "AutoRemove": True,
        "Init": plan.init,
        "NetworkMode": "none",
        "ReadonlyRootfs": not plan.writable,
        "CapDrop": ["ALL"],
        "CapAdd": ["DAC_OVERRIDE"] if plan.writable else [],
        "SecurityOpt": ["no-new-privileges"],
        "Memory": spec.memory_mb * MB,
        "MemorySwap": spec.memory_mb * MB,
        "NanoCpus": int(spec.cpus * 1e9),
        "PidsLimit": spec.pids,
        "ShmSize": min(SHM_MB, spec.disk_mb) * MB,
        "Tmpfs": scratch,
        "Ulimits": [
            {"Name": "core", "Soft": 0, "Hard": 0},
            {"Name": "nofile", "Soft": OPEN_FILES, "Hard": OPEN_FILES},
        ],
        "LogConfig": {"Type": "none"},
        "Mounts": [gateway] if plan.gateway_dir else [],
        "OomScoreAdj": 500,
    }


def _scratch(spec: SandboxSpec, mode: str) -> str:
    uid, gid = owner_ids(spec.user)
    inodes = spec.disk_mb * INODES_PER_MB
    return (
        f"rw,exec,nosuid,nodev,size={spec.disk_mb}m,nr_inodes={inodes},"
        f"uid={uid},gid={gid},mode={mode}"
    )


def owner_ids(user: str) -> tuple[int, int]:
    """Return the numbers of `uid:gid`.

    Raises:
        SandboxError: `user` is a name, or is root.
    """
    uid, _, gid = user.partition(":")
    if not (uid.isdigit() and gid.isdigit()) or int(uid) == 0:
        raise SandboxError(
            f"sandbox user must be numbers and not root; got {user!r}; '1000:1000' would be right"
        )
    return int(uid), int(gid)
