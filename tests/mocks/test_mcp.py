"""Real MCP servers behind a tool, recorded."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.errors import MockError, ScenarioError, UsageError
from trajaudit.mocks.base import ToolReply
from trajaudit.mocks.mcp_access import McpAccess
from trajaudit.mocks.toolbox import ToolBox

SERVER = """
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("shop")
calls = []

@server.tool()
def price(country: str) -> str:
    calls.append(country)
    if country == "XX":
        raise ToolError("no such country")
    return f"{country}: call {len(calls)}"

server.run("stdio")
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "server.py").write_text(SERVER)
    return [sys.executable, str(tmp_path / "server.py")]


def _spec(mcp: dict[str, object], name: str = "price") -> ToolSpec:
    return ToolSpec.model_validate({"name": name, "mock": {"mcp": mcp}})


def _no_file(name: str) -> bytes:
    raise AssertionError(name)


@pytest.fixture
def tape() -> list[bytes]:
    return []


@pytest.fixture
def box(command: list[str], tape: list[bytes]) -> Iterator[ToolBox]:
    tools = [_spec({"command": command}), _spec({"command": command, "tool": "price"}, "cost")]
    access = McpAccess(record=tape.append, allowed=True)
    opened = ToolBox(tools, open_file=_no_file, mcp=access)
    yield opened
    opened.close()
    opened.close()


def test_replies_come_from_one_server_and_its_tape_replays_them(
    box: ToolBox, tape: list[bytes]
) -> None:
    assert box.call("price", {"country": "DE"}) == ToolReply(content="DE: call 1")
    assert box.call("cost", {"country": "FR"}) == ToolReply(content="FR: call 2")
    refused = box.call("price", {"country": "XX"})
    assert refused.is_error
    assert "no such country" in refused.content

    spec = ToolSpec.model_validate({"name": "price", "mock": {"cassette": "tape"}})
    replayed = ToolBox([spec], open_file=lambda _: b"".join(tape))
    assert replayed.call("price", {"country": "DE"}) == ToolReply(content="DE: call 1")
    assert replayed.call("price", {"country": "XX"}) == refused


def test_a_command_on_the_host_needs_to_be_allowed(command: list[str], tape: list[bytes]) -> None:
    access = McpAccess(record=tape.append)

    with pytest.raises(UsageError, match="outside any sandbox"):
        ToolBox([_spec({"command": command})], open_file=_no_file, mcp=access)


@pytest.mark.parametrize(
    "where",
    [
        {"command": [sys.executable, "-c", "raise SystemExit(1)"]},
        {"url": "http://127.0.0.1:9/mcp"},
    ],
)
def test_a_server_that_cannot_be_reached_is_infrastructure(
    where: dict[str, object], tape: list[bytes]
) -> None:
    access = McpAccess(record=tape.append, allowed=True)
    box = ToolBox([_spec(where)], open_file=_no_file, mcp=access)

    with pytest.raises(MockError, match="MCP server"):
        box.call("price", {"country": "DE"})
    box.close()
    assert tape == []


def test_a_place_that_is_none_is_refused(tape: list[bytes]) -> None:
    access = McpAccess(record=tape.append)

    with pytest.raises(ScenarioError, match="exactly one of url, command"):
        ToolBox([_spec({"url": "http://x", "command": ["y"]})], open_file=_no_file, mcp=access)
