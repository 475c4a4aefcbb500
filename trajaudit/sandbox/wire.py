"""Speaks to a container engine where a plain byte stream is needed: attach, exec, ping.

Deliberate: the SDK hands out its connection with bytes possibly left behind in a buffer, no way to
close one direction and no deadline. A raw connection has none of these.
"""

import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from select import POLLERR, POLLHUP, POLLIN, POLLOUT, poll
from urllib.parse import urlsplit

from trajaudit.errors import NoEngineError, SandboxError

CHUNK = 65536
HEADER = 8
STDOUT, STDERR = 1, 2
LOST = "engine lost: the connection to the container engine broke"

Clock = Callable[[], float]


def connect(url: str, *, timeout_s: float) -> socket.socket:
    """Open a connection to an engine's address (`unix://` or `tcp://`, no TLS).

    Raises:
        NoEngineError: nothing listens there, or the kind of address is not supported.
    """
    parts = urlsplit(url)
    try:
        if parts.scheme == "unix":
            return _connect_unix(parts.path, timeout_s)
        if parts.scheme in {"tcp", "http"} and parts.hostname:
            return socket.create_connection((parts.hostname, parts.port or 2375), timeout_s)
    except OSError as e:
        raise NoEngineError(f"no container engine answers at {url}; got: {e}") from e
    raise NoEngineError(
        f"address of a container engine cannot be used; got {url!r}; "
        "unix:///path or tcp://host:port would be right"
    )


def _connect_unix(path: str, timeout_s: float) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX)
    try:
        sock.settimeout(timeout_s)
        sock.connect(path)
    except OSError:
        sock.close()
        raise
    return sock


def get_json(url: str, path: str, *, timeout_s: float) -> dict[str, object]:
    """Return the object that an engine answers to a GET.

    Raises:
        NoEngineError: there is no engine at the address.
    """
    with connect(url, timeout_s=timeout_s) as sock:
        try:
            sock.sendall(f"GET {path} HTTP/1.0\r\nHost: engine\r\n\r\n".encode())
            answer = b"".join(iter(lambda: sock.recv(CHUNK), b""))
            head, _, body = answer.partition(b"\r\n\r\n")
            value = json.loads(body)
        except (OSError, ValueError) as e:
            raise NoEngineError(f"what listens at {url} is no container engine; got: {e}") from e
    if b" 200 " not in head.split(b"\r\n")[0] or not isinstance(value, dict):
        raise NoEngineError(f"what listens at {url} is no container engine; got {value!r:.200}")
    return value


class Connection:
    """A duplex byte stream to a program in a container."""

    def __init__(self, sock: socket.socket, rest: bytes) -> None:
        self._sock = sock
        self._buffer = bytearray(rest)
        sock.setblocking(False)

    def feed(self, data: bytes, *, deadline: float | None, clock: Clock = time.monotonic) -> None:
        """Send all of `data`.

        Raises:
            TimeoutError: the deadline passed first.
            SandboxError: the connection broke.
        """
        view = memoryview(data)
        while view:
            self._wait(POLLOUT, deadline, clock)
            view = view[self._send(view) :]

    def frames(
        self, *, deadline: float | None, stdin: bytes | None = None, clock: Clock = time.monotonic
    ) -> Iterator[tuple[int, bytes]]:
        """Yield (stream, bytes) until the program's end, sending `stdin` and its end meanwhile.

        Raises:
            TimeoutError: the deadline passed first; iterating anew goes on without a loss.
            SandboxError: the connection broke in the middle of a frame.
        """
        view = memoryview(stdin or b"")
        if stdin == b"":
            self.close_input()
        while True:
            while (frame := self._frame()) is not None:
                yield frame
            ready = self._wait(POLLIN | (POLLOUT if view else 0), deadline, clock)
            if view and ready & POLLOUT:
                view = view[self._send(view) :]
                if not view:
                    self.close_input()
            if ready & (POLLIN | POLLHUP | POLLERR) and not self._receive():
                return

    def close_input(self) -> None:
        """Let the program read the end of its input."""
        try:
            self._sock.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def close(self) -> None:
        """Close it; safe to call twice."""
        self._sock.close()

    def _frame(self) -> tuple[int, bytes] | None:
        if len(self._buffer) < HEADER:
            return None
        stream, size = struct.unpack_from(">BxxxL", self._buffer)
        if len(self._buffer) < HEADER + size:
            return None
        data = bytes(self._buffer[HEADER : HEADER + size])
        del self._buffer[: HEADER + size]
        return stream, data

    def _wait(self, events: int, deadline: float | None, clock: Clock) -> int:
        left = None if deadline is None else max(0.0, deadline - clock())
        if left == 0:  # also while output flows without end
            raise TimeoutError
        poller = poll()
        poller.register(self._sock, events)
        found = poller.poll(None if left is None else left * 1000)
        if not found:
            raise TimeoutError
        return found[0][1]

    def _send(self, view: memoryview) -> int:
        try:
            return self._sock.send(view[:CHUNK])
        except BlockingIOError:
            return 0
        except OSError:
            # The program closed its input or ended: what it did will be read from its output.
            return len(view)

    def _receive(self) -> bool:
        try:
            data = self._sock.recv(4 * CHUNK)
        except BlockingIOError:
            return True
        except OSError as e:
            raise SandboxError(LOST) from e
        self._buffer += data
        if not data and self._buffer:
            raise SandboxError(LOST)
        return bool(data)


def upgrade(url: str, path: str, body: dict[str, object], *, timeout_s: float) -> Connection:
    """POST to an engine and turn the connection into a byte stream.

    Raises:
        SandboxError: the engine refused, with its message, or did not answer in time.
    """
    payload = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: engine\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
    )
    sock = connect(url, timeout_s=timeout_s)
    try:
        sock.sendall(head.encode() + payload)
        answer = _read_head(sock)
    except OSError as e:
        sock.close()
        raise SandboxError(f"the container engine did not answer; got: {e!r}") from e
    status, _, rest = answer.partition(b"\r\n\r\n")
    if b" 101 " not in status.split(b"\r\n")[0]:
        sock.close()
        raise SandboxError(f"the container engine refused; got: {answer.decode(errors='replace')}")
    return Connection(sock, rest)


def _read_head(sock: socket.socket) -> bytes:
    answer = b""
    while b"\r\n\r\n" not in answer:
        data = sock.recv(CHUNK)
        if not data:
            raise ConnectionResetError("the connection was closed")
        answer += data
    return answer
