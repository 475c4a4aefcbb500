"""What a call does to files is told by the name of its tool and the names of its arguments."""

import pytest
from pydantic import JsonValue

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import ToolCall
from trajaudit.score.tool_acts import ToolActs, Write, tool_acts

PATCH = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"


def acts_of(tool: str, arguments: JsonValue, *tools: ToolSpec) -> ToolActs:
    return tool_acts(
        ToolCall(call_id="1", tool=tool, arguments_text="", arguments=arguments), tools
    )


@pytest.mark.parametrize(
    "key", ["command", "cmd", "commands", "script", "code", "keystrokes", "input"]
)
def test_a_shell_runs_what_stands_under_any_usual_name(key: str) -> None:
    assert acts_of("run_bash", {key: "rm x.py"}).writes == (Write("x.py", removed=True),)
    assert acts_of("python", {key: "open('x.py', 'w')"}).writes == (Write("x.py"),)


@pytest.mark.parametrize(
    "key",
    [
        *("path", "file_path", "filepath", "filename", "file_name", "target_file", "file"),
        "notebook_path",
    ],
)
def test_an_editor_writes_and_a_reader_reads_the_file_that_is_named(key: str) -> None:
    assert acts_of("writeFile", {key: "x.py", "content": "a"}) == ToolActs(
        writes=(Write("x.py"),), text="a"
    )
    assert acts_of("view_file", {key: "x.py"}).reads == ("x.py",)


@pytest.mark.parametrize("key", ["patch", "diff", "input"])
def test_a_patch_writes_the_files_in_it(key: str) -> None:
    assert set(acts_of("apply_patch", {key: PATCH}).writes) == {Write("x.py")}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"command": "rm x.py", "path": "x.py"}),
        ("bash", {"query": "rm x.py"}),
        ("bash", {}),
        ("bash", "rm x.py"),
        ("apply_patch", {"patch": ""}),
    ],
)
def test_what_is_neither_shell_nor_editor_does_nothing(tool: str, arguments: JsonValue) -> None:
    assert acts_of(tool, arguments).are_none


def test_a_tool_of_the_container_is_what_it_was_declared_as() -> None:
    tools = ToolSpec(name="act", sandbox="bash"), ToolSpec(name="keep", sandbox="write")

    assert acts_of("act", {"command": "rm x.py"}, *tools).writes == (Write("x.py", removed=True),)
    assert acts_of("keep", {"path": "x.py"}, *tools).writes == (Write("x.py"),)
    assert acts_of("act", {"command": "rm x.py"}).are_none
