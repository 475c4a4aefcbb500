"""Serves trials over HTTP, each on a Unix socket of its own; the socket is the trial's identity."""

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from uvicorn.config import Config
from uvicorn.server import ServerState

from trajaudit.errors import StorageError, UsageError
from trajaudit.gateway.app import TrialApp
from trajaudit.gateway.base import SOCKET_NAME
from trajaudit.gateway.protocol import KEEP_ALIVE_S, BoundedProtocol
from trajaudit.gateway.session import TrialSession

MAX_SOCKET_PATH = 107
"""Bytes, by the kernel's `sockaddr_un`."""
OPENING = "opening.sock"
"""Name of the socket until it can be used; no longer than its real one."""
THREADS = 1024
"""Enough for every request that 64 trials may have worked on at once: nobody waits for another."""
CLOSE_S = 10.0
T = TypeVar("T")


class ServedTrial:
    """A trial whose socket is open."""

    def __init__(self, gateway: "Gateway", serving: "_Serving", path: Path) -> None:
        self._gateway = gateway
        self._serving = serving
        self.path = path

    def close(self) -> None:
        """Close the socket and every connection; safe to call twice."""
        self._gateway.stop(self._serving)
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Gateway:
    """One event loop in a thread of its own, for all trials of a run. Close it at the end."""

    def __init__(self) -> None:
        self._pool = concurrent.futures.ThreadPoolExecutor(THREADS, "gateway-work")
        self._loop = asyncio.new_event_loop()
        self._served: set[_Serving] = set()
        self._closed = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="gateway", daemon=True)
        self._thread.start()

    def serve(self, session: TrialSession, directory: Path) -> ServedTrial:
        """Open a trial's socket `gateway.sock` in a directory.

        Raises:
            UsageError: the path is too long for a Unix socket.
            StorageError: the socket cannot be made.
        """
        path = directory / SOCKET_NAME
        length = len(os.fsencode(path))
        if length > MAX_SOCKET_PATH:
            raise UsageError(
                f"{path}: too long for a socket; got {length} bytes, at most {MAX_SOCKET_PATH}"
            )
        serving = _Serving(TrialApp(session, self._pool))
        try:
            self.run(serving.start(path))
        except OSError as error:
            raise StorageError(f"{path}: the socket cannot be made; {error.strerror}") from error
        self._served.add(serving)
        return ServedTrial(self, serving, path)

    def run(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Run something on the loop and wait for it; None when the gateway is closed."""
        if self._closed:
            work.close()
            return None
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(CLOSE_S)

    def stop(self, serving: "_Serving") -> None:
        """Close what belongs to one trial."""
        self.run(serving.stop())
        self._served.discard(serving)

    def close(self) -> None:
        """Close all sockets and end the thread; safe to call twice."""
        if self._closed:
            return
        for serving in list(self._served):
            self.stop(serving)
        self._closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_S)
        self._loop.close()
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Serving:
    """A listening socket and what hangs on it; lives on the loop."""

    def __init__(self, app: TrialApp) -> None:
        self._app = app
        self._state = ServerState()
        self._stop = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._tools: asyncio.Task[None] | None = None

    async def start(self, path: Path) -> None:
        config = Config(
            self._app,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_keep_alive=KEEP_ALIVE_S,
            proxy_headers=False,
            server_header=False,
            date_header=False,
        )
        config.load()
        loop = asyncio.get_running_loop()
        # It gets its name last: an agent that waits for it finds it open to its user, and ready.
        unnamed = path.with_name(OPENING)
        self._server = await loop.create_unix_server(
            lambda: BoundedProtocol(config, self._state, loop), path=str(unnamed), backlog=256
        )
        # The agent runs as another user; who sees the directory may connect.
        unnamed.chmod(0o666)
        ready = asyncio.Event()
        self._tools = loop.create_task(self._serve_tools(ready))
        await ready.wait()
        unnamed.rename(path)

    async def stop(self) -> None:
        if self._server is None or self._tools is None:
            return
        self._server.close()
        self._stop.set()
        for connection in list(self._state.connections):
            transport: asyncio.Transport = connection.transport
            transport.abort()
        tasks = list(self._state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(self._tools, *tasks, return_exceptions=True)
        self._server = None

    async def _serve_tools(self, ready: asyncio.Event) -> None:
        async with self._app.tool_server.running():
            ready.set()
            await self._stop.wait()
