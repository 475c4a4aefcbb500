"""A tool that is a real MCP server, its replies recorded so that later runs need it no more."""

import json
from contextlib import ExitStack
from dataclasses import dataclass

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT, CallToolResult, TextContent
from pydantic import Field, JsonValue, ValidationError, model_validator

from trajaudit.datamodel._base import Record
from trajaudit.errors import MockError, ScenarioError, UsageError
from trajaudit.mocks.base import CallContext, ToolReply
from trajaudit.mocks.cassette import RecordedCall, write_line
from trajaudit.mocks.mcp_access import McpAccess
from trajaudit.mocks.reply import as_text


class McpServer(Record):
    """`mock: {mcp: ...}`: where a server is; exactly one of `url` and `command`."""

    url: str | None = None
    command: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)
    tool: str | None = None
    """The tool's name on the server, where it differs."""
    timeout_s: float = Field(default=60, gt=0)

    @model_validator(mode="after")
    def _one_place(self) -> "McpServer":
        if (self.url is None) == (not self.command):
            raise ValueError("an MCP server has exactly one of url, command")
        return self


class McpConnections:
    """The servers that one trial has reached; each is connected to once, at its first call."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._clients: dict[str, Client] = {}

    def tool(self, name: str, where: dict[str, JsonValue], access: McpAccess | None) -> "McpTool":
        """Return the behaviour of a tool on a server; nothing is connected yet.

        Raises:
            ScenarioError: `where` names no server.
            UsageError: this run does not allow to reach it.
        """
        try:
            server = McpServer.model_validate(where)
        except ValidationError as error:
            reasons = [f"tool {name}: mock.mcp: {fault['msg']}" for fault in error.errors()]
            raise ScenarioError(reasons) from error
        if access is None:
            raise UsageError(f"tool {name} is a real MCP server; this run does not allow any")
        if not access.allowed:
            what = f"starts {server.command[0]!r} on" if server.command else "leaves"
            target = "" if server.command else f" for {server.url}"
            raise UsageError(
                f"tool {name} {what} this machine{target}, outside any sandbox; "
                "use --allow-mcp if you trust the scenario"
            )
        return McpTool(name, server, access, self)

    def call(self, server: McpServer, tool: str, arguments: dict[str, JsonValue]) -> CallToolResult:
        """Carry a call out on a server.

        Raises:
            MCPError: the server refused the call.
            MockError: the server cannot be reached.
        """
        where = server.url or server.command[0]
        try:
            portal = self._portal or self._stack.enter_context(start_blocking_portal())
            self._portal = portal
            client = self._client(portal, server)
        except Exception as error:
            raise MockError(f"MCP server {where} cannot be reached: {_cause(error)}") from error
        try:
            result: CallToolResult = portal.call(client.call_tool, tool, arguments)
        except MCPError as error:
            if error.code not in (REQUEST_TIMEOUT, CONNECTION_CLOSED):
                raise
            raise MockError(f"MCP server {where}: {error}") from error
        except Exception as error:
            raise MockError(f"MCP server {where}: {_cause(error)}") from error
        return result

    def close(self) -> None:
        """Disconnect, and end the servers that were started; safe to call twice."""
        self._clients.clear()
        self._portal = None
        self._stack.close()

    def _client(self, portal: BlockingPortal, server: McpServer) -> Client:
        key = json.dumps([server.url, server.command, server.env], sort_keys=True)
        if key not in self._clients:
            client = Client(_transport(server), read_timeout_seconds=server.timeout_s)
            self._stack.enter_context(portal.wrap_async_context_manager(client))
            self._clients[key] = client
        return self._clients[key]


@dataclass(frozen=True)
class McpTool:
    """Passes calls on to a server, and records what comes back."""

    name: str
    server: McpServer
    access: McpAccess
    connections: McpConnections

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        try:
            result = self.connections.call(self.server, self.server.tool or self.name, arguments)
            reply = ToolReply(content=_text(result), is_error=result.is_error)
        except MCPError as error:
            reply = ToolReply(content=as_text(str(error)), is_error=True)
        recorded = RecordedCall(
            tool=context.tool, args=arguments, reply=reply.content, is_error=reply.is_error
        )
        self.access.record(write_line(recorded))
        return reply


def _transport(server: McpServer) -> str | StdioServerParameters:
    if server.url is not None:
        return server.url
    return StdioServerParameters(
        command=server.command[0], args=list(server.command[1:]), env=server.env
    )


def _text(result: CallToolResult) -> str:
    parts = [
        block.text if isinstance(block, TextContent) else block.model_dump_json(exclude_none=True)
        for block in result.content
    ]
    return as_text("\n".join(parts))


def _cause(error: BaseException) -> str:
    """Name the first real error inside the groups that task groups wrap around it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
