"""An engine's address through which a test can lose the engine."""

import socket
import threading
from contextlib import suppress
from pathlib import Path


class Switchboard:
    """Forwards a Unix socket to an engine until `cut`, or goes silent after `hold`."""

    def __init__(self, path: Path, engine: str) -> None:
        self.url = f"unix://{path}"
        self._engine = engine
        self._held = threading.Event()
        self._open: list[socket.socket] = []
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break every connection and take no more, as a dying engine does."""
        for sock in [self._server, *self._open]:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()

    def hold(self) -> None:
        """Keep connections open and answer nothing, as a frozen engine does."""
        self._held.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._server.accept()[0]
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(self._engine)
                self._open += [client, engine]
                for source, sink in ((client, engine), (engine, client)):
                    threading.Thread(target=self._copy, args=(source, sink), daemon=True).start()

    def _copy(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if self._held.is_set():
                    return
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
