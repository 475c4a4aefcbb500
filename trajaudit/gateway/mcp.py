"""The tools of a trial as an MCP server over streamable HTTP."""

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from starlette.types import Receive, Scope, Send

from trajaudit.gateway.base import SessionEnded, ToolOutcome
from trajaudit.gateway.session import TrialSession

# What a client sends wrong is answered, and belongs nowhere else.
logging.getLogger("mcp").addHandler(logging.NullHandler())
Context = ServerRequestContext[Any, Any]
InThread = Callable[[Callable[[], ToolOutcome]], Awaitable[ToolOutcome]]


class ToolServer:
    """One trial's MCP server. Each request stands alone: there is no session to grow or leak."""

    def __init__(self, session: TrialSession, in_thread: InThread, max_body: int) -> None:
        self._session = session
        self._in_thread = in_thread
        server: Server[Any] = Server(
            "trajaudit", on_list_tools=self._list_tools, on_call_tool=self._call_tool
        )
        self._manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=max_body
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve as long as the block lasts."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        await self._manager.handle_request(scope, receive, send)

    async def _list_tools(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        del context, params
        tools = [
            Tool(name=one.name, description=one.description, input_schema=dict(one.parameters))
            for one in self._session.tools()
        ]
        return ListToolsResult(tools=tools)

    async def _call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        del context
        text = json.dumps(params.arguments or {}, ensure_ascii=False)

        def call() -> ToolOutcome:
            return self._session.call_tool(params.name, text, via="mcp")

        try:
            outcome = await self._in_thread(call)
        except SessionEnded as ended:
            outcome = ToolOutcome(content=str(ended), is_error=True)
        content = TextContent(text=outcome.content)
        return CallToolResult(content=[content], is_error=outcome.is_error)
