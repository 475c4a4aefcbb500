"""What recorded MCP servers may do, and how they are reached without paying for it unused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import JsonValue

from trajaudit.mocks.base import Behaviour

if TYPE_CHECKING:
    from trajaudit.mocks.mcp import McpConnections


@dataclass(frozen=True, kw_only=True)
class McpAccess:
    """What the user of this run lets recorded MCP servers do."""

    record: Callable[[bytes], None]
    """Appends a line to a cassette."""
    allow_commands: bool = False
    """A server may be started as a command on the host: foreign code, outside any sandbox."""


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
