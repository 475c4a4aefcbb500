"""What recorded MCP servers may do."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class McpAccess:
    """What the user of this run lets recorded MCP servers do."""

    record: Callable[[bytes], None]
    """Appends a line to a cassette."""
    allowed: bool = False
    """A server may be reached by its address, which may be any host, or started as a command on
    this machine: foreign code, outside any sandbox."""
