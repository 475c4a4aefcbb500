"""A program that runs in a container beside the trial: its output's tails, its end, its kill."""

import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Self

from trajaudit.errors import SandboxError
from trajaudit.sandbox import command
from trajaudit.sandbox.command import Place
from trajaudit.sandbox.output import Tail
from trajaudit.sandbox.wire import STDOUT, Connection

TAIL = 65536
KILL_PATIENCE_S = 5.0


class DockerAgentProcess:
    """An exec whose output a thread follows."""

    def __init__(self, place: Place, token: str, exec_id: str, connection: Connection) -> None:
        self._place = place
        self._token = token
        self._exec_id = exec_id
        self._connection = connection
        self._tails = (Tail(TAIL), Tail(TAIL))
        self._code: int | None = None
        self._failure: str | None = None
        self._thread = threading.Thread(
            target=self._follow, name="trajaudit-agent-output", daemon=True
        )

    @classmethod
    def start(cls, place: Place, argv: Sequence[str], env: Mapping[str, str]) -> Self:
        """Start the program."""
        token = secrets.token_hex(8)
        variables = [f"{key}={value}" for key, value in env.items()]
        exec_id, connection = command.open_exec(place, argv, token, stdin=False, env=variables)
        process = cls(place, token, exec_id, connection)
        process._thread.start()
        return process

    def wait(self, timeout_s: float | None = None) -> int | None:
        """Return the exit code, or None when it still runs after `timeout_s`.

        Raises:
            SandboxError: the container or the engine is gone.
        """
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            return None
        if self._failure:
            raise SandboxError(self._failure)
        return self._code

    def output(self) -> tuple[bytes, bytes]:
        """Return the tails of stdout and stderr so far."""
        return self._tails[0].value(), self._tails[1].value()

    def kill(self) -> None:
        """End it and everything it started; safe to call twice."""
        if not self._thread.is_alive():
            return
        command.end(self._place, self._token)
        self._thread.join(KILL_PATIENCE_S)

    def _follow(self) -> None:
        try:
            with closing(self._connection):
                for stream, data in self._connection.frames(deadline=None, clock=time.monotonic):
                    self._tails[0 if stream == STDOUT else 1].add(data)
            self._code = command.exit_code(self._place.container, self._exec_id)
        except SandboxError as e:
            self._failure = str(e)
