"""Bytes go both ways unchanged, many connections at once, and each direction ends on its own."""

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import relay

from tests.agent_base.programs import FILES


@contextmanager
def _gateway(path: Path, serve: Callable[[socket.socket], None]) -> Iterator[int]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(64)

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=_serve_one, args=(connection, serve)).start()

        thread = threading.Thread(target=accept)
        thread.start()
        yield relay.start(str(path), 0)
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def _serve_one(connection: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    with connection:
        serve(connection)


def _read_all(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65536), b""))


def _ask(port: int, sent: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port)) as client:
        writer = threading.Thread(target=_send, args=(client, sent))
        writer.start()
        received = _read_all(client)
        writer.join()
        return received


def _send(client: socket.socket, sent: bytes) -> None:
    client.sendall(sent)
    client.shutdown(socket.SHUT_WR)


def test_an_answer_that_begins_after_the_question_ended_still_arrives(tmp_path: Path) -> None:
    def answer_at_the_end(connection: socket.socket) -> None:
        connection.sendall(_read_all(connection)[::-1])

    with _gateway(tmp_path / "s", answer_at_the_end) as port:
        assert _ask(port, b"abc") == b"cba"


def test_megabytes_of_any_bytes_pass_on_many_connections_at_once(tmp_path: Path) -> None:
    def echo(connection: socket.socket) -> None:
        while piece := connection.recv(65536):
            connection.sendall(piece)

    payloads = [bytes([number]) * 1_000_003 for number in range(20)]
    answers: dict[int, bytes] = {}
    with _gateway(tmp_path / "s", echo) as port:

        def ask(number: int) -> None:
            answers[number] = _ask(port, payloads[number])

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(len(payloads))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert payloads == [answers[number] for number in range(len(payloads))]


def test_a_gateway_that_hangs_up_hangs_up_on_the_client(tmp_path: Path) -> None:
    def say_bye(connection: socket.socket) -> None:
        connection.sendall(b"bye")

    with (
        _gateway(tmp_path / "s", say_bye) as port,
        socket.create_connection(("127.0.0.1", port)) as client,
    ):
        assert _read_all(client) == b"bye"


def test_a_client_is_not_left_waiting_when_there_is_no_gateway(tmp_path: Path) -> None:
    port = relay.start(str(tmp_path / "none"), 0)

    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        assert client.recv(1) == b""


def test_runs_alone_and_imports_next_to_nothing(tmp_path: Path) -> None:
    program = [sys.executable, "-X", "importtime", str(FILES / "relay.py"), "0"]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    port = int(process.stdout.readline())
    socket.create_connection(("127.0.0.1", port)).close()
    process.terminate()
    _, imported = process.communicate()

    for heavy in (b"asyncio", b"http.client", b"json", b"ssl"):
        assert heavy not in imported
