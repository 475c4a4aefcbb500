"""What an agent can ask over HTTP, and how each answer looks."""

import asyncio
import concurrent.futures
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from trajaudit.errors import InfraError
from trajaudit.gateway.base import SessionEnd, SessionEnded
from trajaudit.gateway.infra import infra_detail
from trajaudit.gateway.mcp import ToolServer
from trajaudit.gateway.refusal import Refused, error_body, refused, trial_over
from trajaudit.gateway.session import TrialSession
from trajaudit.llm.base import Endpoint

MAX_BODY = 64 * 1024 * 1024
PARALLEL = 16
"""Requests of one trial that are worked on at the same time."""
T = TypeVar("T")
Body = dict[str, Any]
MODEL_ROUTES: dict[str, Endpoint] = {
    "/v1/chat/completions": "chat",
    "/v1/responses": "responses",
}
SESSION_ROUTES = ("/reply", "/submit", "/note")
_END = object()


class TrialApp:
    """The ASGI application of one trial; nothing in a request can reach another one."""

    def __init__(self, session: TrialSession, pool: concurrent.futures.Executor) -> None:
        self._session = session
        self._pool = pool
        self._slots = asyncio.Semaphore(PARALLEL)
        self.tool_server = ToolServer(session, self._in_thread, MAX_BODY)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            self._session.require_open()
            if scope["path"].rstrip("/") == "/mcp":
                await self._mcp(request, send)
                return
            response = await self._answer(request)
        except ClientDisconnect:
            return
        except Refused as error:
            response = _json(error.body, error.status)
        except SessionEnded as ended:
            over = trial_over(ended.end)
            response = _json(over.body, over.status)
        except Exception as error:  # noqa: BLE001 (a fault of ours ends this trial, never the run)
            response = self._broken(error)
        await response(scope, receive, send)

    async def _mcp(self, request: Request, send: Send) -> None:
        if request.method == "POST":
            await self.tool_server({**request.scope, "path": "/mcp"}, request.receive, send)
            return
        # Each request stands alone: there is no stream to open and no session to delete.
        response = _json(error_body("only POST", "invalid_request_error", None), 405)
        await response(request.scope, request.receive, send)

    async def _answer(self, request: Request) -> Response:
        path, method = request.scope["path"], request.method
        if path in MODEL_ROUTES and method == "POST":
            return await self._model(request, MODEL_ROUTES[path])
        if path in SESSION_ROUTES and method == "POST":
            return await self._to_session(path, await _body(request))
        if path == "/v1/models" and method == "GET":
            models = [self._model_entry()] if self._session.model_id else []
            return _json({"object": "list", "data": models})
        if path == f"/v1/models/{self._session.model_id}" and method == "GET":
            return _json(self._model_entry())
        if path == "/trial" and method == "GET":
            return _json(self._trial())
        known = path in MODEL_ROUTES or path in SESSION_ROUTES or path in ("/v1/models", "/trial")
        self._session.warn("unknown_route", f"{method[:20]} {path[:200]}")
        raise refused(405 if known else 404, f"no route {method[:20]} {path[:200]}")

    async def _model(self, request: Request, endpoint: Endpoint) -> Response:
        body = await _body(request)
        stream = body.get("stream") is True
        answer = await self._in_thread(
            lambda: self._session.model_call(endpoint, body, stream=stream)
        )
        if answer.chunks is None:
            return _json(answer.body)
        events = self._events(endpoint, answer.chunks)
        headers = {"cache-control": "no-cache"}
        return StreamingResponse(events, media_type="text/event-stream", headers=headers)

    async def _events(self, endpoint: Endpoint, chunks: Any) -> AsyncIterator[bytes]:
        finished = False
        pending: concurrent.futures.Future[Any] = self._pool.submit(next, chunks, _END)
        try:
            while (chunk := await asyncio.wrap_future(pending)) is not _END:
                yield _event(endpoint, chunk)
                pending = self._pool.submit(next, chunks, _END)
            finished = True
            if endpoint == "chat":
                yield b"data: [DONE]\n\n"
        except InfraError as error:
            finished = True
            self._session.end("infra_error", infra_detail(error))
            yield _event(endpoint, error_body(str(error), "server_error", "infra_error"))
        except SessionEnded as ended:
            finished = True
            yield _event(endpoint, trial_over(ended.end).body)
        finally:
            if not finished:
                self._pool.submit(self._abandon, pending, chunks)

    def _abandon(self, pending: concurrent.futures.Future[Any], chunks: Any) -> None:
        """Read a stream to its end for the journal; nobody is there to get it."""
        concurrent.futures.wait([pending])
        self._session.warn(
            "client_disconnected", "the agent left in the middle of a streamed reply"
        )
        try:
            for _ in chunks:
                pass
        except InfraError as error:
            self._session.end("infra_error", infra_detail(error))
        except SessionEnded:
            return

    async def _to_session(self, path: str, body: Body) -> Response:
        content = body.get("content")
        reason = body.get("finish_reason")
        if not isinstance(content, str):
            raise refused(400, "content: a text is required")
        if reason is not None and not isinstance(reason, str):
            raise refused(400, "finish_reason: a text or null is required")
        session = self._session
        if path == "/reply":
            given = reason[:100] if reason else None
            user = await self._in_thread(lambda: session.reply(content, finish_reason=given))
            return _json({"user": user})
        act = session.submit if path == "/submit" else session.note
        await self._in_thread(lambda: act(content))
        return _json({"ok": True})

    def _trial(self) -> Body:
        info = self._session.info
        tools = [
            {"name": one.name, "description": one.description, "parameters": one.parameters}
            for one in self._session.tools()
        ]
        return {
            "task_id": info.task_id,
            "trial": info.trial,
            "prompt": info.prompt,
            "system": info.system,
            "model": self._session.model_id or "",
            "tools": tools,
            "user": info.user,
            "agent": dict(info.agent),
        }

    def _model_entry(self) -> Body:
        return {
            "id": self._session.model_id,
            "object": "model",
            "created": 0,
            "owned_by": "trajaudit",
        }

    def _broken(self, error: Exception) -> Response:
        detail = f"internal error: {type(error).__name__}: {error}"[:1000]
        self._session.end("infra_error", detail)
        told = trial_over(SessionEnd(reason="infra_error", detail=detail))
        return _json(told.body, told.status)

    async def _in_thread(self, act: Callable[[], T]) -> T:
        async with self._slots:
            return await asyncio.get_running_loop().run_in_executor(self._pool, act)


async def _body(request: Request) -> Body:
    """Read a JSON object; Refused where it is none, or too large."""
    received = bytearray()
    async for piece in request.stream():
        received += piece
        if len(received) > MAX_BODY:
            raise refused(413, f"the body is too large; at most {MAX_BODY} bytes")
    try:
        body = json.loads(received.decode())
    except UnicodeDecodeError as error:
        raise refused(400, f"the body is not UTF-8: {error}") from None
    except (ValueError, RecursionError) as error:
        raise refused(400, f"the body is not JSON: {error}") from None
    if not isinstance(body, dict):
        raise refused(400, "the body is no JSON object")
    return body


def _event(endpoint: Endpoint, chunk: Mapping[str, Any]) -> bytes:
    data = json.dumps(chunk, separators=(",", ":"))
    kind = chunk.get("type")
    head = f"event: {kind}\n" if endpoint == "responses" and isinstance(kind, str) else ""
    return f"{head}data: {data}\n\n".encode()


def _json(body: Mapping[str, Any], status: int = 200) -> Response:
    # Escaped to ASCII: a model may have sent surrogates, which are no UTF-8.
    text = json.dumps(body, separators=(",", ":"))
    return Response(text, status, media_type="application/json")
