"""HTTP on a trial's socket, with bounds on what a hostile client can hold open."""

import asyncio
import logging
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

MAX_CONNECTIONS = 64
"""Of one trial; further ones are closed at once, so that they take nothing from other trials."""
HEAD_S = 30.0
"""A request's line and headers have to be there within this time, however slowly they come."""
BODY_S = 300.0
KEEP_ALIVE_S = 60
WATCH_S = 5.0
_QUIET = logging.getLogger("trajaudit.gateway.http")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


class BoundedProtocol(H11Protocol):
    """Uvicorn's HTTP/1.1 with a limit on connections and on the time that a request may take."""

    def __init__(
        self, config: Config, server_state: ServerState, _loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__(config, server_state, {}, _loop)
        # What a client sends is nothing that belongs on the terminal.
        self.logger = _QUIET
        self.access_log = False
        self._since: float | None = None
        """When the request that is coming in began."""
        self._watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Accept the connection, unless there are too many."""
        if len(self.connections) >= MAX_CONNECTIONS:
            self.transport = transport
            transport.abort()
            return
        super().connection_made(transport)
        self._since = self.loop.time()
        self._watch = self.loop.call_later(WATCH_S, self._check_time)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; the first byte of a request starts its time."""
        if self.conn.their_state is h11.IDLE and self._since is None:
            self._since = self.loop.time()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._since = None

    def _check_time(self) -> None:
        allowed = {h11.IDLE: HEAD_S, h11.SEND_BODY: BODY_S}.get(self.conn.their_state)
        late = allowed is not None and self._since is not None
        if late and self.loop.time() - (self._since or 0.0) > (allowed or 0.0):
            self.transport.abort()
            return
        self._watch = self.loop.call_later(WATCH_S, self._check_time)
