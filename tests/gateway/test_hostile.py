"""Whatever a client does to its socket, the host and the other trials go on."""

import contextlib
import http.client
import json
import logging
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.gateway.parts import TASK, Trial, says, trial
from trajaudit.datamodel.event import MessageEvent, Warning_
from trajaudit.errors import ProviderError, StorageError, UsageError
from trajaudit.gateway import app, protocol
from trajaudit.gateway.http import Gateway

ASK: dict[str, Any] = {"model": "m", "messages": [TASK]}
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    opened = Gateway()
    yield opened
    opened.close()


@pytest.fixture
def sockets() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder)


def connect(sockets: Path, timeout_s: float = 10) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(timeout_s)
    connection.connect(str(sockets / "gateway.sock"))
    return connection


def send(sockets: Path, data: bytes, timeout_s: float = 10) -> bytes:
    with connect(sockets, timeout_s) as connection:
        received = b""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
            connection.sendall(data)
            while piece := connection.recv(65536):
                received += piece
        return received


def post(sockets: Path, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
    length = f"content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode()
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n".encode()
    head, _, answer = send(sockets, head + length + body).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(answer)


def works(sockets: Path, one: Trial) -> bool:
    return post(sockets, "/note", b'{"content": "alive"}') == (200, {"ok": True})


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/v1/chat/completions", b"{", 400, "not JSON"),
        ("/v1/chat/completions", b"[1]", 400, "no JSON object"),
        ("/v1/chat/completions", b"\xff\xfe", 400, "not UTF-8"),
        ("/v1/chat/completions", b"[" * 100_000, 400, "not JSON"),
        ("/v1/chat/completions", b'{"messages": "hello"}', 400, "messages: a list"),
        ("/v1/responses", b'{"input": 3}', 400, "input: a text or a list"),
        ("/v1/responses", b'{"input": [3], "tools": {"a": 1}}', 400, "format of Responses"),
        ("/v1/responses", b'{"input": "a", "previous_response_id": "r"}', 404, "no response 'r'"),
        ("/v1/embeddings", b"{}", 404, "no route POST /v1/embeddings"),
        ("/trials/../trial", b"{}", 404, "no route"),
        ("/%2e%2e/other/trial", b"{}", 404, "no route"),
        ("/trial", b"{}", 405, "no route POST /trial"),
        ("/reply", b'{"content": 3}', 400, "content: a text"),
        ("/reply", b'{"content": "a", "finish_reason": 3}', 400, "finish_reason"),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(
    gateway: Gateway,
    sockets: Path,
    tmp_path: Path,
    path: str,
    body: bytes,
    status: int,
    words: str,
) -> None:
    with trial(tmp_path) as one, gateway.serve(one.session, sockets):
        got, answer = post(sockets, path, body)

        assert (got, answer["error"]["type"]) == (status, "invalid_request_error")
        assert words in answer["error"]["message"]
        assert works(sockets, one)


def test_a_body_that_is_too_large_is_refused(
    gateway: Gateway, sockets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "MAX_BODY", 1000)
    with trial(tmp_path) as one, gateway.serve(one.session, sockets):
        status, answer = post(sockets, "/note", b'{"content": "' + b"x" * 2000 + b'"}')

        assert (status, answer["error"]["message"]) == (
            413,
            "the body is too large; at most 1000 bytes",
        )
        assert works(sockets, one)


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01\x02" * 1000,
        b"GET / HTTP/1.1\r\nx: " + b"y" * 1_000_000 + b"\r\n\r\n",
        b"GET " + b"/a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"POST /note HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{",
        b"POST /note HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n{}",
        b"GET /trial HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        b"CONNECT other:80 HTTP/1.1\r\nhost: other:80\r\n\r\n",
        b"GET http://other/trial HTTP/1.1\r\nhost: other\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 3\r\n\r\n[1]",
        b"",
    ],
)
def test_garbage_breaks_nothing_and_reaches_no_terminal(
    gateway: Gateway,
    sockets: Path,
    tmp_path: Path,
    data: bytes,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with trial(tmp_path) as one, gateway.serve(one.session, sockets):
        send(sockets, data, timeout_s=0.3)

        assert works(sockets, one)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert capfd.readouterr() == ("", "")


def test_a_request_that_never_ends_is_cut_and_too_many_connections_are_closed(
    gateway: Gateway, sockets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEAD_S", 0.2)
    monkeypatch.setattr(protocol, "WATCH_S", 0.05)
    (tmp_path / "other").mkdir()
    (sockets / "b").mkdir()
    with (
        trial(tmp_path) as one,
        trial(tmp_path / "other") as other,
        gateway.serve(one.session, sockets),
        gateway.serve(other.session, sockets / "b"),
        contextlib.ExitStack() as stack,
    ):
        slow = [stack.enter_context(connect(sockets)) for _ in range(protocol.MAX_CONNECTIONS + 40)]
        for connection in slow:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(b"GET /trial HT")

        assert works(sockets / "b", other)
        time.sleep(0.5)
        assert works(sockets, one)


def test_trials_keep_to_themselves(gateway: Gateway, sockets: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (sockets / "b").mkdir()
    with (
        trial(tmp_path, says("to one")) as one,
        trial(tmp_path / "other", says("to other")) as other,
        gateway.serve(one.session, sockets),
        gateway.serve(other.session, sockets / "b"),
    ):
        body = json.dumps({**ASK, "trial": 2, "task_id": "other"}).encode()
        _, answer = post(sockets, "/v1/chat/completions", body)
        post(sockets, "/submit", b'{"content": "x"}')

        assert answer["choices"][0]["message"]["content"] == "to one"
        assert works(sockets / "b", other)
        assert other.session.usage.model_calls == 0


def test_an_agent_that_leaves_in_the_middle_of_a_stream_is_noted_and_the_reply_kept(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    text = "word " * 400_000
    with trial(tmp_path, says(text)) as one, gateway.serve(one.session, sockets):
        body = json.dumps({**ASK, "stream": True}).encode()
        head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: "
        with connect(sockets) as connection:
            connection.sendall(head + str(len(body)).encode() + b"\r\n\r\n" + body)
            connection.recv(2000)
        deadline = time.monotonic() + 30
        # The start of the world, the task, the warning, the model call and its reply.
        while one.journal.count < 5 and time.monotonic() < deadline:
            time.sleep(0.02)
        events = one.events()

    warnings = [event.code for event in events if isinstance(event, Warning_)]
    replies = [e.content for e in events if isinstance(e, MessageEvent) and e.source == "model"]
    assert warnings == ["client_disconnected"]
    assert replies == [text]


def test_a_fault_of_ours_ends_its_trial_as_infrastructure(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    with trial(tmp_path, ZeroDivisionError("ours")) as one, gateway.serve(one.session, sockets):
        status, answer = post(sockets, "/v1/chat/completions", json.dumps(ASK).encode())

        assert (status, answer["error"]["code"]) == (403, "infra_error")
        assert one.trajectory().end_detail == "internal error: ZeroDivisionError: ours"


def test_a_stream_that_the_provider_cuts_ends_the_trial(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    with trial(tmp_path, says("x" * 500)) as one, gateway.serve(one.session, sockets):
        one.model.breaks = ProviderError("cut")
        body = json.dumps({**ASK, "stream": True}).encode()
        head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
        received = send(sockets, head + f"content-length: {len(body)}\r\n\r\n".encode() + body)

        assert b'"code":"infra_error"' in received
        assert one.trajectory().end_reason == "infra_error"


def test_a_socket_is_open_to_the_agents_user_and_gone_after_closing(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    with trial(tmp_path) as one:
        served = gateway.serve(one.session, sockets)
        assert stat.S_IMODE(served.path.stat().st_mode) == 0o666
        served.close()
        served.close()

        assert list(sockets.iterdir()) == []
        with pytest.raises(UsageError, match="too long for a socket"):
            gateway.serve(one.session, sockets / ("long" * 40))
        with pytest.raises(StorageError, match="cannot be made"):
            gateway.serve(one.session, sockets / "missing")


def test_warnings_of_a_hostile_agent_are_bounded(tmp_path: Path) -> None:
    with trial(tmp_path) as one:
        for _ in range(1200):
            one.session.warn("unknown_route", "x" * 5000)
        events = one.events()

    warnings = [event for event in events if isinstance(event, Warning_)]
    assert len(warnings) == 1000
    assert warnings[-1].code == "warnings_left_out"
    assert max(len(warning.text) for warning in warnings) == 2000


def test_many_requests_at_once_are_all_answered(
    gateway: Gateway, sockets: Path, tmp_path: Path
) -> None:
    with trial(tmp_path) as one, gateway.serve(one.session, sockets):
        connections = []
        for number in range(protocol.MAX_CONNECTIONS - 4):
            connection = http.client.HTTPConnection("x")
            connection.sock = connect(sockets)
            body = json.dumps({"content": str(number)})
            connection.request("POST", "/note", body, JSON)
            connections.append(connection)
        statuses = [connection.getresponse().read() for connection in connections]
        for connection in connections:
            connection.close()

        assert statuses == [b'{"ok":true}'] * len(connections)
        assert len(one.trajectory().notes) == len(connections)
