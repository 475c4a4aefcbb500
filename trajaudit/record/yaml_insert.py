"""Where in the text of a scenario does one more accepted path go, with the rest left as it is?"""

import json
import re
from collections.abc import Iterator

import yaml
from pydantic import JsonValue
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:[. ][A-Za-z0-9][A-Za-z0-9_-]*)*")
_NOT_TEXT = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Plain words that some reader of YAML takes for something else."""


class NoCleanPlaceError(ValueError):
    """The file's form leaves no place where only a few lines are added; the text says why."""


def path_text(path: dict[str, JsonValue]) -> str:
    """Write an accepted path as an entry of a block list, without indentation."""
    lines = [f"- name: {_flow(path['name'])}"]
    for key, value in path.items():
        if key == "calls" and isinstance(value, list):
            lines.append("  calls:")
            lines += [f"    - {_call(call)}" for call in value]
        elif key != "name":
            lines.append(f"  {key}: {_flow(value)}")
    return "\n".join(lines) + "\n"


def insert_path(text: str, task_id: str, entry: str) -> str:
    """Return the text with an entry added at the end of a task's `accept.paths`.

    Raises:
        NoCleanPlaceError: it is written in a form in which nothing can simply be added.
    """
    paths = _paths(text, task_id)
    at = _end(text, paths.value[-1])
    newline = "\r\n" if "\r\n" in text else "\n"
    margin = " " * paths.start_mark.column
    lines = "".join(f"{margin}{line}{newline}" for line in entry.splitlines())
    gap = "" if at == 0 or text[at - 1] == "\n" else newline
    return text[:at] + gap + lines + text[at:]


def _paths(text: str, task_id: str) -> SequenceNode:
    """Return the block list of a task's accepted paths, which nothing else shares."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    tasks = _below(root, "tasks", "the file")
    task = _task(tasks, task_id)
    accept = _below(task, "accept", f"task {task_id!r}")
    paths = _below(accept, "paths", f"the accept of task {task_id!r}")
    shared = _shared(root)
    if any(id(node) in shared for node in (tasks, task, accept, paths)):
        raise NoCleanPlaceError("it stands behind an anchor that is used elsewhere too")
    if not isinstance(paths, SequenceNode) or paths.flow_style or not paths.value:
        raise NoCleanPlaceError("its paths are written in brackets, not as a list of lines")
    return paths


def _below(node: yaml.Node | None, key: str, where: str) -> yaml.Node:
    for name, value in node.value if isinstance(node, MappingNode) else ():
        if name.value == key:
            return value  # type: ignore[no-any-return] # the stubs leave nodes untyped
    raise NoCleanPlaceError(f"{where} has no {key} of its own")


def _task(tasks: yaml.Node, task_id: str) -> yaml.Node:
    for task in tasks.value if isinstance(tasks, SequenceNode) else ():
        for name, value in task.value if isinstance(task, MappingNode) else ():
            if name.value == "id" and value.value == task_id:
                return task  # type: ignore[no-any-return] # the stubs leave nodes untyped
    raise NoCleanPlaceError(f"task {task_id!r} is not written out in the file")


def _shared(root: yaml.Node | None) -> set[int]:
    """Return the nodes that aliases make stand in several places."""
    seen: set[int] = set()
    shared: set[int] = set()
    left = [root]
    while left:
        node = left.pop()
        if node is None or isinstance(node, ScalarNode):
            continue
        if id(node) in seen:
            shared.add(id(node))
            continue
        seen.add(id(node))
        left += _children(node)
    return shared


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, MappingNode):
        return [child for pair in node.value for child in pair]
    return list(node.value) if isinstance(node, SequenceNode) else []


def _end(text: str, entry: yaml.Node) -> int:
    """Return where the line after an entry begins; comments behind its last line belong to it."""
    end = max(_ends(entry))
    start = text.rfind("\n", 0, end) + 1
    if not text[start:end].strip():
        # A block of text ends where the next line has begun.
        return start
    after = text.find("\n", end)
    return len(text) if after < 0 else after + 1


def _ends(node: yaml.Node) -> Iterator[int]:
    """Yield where the pieces of a block end; its own mark is only at what comes after it."""
    children = _children(node)
    if not children or getattr(node, "flow_style", False):
        yield node.end_mark.index
        return
    for child in children:
        yield from _ends(child)


def _call(call: JsonValue) -> str:
    """Write an expected call in the shortest form."""
    if not isinstance(call, dict) or len(call) > 1:
        return _flow(call)
    ((tool, arguments),) = call.items()
    return f"{_scalar(tool)}: {_flow(arguments)}" if arguments else _scalar(tool)


def _flow(value: JsonValue) -> str:
    """Write a value on one line: as JSON, words without quotes."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value) if isinstance(value, str) else json.dumps(value)


def _scalar(text: str) -> str:
    if _WORD.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    # As YAML escapes: JSON would make two of a sign that lies beyond four digits.
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in quoted)
