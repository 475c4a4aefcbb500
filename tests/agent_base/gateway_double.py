"""A small gateway on a Unix socket: the documented routes, and a real MCP server behind /mcp."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

LIMIT = {"error": {"type": "trial_limit", "code": "step_limit", "message": "30 steps"}}
COMPLETION = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "m"}


class GatewayDouble:
    """Answers model calls from a list; remembers everything that came in."""

    def __init__(self, answers: list[Any], users: list[str], trial: dict[str, Any]) -> None:
        self.answers = list(answers)
        self.users = list(users)
        self.trial = {**TRIAL, **trial}
        self.requests: list[dict[str, Any]] = []
        self.replies: list[dict[str, Any]] = []
        self.submitted: list[str] = []
        self.tool_calls: list[tuple[str, float]] = []

    def app(self, *, json_response: bool) -> Starlette:
        server = MCPServer("double")
        server.tool(description="Price of an item.")(self.price)
        app = server.streamable_http_app(json_response=json_response)
        app.router.routes += [
            Route("/trial", self.on_trial),
            Route("/reply", self.on_reply, methods=["POST"]),
            Route("/submit", self.on_submit, methods=["POST"]),
            Route("/v1/chat/completions", self.on_chat, methods=["POST"]),
        ]
        return app

    def price(self, item: str, count: float = 1) -> float:
        self.tool_calls.append((item, count))
        if item == "ghost":
            raise ToolError("no such item")
        return 24.5 * count

    async def on_trial(self, _: Request) -> Response:
        return JSONResponse(self.trial)

    async def on_reply(self, request: Request) -> Response:
        self.replies.append(await request.json())
        return JSONResponse({"user": self.users.pop(0) if self.users else None})

    async def on_submit(self, request: Request) -> Response:
        self.submitted.append((await request.json())["content"])
        return JSONResponse({})

    async def on_chat(self, request: Request) -> Response:
        self.requests.append(await request.json())
        if not self.answers:
            return JSONResponse(LIMIT, status_code=403)
        answer = self.answers.pop(0)
        if isinstance(answer, Response):
            return answer
        return JSONResponse({**COMPLETION, "choices": [{"index": 0, **answer}]})


TRIAL: dict[str, Any] = {
    "task_id": "t",
    "trial": 1,
    "prompt": "What does a lamp cost?",
    "system": "Be brief.",
    "model": "m",
    "tools": ["price"],
    "user": None,
    "agent": {"kind": "langgraph"},
}


def says(text: str | None, finish_reason: str = "stop") -> dict[str, Any]:
    """A message of the model."""
    message = {"role": "assistant", "content": text, "refusal": None}
    return {"message": message, "finish_reason": finish_reason}


def calls(*asked: tuple[str, str]) -> dict[str, Any]:
    """A message of the model that asks for tools, with raw arguments."""
    tool_calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": text}}
        for number, (name, text) in enumerate(asked)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": tool_calls}
    return {"message": message, "finish_reason": "tool_calls"}


@contextmanager
def serve(double: GatewayDouble, socket: Path, *, json_response: bool = True) -> Iterator[None]:
    """Serve on the socket until the block is left."""
    app = double.app(json_response=json_response)
    config = uvicorn.Config(app, uds=str(socket), log_level="error", lifespan="on", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield
    finally:
        server.should_exit = True
        thread.join()
