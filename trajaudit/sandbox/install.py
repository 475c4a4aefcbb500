"""Installs and starts a container engine where this machine allows it."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from trajaudit.errors import NoEngineError
from trajaudit.sandbox.locate import Engine, find_engine

PACKAGES = ("docker.io", "mmdebstrap", "tini")
"""The engine; what makes a base image without a registry; the engine's init."""
LEFT_BEHIND = {
    "docker.pid": ("docker.pid", "docker.sock"),
    "docker/containerd/containerd.pid": (
        "docker/containerd/containerd.pid",
        "docker/containerd/containerd.sock",
        "docker/containerd/containerd.sock.ttrpc",
    ),
}
"""Process file → files below the run directory that are stale when its process is dead: what a
killed engine leaves behind and the next one trips over."""
RUN = Path("/var/run")
LOG = Path("/var/log/trajaudit-dockerd.log")
START_PATIENCE_S = 60.0
INSTALL_PATIENCE_S = 900
POLL_S = 0.2
LOG_TAIL = 1500


def ensure_engine(*, install: bool) -> Engine:
    """Return a running engine; start one, and with `install` install one, where there is none.

    Raises:
        NoEngineError: that cannot be done here; the text says what to do by hand.
    """
    try:
        return find_engine()
    except NoEngineError as e:
        if os.environ.get("DOCKER_HOST") or os.geteuid() != 0:
            raise
        missing = e
    if not shutil.which("dockerd"):
        if not install or not shutil.which("apt-get"):
            raise missing
        _install()
    _start()
    return _wait()


def _install() -> None:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # A package's script may try to start the service; that is done below, and only once.
    for command in (
        ["apt-get", "update", "-q"],
        ["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES],
    ):
        run = subprocess.run(  # noqa: S603 (our own list)
            command, env=env, capture_output=True, check=False, timeout=INSTALL_PATIENCE_S
        )
        if run.returncode != 0:
            output = (run.stdout + run.stderr)[-LOG_TAIL:].decode(errors="replace")
            raise NoEngineError(f"`{' '.join(command)}` failed; got: {output}")


def _start() -> None:
    if Path("/run/systemd/system").is_dir() and shutil.which("systemctl"):
        run = subprocess.run(
            ["systemctl", "start", "docker"],  # noqa: S607 (the system's own)
            capture_output=True,
            check=False,
        )
        if run.returncode == 0:
            return
    remove_stale(RUN)
    with LOG.open("ab") as log:
        subprocess.Popen(
            ["dockerd"],  # noqa: S607 (found above)
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # neither Ctrl-C nor the end of a terminal reaches it
            cwd="/",
        )


def remove_stale(run: Path) -> list[Path]:
    """Remove the process and socket files of an engine that no longer runs; return them.

    The engine and its containerd are told apart: where one of them lives, its own files stay.
    """
    stale = [
        run / name
        for pid_file, names in LEFT_BEHIND.items()
        if not _is_engine(run / pid_file)
        for name in names
        if (run / name).exists()
    ]
    for path in stale:
        path.unlink()
    return stale


def _is_engine(pid_file: Path) -> bool:
    """Tell whether a process file names a living engine; ids are reused by other programs."""
    try:
        stat = Path(f"/proc/{int(pid_file.read_text())}/stat").read_text()
    except (OSError, ValueError):
        return False
    name, _, rest = stat.partition("(")[2].rpartition(")")
    # A process that was killed stays listed as a zombie until its parent asks for it.
    return name in {"dockerd", "containerd"} and rest.split()[0] not in ("Z", "X")


def _wait() -> Engine:
    deadline = time.monotonic() + START_PATIENCE_S
    while True:
        try:
            return find_engine(timeout_s=2)
        except NoEngineError as e:
            if time.monotonic() > deadline:
                tail = LOG.read_bytes()[-LOG_TAIL:].decode(errors="replace") if LOG.exists() else ""
                raise NoEngineError(
                    f"the engine was started but does not answer after {START_PATIENCE_S:g} s; "
                    f"its log {LOG} ends: {tail}"
                ) from e
            time.sleep(POLL_S)
