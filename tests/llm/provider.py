"""A provider on a loopback port that misbehaves on command: a real server, real sockets."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from trajaudit.llm import ModelOptions, open_model
from trajaudit.llm.base import ChatModel
from trajaudit.llm.pace import RetryPolicy

QUICK = RetryPolicy(attempts=4, first_wait_s=0.01, longest_wait_s=0.02, longest_retry_after_s=0.3)


@dataclass
class Answer:
    """What the provider does with one request."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hang_up: bool = False
    """Close the connection before the promised length is sent."""
    drip_s: float = 0.0
    """Pause after each byte."""


@dataclass
class Provider:
    """The script of a provider, and what it was asked."""

    answers: list[Answer]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


def chat(text: str = "hello", **extra: Any) -> dict[str, Any]:
    """A whole chat answer."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    return {"id": "chatcmpl-1", "choices": [choice], "usage": usage, **extra}


def good(body: dict[str, Any] | None = None) -> Answer:
    """A whole answer."""
    return Answer(body=json.dumps(body or chat()).encode())


def error(status: int, message: str = "no", **headers: str) -> Answer:
    """An error in OpenAI's format."""
    body = {"error": {"message": message, "type": "some_type", "code": None}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, body=json.dumps(body).encode(), headers=named)


def stream(*chunks: dict[str, Any], done: bool = True, hang_up: bool = False) -> Answer:
    """A streamed answer."""
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    body = (text + ("data: [DONE]\n\n" if done else "")).encode()
    return Answer(body=body, headers={"Content-Type": "text/event-stream"}, hang_up=hang_up)


@contextmanager
def provider(*answers: Answer) -> Iterator[Provider]:
    """Serve the answers in turn; the last one stands for all further requests."""
    script = Provider(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            script.requests.append(json.loads(self.rfile.read(length)))
            script.paths.append(self.path)
            _answer(self, script.answers.pop(0) if script.answers[1:] else script.answers[0])

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (its own name)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _answer(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    handler.send_response(answer.status)
    for name, value in answer.headers.items():
        handler.send_header(name, value)
    promised = len(answer.body) + (100 if answer.hang_up else 0)
    handler.send_header("Content-Length", str(promised))
    handler.end_headers()
    pieces = [answer.body]
    if answer.drip_s:
        pieces = [answer.body[index : index + 1] for index in range(len(answer.body))]
    try:
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(answer.drip_s)
    except OSError:
        pass
    handler.close_connection = True


@contextmanager
def model_at(script: Provider, **options: Any) -> Iterator[ChatModel]:
    """The model under test, pointed at the provider."""
    settings = ModelOptions(**{"retry": QUICK, **options})
    model = open_model("openai/some-model", base_url=script.url, options=settings)
    try:
        yield model
    finally:
        model.close()
