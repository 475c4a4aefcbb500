"""Runs a command in a container to its end, with a time limit that holds inside the container.

An engine cannot end what it started with exec, and a client that gives up leaves it running. So
the limit runs inside: `timeout` ends the command's process group. What left the group carries a
token in its environment and is swept by it. What survives that ends with the container.
"""

import secrets
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from trajaudit.errors import SandboxError
from trajaudit.sandbox.base import ExecResult
from trajaudit.sandbox.container import Container
from trajaudit.sandbox.output import Clip
from trajaudit.sandbox.wire import STDOUT, Connection

TOKEN = "TRAJAUDIT_EXEC"  # noqa: S105 (name of a variable)
GRACE_S = 3.0
"""How long the end of a command may take after its time is over, before harder means."""
KILLED = 137
SWEEP = (
    'for d in /proc/[0-9]*; do if grep -qs "$1" "$d/environ"; then '
    'kill -KILL "${d#/proc/}" 2>/dev/null && printf x; fi; done; true'
)
SWEEP_ROUNDS = 5


@dataclass(frozen=True, kw_only=True)
class Abilities:
    """Which programs an image has."""

    timeout: bool
    shell: bool


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where and as whom commands run in a container."""

    container: Container
    user: str
    workdir: str
    abilities: Abilities


def probe(container: Container, user: str) -> Abilities:
    """Find out what the image has; costs two short commands."""
    none = Place(
        container=container, user=user, workdir="/", abilities=Abilities(timeout=False, shell=False)
    )
    shell = run(none, ["sh", "-c", "grep -q x /dev/null; test $? = 1"], timeout_s=10)
    timeout = run(none, ["timeout", "-s", "KILL", "9.5", "true"], timeout_s=10)
    return Abilities(timeout=timeout.exit_code == 0, shell=shell.exit_code == 0)


def run(
    place: Place,
    argv: Sequence[str],
    *,
    timeout_s: float,
    stdin: bytes | None = None,
    max_output: int = 1_000_000,
) -> ExecResult:
    """Run a command to its end.

    Raises:
        SandboxError: the container or the engine failed.
    """
    token = secrets.token_hex(8)
    limited = place.abilities.timeout
    command = ["timeout", "-s", "KILL", f"{timeout_s:.3f}", *argv] if limited else list(argv)
    streams = (Clip(max_output), Clip(max_output))
    began = time.monotonic()
    exec_id, connection = open_exec(place, command, token, stdin=stdin is not None)
    with closing(connection):
        overran = _read(connection, streams, began + timeout_s + GRACE_S * limited, stdin)
        if overran:
            end(place, token)
            _read(connection, streams, time.monotonic() + GRACE_S, None)
    duration = time.monotonic() - began
    code = KILLED if overran else exit_code(place.container, exec_id)
    stopped_inside = limited and code == KILLED and duration >= timeout_s
    if stopped_inside and not overran:
        end(place, token)
    return ExecResult(
        exit_code=code,
        stdout=streams[0].value(),
        stderr=streams[1].value(),
        timed_out=overran or stopped_inside,
        truncated=streams[0].truncated or streams[1].truncated,
        duration_s=duration,
    )


def open_exec(
    place: Place, command: Sequence[str], token: str, *, stdin: bool, env: Sequence[str] = ()
) -> tuple[str, Connection]:
    """Start a command whose processes can be found by `token`."""
    return place.container.api.open_exec(
        place.container.id,
        command,
        stdin=stdin,
        user=place.user,
        workdir=place.workdir,
        environment=[*env, f"{TOKEN}={token}"],
    )


def end(place: Place, token: str) -> None:
    """Kill every process whose environment carries `token`; failing that, the container."""
    try:
        for _ in range(SWEEP_ROUNDS):  # what forked meanwhile is found by the next round
            if not _sweep(place, token):
                return
    except (TimeoutError, SandboxError):
        pass
    place.container.kill("a command could not be ended at its time limit")


def _sweep(place: Place, token: str) -> int:
    """Kill what carries the token; return how many were found."""
    if not place.abilities.shell:
        raise SandboxError("processes cannot be found; the image has neither timeout nor sh")
    argv = ["sh", "-c", SWEEP, "sweep", f"{TOKEN}={token}"]
    exec_id, connection = open_exec(place, argv, "sweep", stdin=False)
    with closing(connection):
        found = sum(len(data) for _, data in connection.frames(deadline=time.monotonic() + GRACE_S))
    if exit_code(place.container, exec_id) != 0:
        raise SandboxError("processes cannot be found; nothing can be started beside them")
    return found


def _read(
    connection: Connection, streams: tuple[Clip, Clip], deadline: float, stdin: bytes | None
) -> bool:
    """Collect output until the end; return whether the deadline came first."""
    try:
        for stream, data in connection.frames(deadline=deadline, stdin=stdin):
            streams[0 if stream == STDOUT else 1].add(data)
    except TimeoutError:
        return True
    return False


def exit_code(container: Container, exec_id: str, *, patience_s: float = 2.0) -> int:
    """Return how a command ended whose output has ended.

    Raises:
        SandboxError: the container or the engine is gone.
    """
    deadline = time.monotonic() + patience_s
    while (code := container.api.exit_code(exec_id)) is None:
        if time.monotonic() > deadline:
            raise SandboxError("a command closed its output but does not end")
        time.sleep(0.01)
    return code
