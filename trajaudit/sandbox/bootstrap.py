"""Makes the base image `debian`: pulled where a registry answers, else from Debian's packages."""

import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

from trajaudit.errors import SandboxError
from trajaudit.sandbox import hostsettings
from trajaudit.sandbox.aptsources import Mirror, host_mirror
from trajaudit.sandbox.docker import Api

Progress = Callable[[str], None]

REPOSITORY = "trajaudit/debian"
PACKAGES = (
    "ca-certificates",
    "git",
    "patch",
    "procps",
    "python3",
    "python3-venv",
    "tini",
)
RECIPE = "2"
"""Raised when what is done below changes, so that everybody's base is rebuilt."""
PULL_PATIENCE_S = 20
CLEAN = (
    'cd "$1" && : > etc/resolv.conf && echo sandbox > etc/hostname && '
    "rm -rf etc/apt/sources.list.d/* etc/apt/apt.conf.d/99mmdebstrap var/log/* "
    "var/lib/apt/lists/* var/cache/apt/*.bin var/cache/apt/archives/*.deb && "
    ": > etc/apt/sources.list"
)
"""Nothing of the host stays: its mirror, name server and name."""
PATHS_LEFT_OUT = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*")
APT_BUILD = """\
FROM {image}
RUN apt-get update && apt-get install -y --no-install-recommends {packages} \
 && rm -rf /var/lib/apt/lists/* /var/log/*
"""
WHAT_TO_INSTALL = (
    "the base image can neither be pulled nor made; got: {pulled}; {made}; right would be a "
    "registry that the engine reaches, or root with `apt-get install mmdebstrap` (or debootstrap), "
    "or an image of your own by name (`sandbox: {{image: ...}}`)"
)


def reference() -> str:
    """Return the name of the base image for this recipe."""
    key = "\n".join([RECIPE, host_mirror().suite, *PACKAGES])
    return f"{REPOSITORY}:{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def make(api: Api, progress: Progress) -> str:
    """Make the base image and return its reference.

    Raises:
        SandboxError: neither way worked; the text says what to install.
    """
    mirror, name = host_mirror(), reference()
    try:
        _pull(api, mirror.suite, name, progress)
    except SandboxError as e:
        pulled = str(e)
    else:
        return name
    progress(f"no registry ({pulled}); making the base from Debian's packages")
    try:
        _debootstrap(api, mirror, name, progress)
    except SandboxError as e:
        raise SandboxError(WHAT_TO_INSTALL.format(pulled=pulled, made=e)) from e
    return name


def _pull(api: Api, suite: str, name: str, progress: Progress) -> None:
    failure: list[SandboxError] = []

    def pull() -> None:
        try:
            api.pull("debian", f"{suite}-slim")
        except SandboxError as e:
            failure.append(e)

    thread = threading.Thread(target=pull, name="trajaudit-pull", daemon=True)
    thread.start()
    thread.join(PULL_PATIENCE_S)
    if thread.is_alive():
        raise SandboxError(f"the registry did not answer in {PULL_PATIENCE_S} s")
    if failure:
        raise failure[0]
    text = APT_BUILD.format(image=f"debian:{suite}-slim", packages=" ".join(PACKAGES))
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as tar:
        info = tarfile.TarInfo("Dockerfile")
        info.size = len(text.encode())
        tar.addfile(info, io.BytesIO(text.encode()))
    context.seek(0)
    follow(api.build(context, tag=name, args=hostsettings.proxies(os.environ), labels={}), progress)


def follow(messages: object, progress: Progress) -> None:
    """Report a build's lines.

    Raises:
        SandboxError: the build failed; carries its last lines.
    """
    last: list[str] = []
    for message in cast("list[dict[str, str]]", messages):
        text = str(message.get("stream") or message.get("error") or "").rstrip()
        if text:
            progress(text)
            last = [*last, text][-15:]
        if "error" in message:
            raise SandboxError("the image cannot be built; got:\n" + "\n".join(last))


def _debootstrap(api: Api, mirror: Mirror, name: str, progress: Progress) -> None:
    if os.geteuid() != 0:
        raise SandboxError("making it needs root")
    if shutil.which("mmdebstrap"):
        return _stream(api, mmdebstrap_command(mirror), name, progress)
    if not shutil.which("debootstrap"):
        raise SandboxError("neither mmdebstrap nor debootstrap is installed")
    with tempfile.TemporaryDirectory(prefix="trajaudit-base-") as folder:
        root = Path(folder) / "root"
        _checked(
            [
                "debootstrap",
                "--variant=minbase",
                f"--include={','.join(PACKAGES)}",
                mirror.suite,
                str(root),
                *([mirror.uri] if mirror.uri else []),
            ]
        )
        _checked(["sh", "-c", CLEAN, "clean", str(root)])
        return _stream(api, ["tar", "-C", str(root), "-c", "."], name, progress)


def mmdebstrap_command(mirror: Mirror) -> list[str]:
    """Return the command that writes a root file system as tar to its standard output."""
    return [
        "mmdebstrap",
        "--variant=apt",
        '--aptopt=Acquire::Check-Valid-Until "false"',
        '--aptopt=Acquire::Languages "none"',
        *(f"--dpkgopt=path-exclude={path}" for path in PATHS_LEFT_OUT),
        "--dpkgopt=path-include=/usr/share/doc/*/copyright",
        f"--include={','.join(PACKAGES)}",
        f"--customize-hook={CLEAN}",
        mirror.suite,
        "-",
        *([mirror.uri] if mirror.uri else []),
    ]


def _stream(api: Api, command: list[str], name: str, progress: Progress) -> None:
    progress(f"running {command[0]}; this takes about a minute, once")
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)  # noqa: S603 (our own list)
        repository, _, tag = name.partition(":")
        with process:
            api.load_root(cast("IO[bytes]", process.stdout), repository=repository, tag=tag)
        if process.returncode != 0:
            api.remove_image(name)
            log.seek(0)
            raise SandboxError(_tail(command, log.read()))


def _checked(command: list[str]) -> None:
    run = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 (our own list)
    if run.returncode != 0:
        raise SandboxError(_tail(command, run.stdout + run.stderr))


def _tail(command: list[str], output: bytes) -> str:
    return f"{command[0]} failed; got: {output[-2000:].decode(errors='replace')}"
