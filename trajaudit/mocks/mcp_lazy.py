"""Reaches MCP servers without paying for their client where no tool needs one."""

from typing import TYPE_CHECKING

from pydantic import JsonValue

from trajaudit.mocks.base import Behaviour
from trajaudit.mocks.mcp_access import McpAccess

if TYPE_CHECKING:
    from trajaudit.mocks.mcp import McpConnections


class LazyMcp:
    """The servers of one trial; the client is imported when a tool needs one."""

    def __init__(self) -> None:
        self._connections: McpConnections | None = None

    def tool(self, name: str, where: dict[str, JsonValue], access: McpAccess | None) -> Behaviour:
        """Return the behaviour of a tool on a server; see `mcp.McpConnections.tool`."""
        from trajaudit.mocks.mcp import McpConnections

        if self._connections is None:
            self._connections = McpConnections()
        return self._connections.tool(name, where, access)

    def close(self) -> None:
        """Leave the servers that were reached; safe to call twice."""
        if self._connections is not None:
            self._connections.close()
