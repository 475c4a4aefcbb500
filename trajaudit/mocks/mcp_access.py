"""What recorded MCP servers may do."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class McpAccess:
    """What the user of this run lets recorded MCP servers do."""

    record: Callable[[bytes], None]
    """Appends a line to a cassette."""
    allow_commands: bool = False
    """A server may be started as a command on the host: foreign code, outside any sandbox."""
