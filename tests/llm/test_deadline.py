"""A provider that sends a byte at a time is given up on in time, wherever in its answer it is."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from trajaudit.errors import ProviderError
from trajaudit.llm import ModelOptions, open_model
from trajaudit.llm.base import ModelRequest
from trajaudit.llm.pace import RetryPolicy

REQUEST = ModelRequest(endpoint="chat", body={"messages": []})
HEAD = b"HTTP/1.1 200 OK\r\nX-Padding: " + b"x" * 400 + b"\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture
def dripping() -> Iterator[str]:
    """The address of a server that sends its headers a byte at a time."""
    stop = threading.Event()

    def drip(client: socket.socket) -> None:
        with client:
            for at in range(len(HEAD)):
                if stop.wait(0.02):
                    return
                try:
                    client.sendall(HEAD[at : at + 1])
                except OSError:
                    return

    def serve(listening: socket.socket) -> None:
        while not stop.is_set():
            try:
                client, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=drip, args=(client,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        stop.set()
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("proxied", [False, True])
def test_headers_that_drip_do_not_outlast_the_time_out(
    dripping: str, proxied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whole, the headers would take eight seconds; no single read waits longer than 0.02 s.
    url = dripping
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "")
    if proxied:
        monkeypatch.setenv("http_proxy", dripping.removesuffix("/v1"))
        url = "http://provider.invalid/v1"
    options = ModelOptions(base_url=url, timeout_s=0.3, retry=RetryPolicy(attempts=1))
    model = open_model("openai/x", options=options)
    began = time.monotonic()

    with pytest.raises(ProviderError, match=r"no answer within 0\.3 s"):
        model.send(REQUEST)

    assert time.monotonic() - began < 3
    model.close()
