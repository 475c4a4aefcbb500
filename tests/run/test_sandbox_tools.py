"""Tools that act in the sandbox tell the agent what a program there would be told."""

import pytest
from pydantic import JsonValue

from trajaudit.mocks.base import ToolReply
from trajaudit.record.sandbox_tools import SANDBOX_TOOLS
from trajaudit.run.sandbox_tools import sandbox_tool
from trajaudit.sandbox.base import ExecResult
from trajaudit.sandbox.scripted import ScriptedSandbox


def box(**files: bytes) -> ScriptedSandbox:
    named = {name.replace("__", "."): content for name, content in files.items()}
    return ScriptedSandbox(
        named, lambda _argv, _stdin: ExecResult(exit_code=0, stdout=b"", stderr=b"")
    )


def edit(sandbox: ScriptedSandbox, old: str, new: str, path: str = "a.py") -> ToolReply:
    arguments: dict[str, JsonValue] = {"path": path, "old": old, "new": new}
    return sandbox_tool(sandbox)("edit", arguments)


def test_an_edit_replaces_one_piece_and_leaves_every_other_byte() -> None:
    sandbox = box(a__py=b"x = 1\r\ncaf\xe9 = 2\r\n")

    reply = edit(sandbox, "x = 1\r\n", "x = 'é'\r\n")

    assert not reply.is_error
    assert sandbox.read_file("a.py") == "x = 'é'\r\n".encode() + b"caf\xe9 = 2\r\n"


@pytest.mark.parametrize(("old", "times"), [("y", 0), ("x", 2)])
def test_a_piece_that_is_not_there_once_is_refused(old: str, times: int) -> None:
    sandbox = box(a__py=b"x = x\n")

    reply = edit(sandbox, old, "z")

    assert reply.is_error
    assert f"is there {times} times; it must be there exactly once" in reply.content
    assert sandbox.read_file("a.py") == b"x = x\n"


def test_a_file_that_is_not_there_is_an_error_of_the_call() -> None:
    reply = edit(box(), "x", "y")

    assert reply.is_error
    assert reply.content.startswith("FileNotFoundError")


def test_each_tool_that_can_be_named_is_carried_out() -> None:
    sandbox = box(a__py=b"x\n")
    values: dict[str, JsonValue] = {
        "command": "true",
        "path": "a.py",
        "content": "x",
        "old": "x",
        "new": "y",
    }

    for name, spec in SANDBOX_TOOLS.items():
        assert spec["sandbox"] == name
        assert not sandbox_tool(sandbox)(name, values).is_error
