"""A relay before a real server that cuts, holds or drips what passes: real sockets, real bytes."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PIECE = 65536


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What happens to one connection."""

    refuse: bool = False
    """It is closed before anything is read."""
    cut_after: int | None = None
    """So many bytes of the answer pass, then it is cut."""
    hold_s: float = 0.0
    """Before the answer's first byte."""
    garbage: bytes | None = None
    """Stands in place of the answer."""
    drip_s: float = 0.0
    """Pause after each byte of the answer."""


@dataclass
class Relay:
    """Where it listens, and what was asked."""

    url: str
    faults: list[Fault]
    asked: list[bytes] = field(default_factory=list)
    """What clients sent, by connection."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def relay(target: str, *faults: Fault) -> Iterator[Relay]:
    """Listen before a base URL; faults strike in turn, later connections pass untouched."""
    parts = urlsplit(target)
    where = (str(parts.hostname), int(parts.port or 80))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        made = Relay(f"http://127.0.0.1:{port}{parts.path}", list(faults))
        thread = threading.Thread(target=_serve, args=(listening, where, made), daemon=True)
        thread.start()
        try:
            yield made
        finally:
            made.closing.set()
            # A listening socket that is only closed would leave `accept` waiting.
            with contextlib.suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def _serve(listening: socket.socket, where: tuple[str, int], made: Relay) -> None:
    while not made.closing.is_set():
        try:
            client, _ = listening.accept()
        except OSError:
            return
        fault = made.faults.pop(0) if made.faults else Fault()
        threading.Thread(target=_pass, args=(client, where, made, fault), daemon=True).start()


def _pass(client: socket.socket, where: tuple[str, int], made: Relay, fault: Fault) -> None:
    with client, contextlib.suppress(OSError):
        if fault.refuse:
            return
        with socket.create_connection(where, timeout=60) as server:
            back = threading.Thread(target=_back, args=(server, client, fault, made), daemon=True)
            back.start()
            with made.lock:
                made.asked.append(b"")
                at = len(made.asked) - 1
            while piece := client.recv(PIECE):
                made.asked[at] += piece
                server.sendall(piece)


def _back(server: socket.socket, client: socket.socket, fault: Fault, made: Relay) -> None:
    passed = 0
    with contextlib.suppress(OSError):
        while piece := server.recv(PIECE):
            made.closing.wait(fault.hold_s if not passed else 0)
            if fault.garbage is not None:
                client.sendall(fault.garbage)
                break
            if fault.cut_after is not None:
                piece = piece[: fault.cut_after - passed]
            _sent(client, piece, fault.drip_s)
            passed += len(piece)
            if fault.cut_after is not None and passed >= fault.cut_after:
                break
    for one in (client, server):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _sent(client: socket.socket, piece: bytes, drip_s: float) -> None:
    steps: Sequence[bytes] = [bytes([one]) for one in piece] if drip_s else [piece]
    for step in steps:
        client.sendall(step)
        time.sleep(drip_s)
