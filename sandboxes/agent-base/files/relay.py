"""Lets an unmodified client reach the gateway: 127.0.0.1 on one side, its Unix socket on the other.

Bytes only: it knows nothing of HTTP. Run it alone as `python relay.py [PORT]`.
"""

import contextlib
import os
import socket
import sys
import threading
import time

DEFAULT_SOCKET = "/run/trajaudit/gateway.sock"
DEFAULT_PORT = 8700
PIECE = 65536
PATIENCE_S = 3600.0
POLL_S = 0.01


def socket_path() -> str:
    """Return where the gateway listens."""
    return os.environ.get("TRAJAUDIT_SOCKET") or DEFAULT_SOCKET


def wait_for(path: str) -> None:
    """Wait until the trial's socket is there: the sandbox may be up before its trial begins.

    The patience in seconds is $TRAJAUDIT_PATIENCE_S.

    Raises:
        TimeoutError: it did not appear in time.
    """
    patience_s = float(os.environ.get("TRAJAUDIT_PATIENCE_S") or PATIENCE_S)
    deadline = time.monotonic() + patience_s
    while not os.path.exists(path):  # noqa: PTH110 (pathlib would cost imports)
        if time.monotonic() > deadline:
            raise TimeoutError(f"no socket at {path} after {patience_s:g} s")
        time.sleep(POLL_S)


def start(path: str, port: int = DEFAULT_PORT) -> int:
    """Forward from 127.0.0.1:`port` to the socket, in threads that die with the program.

    Args:
        path: the gateway's Unix socket.
        port: 0 for any free one.

    Returns:
        The port that is listened on.

    Raises:
        OSError: the port is taken.
    """
    listener = socket.create_server(("127.0.0.1", port), backlog=128)
    threading.Thread(target=_accept, args=(listener, path), daemon=True).start()
    bound: int = listener.getsockname()[1]
    return bound


def _accept(listener: socket.socket, path: str) -> None:
    with listener:
        while True:
            client, _ = listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_serve, args=(client, path), daemon=True).start()


def _serve(client: socket.socket, path: str) -> None:
    with client, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as gateway:
        try:
            gateway.connect(path)
        except OSError as error:
            print(f"relay: no gateway at {path}: {error}", file=sys.stderr)
            return
        up = threading.Thread(target=_forward, args=(client, gateway), daemon=True)
        up.start()
        _forward(gateway, client)
        up.join()


def _forward(source: socket.socket, target: socket.socket) -> None:
    """Copy until the source ends; then end the target's reading side only (half-close)."""
    try:
        while piece := source.recv(PIECE):
            target.sendall(piece)
    except OSError:
        # One side is gone: wake the other direction, which waits for it.
        with contextlib.suppress(OSError):
            source.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def main() -> None:
    """Relay until the program is ended."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_PORT
    print(start(socket_path(), port), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
