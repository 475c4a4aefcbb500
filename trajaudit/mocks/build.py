"""Which behaviour stands behind a tool."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.datamodel.tool import Mock, ToolSpec
from trajaudit.errors import UsageError
from trajaudit.mocks.base import Behaviour, CallContext, LineWorker, ToolReply
from trajaudit.mocks.cassette import FifoCassette, StrictCassette, read_cassette
from trajaudit.mocks.mcp_access import McpAccess
from trajaudit.mocks.mcp_lazy import LazyMcp
from trajaudit.mocks.python import Python
from trajaudit.mocks.sequence import Sequence
from trajaudit.mocks.static import Static
from trajaudit.mocks.table import Table

SandboxTool = Callable[[str, dict[str, JsonValue]], ToolReply]


@dataclass(frozen=True)
class Surroundings:
    """What behaviours may reach beside their own data."""

    open_file: Callable[[str], bytes]
    worker: Callable[[], LineWorker] | None
    sandbox_tool: SandboxTool | None
    mcp: McpAccess | None
    connections: LazyMcp


@dataclass(frozen=True)
class InSandbox:
    """Carries a call out in the agent's own sandbox."""

    kind: str
    run: SandboxTool

    def __call__(self, arguments: dict[str, JsonValue], context: CallContext) -> ToolReply:
        del context
        return self.run(self.kind, arguments)


def behaviour(spec: ToolSpec, around: Surroundings) -> Behaviour:
    """Return what answers the calls of a tool.

    Raises:
        UsageError: the tool needs something that this run does not have.
        ScenarioError: a file behind it is wrong.
    """
    if spec.sandbox is not None:
        if around.sandbox_tool is None:
            raise UsageError(f"tool {spec.name} is executed in a sandbox; this run has none")
        return InSandbox(spec.sandbox, around.sandbox_tool)
    if spec.mock is None:
        raise UsageError(f"tool {spec.name} has nothing behind it; give it a mock or a sandbox")
    return _from_data(spec.mock) or _from_outside(spec, spec.mock, around)


def _from_data(mock: Mock) -> Behaviour | None:
    if mock.table is not None:
        return Table(mock.table, mock.default)
    if mock.sequence is not None:
        return Sequence(mock.sequence)
    if mock.static is not None:
        return Static(mock.static)
    return None


def _from_outside(spec: ToolSpec, mock: Mock, around: Surroundings) -> Behaviour:
    if mock.python is not None:
        if around.worker is None:
            raise UsageError(f"tool {spec.name} is a python mock; this run has no place to run it")
        return Python(mock.python, around.worker)
    if mock.cassette is not None:
        name = mock.cassette
        recorded = read_cassette(name, around.open_file(name))
        calls = [call for call in recorded if call.tool == spec.name]
        kind = StrictCassette if mock.policy == "strict" else FifoCassette
        return kind(name, calls)
    return around.connections.tool(spec.name, mock.mcp or {}, around.mcp)
