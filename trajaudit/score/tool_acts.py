"""What does a tool call do to files: commands of a shell, edits of an editor, programs?"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pydantic import JsonValue

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.datamodel.trajectory import ToolCall
from trajaudit.score.file_acts import patched_paths, program_of, read_paths, written_paths
from trajaudit.score.python_text import python_acts
from trajaudit.score.shell_text import Command, commands_of

_SHELL = frozenset(
    {"bash", "shell", "sh", "terminal", "command", "cmd", "exec", "execute", "run", "console"}
)
_PYTHON = frozenset({"python", "ipython", "jupyter"})
_EDITOR = frozenset(
    {
        "write",
        "edit",
        "editor",
        "create",
        "replace",
        "insert",
        "delete",
        "remove",
        "patch",
        "append",
        "overwrite",
        "modify",
        "save",
    }
)
_READER = frozenset({"read", "view", "open", "cat", "show"})
_COMMAND_KEYS = ("command", "cmd", "commands", "script", "code", "keystrokes", "input")
_PATH_KEYS = (
    "path",
    "file_path",
    "filepath",
    "filename",
    "file_name",
    "target_file",
    "file",
    "notebook_path",
)
_TEXT_KEYS = (
    "content",
    "contents",
    "new_str",
    "new_string",
    "file_text",
    "new_text",
    "insert_text",
    "replacement",
    "text",
)
_PATCH_KEYS = ("patch", "diff", "input")
_KEYS = frozenset({*_COMMAND_KEYS, *_PATH_KEYS, *_PATCH_KEYS})
"""Names of arguments that tell what a tool does; where a call has none of them, nothing does."""


class Write(NamedTuple):
    """A file that is written, or taken away from its place."""

    path: str
    removed: bool = False


@dataclass(frozen=True)
class ToolActs:
    """What one call does."""

    commands: tuple[Command, ...] = ()
    writes: tuple[Write, ...] = ()
    """In the order of writing."""
    reads: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    text: str = ""
    """The new text of a file, where a tool edits one; the command's text where a shell does."""

    @property
    def are_none(self) -> bool:
        """Whether the call does nothing that is looked at."""
        return not (self.commands or self.writes or self.reads or self.addresses)


_NOTHING = ToolActs()
_TELLING = _SHELL | _PYTHON | _EDITOR | _READER
"""Words in the names of tools that do something to files."""


def tool_acts(call: ToolCall, tools: Sequence[ToolSpec]) -> ToolActs:
    """Read one call; a tool that is neither shell nor editor does nothing here."""
    arguments = call.arguments
    if not isinstance(arguments, dict) or _KEYS.isdisjoint(arguments):
        return _NOTHING
    spec = next((tool for tool in tools if tool.name == call.tool), None)
    words = _words_of(call.tool)
    if spec is not None and spec.sandbox is not None:
        words |= {spec.sandbox}
    return _NOTHING if words.isdisjoint(_TELLING) else _acts(words, arguments)


def _acts(words: frozenset[str], arguments: dict[str, JsonValue]) -> ToolActs:
    path = _first(arguments, _PATH_KEYS) if words & (_EDITOR | _READER) else None
    if path is not None:
        return _editor_acts(arguments, words, path)
    if "patch" in words:
        text = _first(arguments, _PATCH_KEYS) or ""
        return ToolActs(writes=tuple(Write(path) for path in patched_paths(text)), text=text)
    code = _first(arguments, _COMMAND_KEYS)
    if code is None:
        return _NOTHING
    if words & _PYTHON:
        return _python(code)
    return shell_acts(code) if words & _SHELL else _NOTHING


@lru_cache(maxsize=256)
def _words_of(tool: str) -> frozenset[str]:
    return frozenset(re.split(r"[^a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", tool).lower()))


def shell_acts(text: str) -> ToolActs:
    """Read the text that a shell is given."""
    commands = commands_of(text)
    nested = [python_acts(program) for program in map(_program, commands) if program]
    for acts in nested:
        commands += [inner for line in acts.commands for inner in commands_of(line)]
    return ToolActs(
        commands=tuple(commands),
        writes=_writes(commands),
        reads=tuple(path for command in commands for path in read_paths(command)),
        addresses=tuple(text for acts in nested for text in acts.addresses),
        text=text,
    )


def _writes(commands: Sequence[Command]) -> tuple[Write, ...]:
    return tuple(
        Write(path, removes(command)) for command in commands for path in written_paths(command)
    )


def removes(command: Command) -> bool:
    """Whether a command takes files away from their place."""
    is_git = command.name == "git" and bool({"rm", "mv"} & set(command.words[:6]))
    return command.name in {"rm", "unlink", "shred", "mv", "rmdir"} or is_git


def _program(command: Command) -> str | None:
    return program_of(command) if command.name.startswith("python") else None


def _python(code: str) -> ToolActs:
    acts = python_acts(code)
    commands = [inner for line in acts.commands for inner in commands_of(line)]
    return ToolActs(
        commands=tuple(commands),
        writes=(*(Write(path) for path in acts.writes), *_writes(commands)),
        reads=acts.reads,
        addresses=acts.addresses,
        text=code,
    )


def _editor_acts(arguments: dict[str, JsonValue], words: frozenset[str], path: str) -> ToolActs:
    action = arguments.get("command")
    views = action == "view" or (not words & _EDITOR and bool(words & _READER))
    if views:
        return ToolActs(reads=(path,))
    gone = bool(words & {"delete", "remove"}) or action == "delete"
    return ToolActs(writes=(Write(path, gone),), text=_first(arguments, _TEXT_KEYS) or "")


def _first(arguments: dict[str, JsonValue], keys: Sequence[str]) -> str | None:
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return shlex.join(str(item) for item in value)
    return None
