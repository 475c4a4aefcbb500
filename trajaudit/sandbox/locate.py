"""Where is a container engine, and which version is it?"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trajaudit.errors import NoEngineError
from trajaudit.sandbox import wire

NEWEST_API = (1, 44)
"""Newest version of the engine's API that is asked for; engines speak older ones, too."""
HOW_TO_GET_ONE = (
    "no container engine was found; got no answer at {tried}; install one (Debian, Ubuntu: "
    "`apt-get install docker.io`), start it (`systemctl start docker`, or as root `python -m "
    "trajaudit.sandbox.engine --ensure`), or set DOCKER_HOST to the address of one"
)


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A container engine that answered."""

    url: str
    version: str
    api: str
    """API version to use, for example `1.41`."""


def candidates(env: Mapping[str, str], uid: int) -> list[str]:
    """Return the addresses to try: only DOCKER_HOST where it is set, else the usual sockets."""
    if env.get("DOCKER_HOST"):
        return [env["DOCKER_HOST"]]
    runtime = env.get("XDG_RUNTIME_DIR", f"/run/user/{uid}")
    paths = [
        "/var/run/docker.sock",
        f"{runtime}/docker.sock",
        f"{Path.home()}/.docker/run/docker.sock",
        f"{runtime}/podman/podman.sock",
        "/run/podman/podman.sock",
    ]
    return [f"unix://{path}" for path in paths]


def find_engine(env: Mapping[str, str] | None = None, *, timeout_s: float = 5) -> Engine:
    """Return the first engine that answers.

    Raises:
        NoEngineError: none does; the text says how to get one.
    """
    tried = candidates(os.environ if env is None else env, os.getuid())
    reasons = []
    for url in tried:
        try:
            return _ask(url, timeout_s)
        except NoEngineError as e:
            reasons.append(str(e))
    text = HOW_TO_GET_ONE.format(tried=", ".join(tried))
    if len(tried) == 1:
        text = f"{reasons[0]}; {text}"
    raise NoEngineError(text)


def _ask(url: str, timeout_s: float) -> Engine:
    answer = wire.get_json(url, "/version", timeout_s=timeout_s)
    api = str(answer.get("ApiVersion", "1.41"))
    newest = ".".join(map(str, NEWEST_API))
    spoken = tuple(int(part) for part in api.split(".")[:2])
    return Engine(
        url=url,
        version=str(answer.get("Version", "unknown")),
        api=min((spoken, api), (NEWEST_API, newest))[1],
    )
