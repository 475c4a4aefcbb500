"""A wire between browser and server that remembers every byte the server sent."""

import html
import re
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import unquote

_CHUNK = 1 << 16
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


class Tap:
    """Forwards TCP connections as they are; `sent` is all that came back, one by one."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._sent: list[bytearray] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def sent(self) -> bytes:
        return b"\n".join(bytes(one) for one in self._sent)

    @property
    def answers(self) -> int:
        """How many answers were sent, whatever their status."""
        return self.sent.count(b"HTTP/1.1 ")

    def found(self, words: Iterable[str]) -> list[str]:
        """Return which words were sent, in whatever writing: as they are, in HTML, in JSON."""
        raw = self.sent.decode(errors="replace")
        escaped = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), raw)
        said = "\n".join((raw, html.unescape(raw), unquote(raw), escaped)).casefold()
        return sorted(word for word in words if word.casefold() in said)

    def close(self) -> None:
        for one in (self._listening, *self._open):
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._server))
            except OSError:
                return
            kept = bytearray()
            self._sent.append(kept)
            self._open += [near, far]
            for source, target, record in ((near, far, None), (far, near, kept)):
                work = (source, target, record)
                threading.Thread(target=_forward, args=work, daemon=True).start()


def _forward(source: socket.socket, target: socket.socket, record: bytearray | None) -> None:
    try:
        while piece := source.recv(_CHUNK):
            if record is not None:
                record += piece
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        return


@contextmanager
def tapped(port: int) -> Iterator[Tap]:
    """Listen in on a server for a while."""
    tap = Tap(port)
    try:
        yield tap
    finally:
        tap.close()
