"""What does a scenario look like once its `{file: ...}` parts stand in their places?"""

import posixpath
from collections.abc import Callable
from typing import TypeVar

from trajaudit.errors import ScenarioError
from trajaudit.record.fault import Faults, Loc, described
from trajaudit.record.project_files import ForeignPathError, ProjectFiles
from trajaudit.record.sandbox_tools import SANDBOX_TOOLS
from trajaudit.record.yaml_nodes import Node, tree

T = TypeVar("T")

_PLACEHOLDER = "-"
"""Stands for a text that could not be read, so that the rest can still be checked."""


class Includes:
    """Replaces includes in a tree of nodes; faults go to `faults`, and the part is left out."""

    def __init__(self, root: Node, files: ProjectFiles, faults: Faults) -> None:
        self._root = root
        self._files = files
        self._faults = faults
        self.tools_complete = True
        """False when a file of tools could not be read: names of tools cannot be checked then."""

    def resolve(self) -> None:
        """Resolve every include of a scenario."""
        self._value(self._root, "world", ())
        self._agent()
        self._tolerances()
        self._tools()
        tasks = self._root.children.get("tasks")
        for index, task in (tasks.children if tasks else {}).items():
            if task.kind == "map":
                loc = ("tasks", index)
                self._value(task, "world", loc)
                self._text(task, "prompt", loc)
                self._actions(task, "golden", loc)

    def _value(self, parent: Node, key: str, loc: Loc) -> None:
        name = _file_of(parent.children.get(key))
        if name is not None:
            value = self._try(lambda: self._files.value(name), name, [*loc, key])
            parent.children[key] = value or Node(*parent.place(key))

    def _text(self, parent: Node, key: str, loc: Loc) -> None:
        name = _file_of(parent.children.get(key))
        if name is None:
            return
        text = self._try(lambda: self._files.text(name), name, [*loc, key])
        parent.children[key] = Node(
            *parent.place(key), value=_PLACEHOLDER if text is None else text
        )

    def _actions(self, parent: Node, key: str | int, loc: Loc) -> None:
        """Replace the name of a JSONL file, bare or as `{file: ...}`, by its actions."""
        child = parent.children.get(key)
        name = child.value if child and isinstance(child.value, str) else _file_of(child)
        if name is None:
            return
        actions = self._load(name, [*loc, key])
        if actions is None:
            del parent.children[key]
        else:
            parent.children[key] = actions

    def _agent(self) -> None:
        agent = self._root.children.get("agent")
        name = _file_of(agent)
        base = ""
        if name is not None:
            agent = self._load(name, ["agent"])
            if agent is None:
                del self._root.children["agent"]
                return
            self._root.children["agent"] = agent
            base = posixpath.dirname(name)
        if agent is not None and agent.kind == "map":
            self.agent(agent, base, ("agent",))

    def agent(self, agent: Node, base: str, loc: Loc) -> None:
        """Resolve the includes inside an agent that was read from a file in `base`."""
        _rebase_files(agent, base)
        self._text(agent, "system", loc)
        tasks = agent.children.get("tasks")
        for task_id in list(tasks.children) if tasks and tasks.kind == "map" else []:
            self._actions(tasks, task_id, [*loc, "tasks"])  # type: ignore[arg-type] # not None where there are ids

    def _tolerances(self) -> None:
        child = self._root.children.get("tolerances")
        named = child.value if child and isinstance(child.value, str) else _file_of(child)
        if named not in {None, "default"}:
            loaded = self._load(str(named), ["tolerances"])
            self._root.children["tolerances"] = loaded or Node(self._root.file, 1, "map")

    def _tools(self) -> None:
        tools = self._root.children.get("tools")
        if tools is None or tools.kind != "list":
            return
        found: list[Node] = []
        for index, item in tools.children.items():
            found += self._tool_item(item, ["tools", index])
        tools.children = dict(enumerate(found))

    def _tool_item(self, item: Node, loc: Loc) -> list[Node]:
        name = _file_of(item)
        if name is not None:
            loaded = self._load(name, loc)
            if loaded is None:
                self.tools_complete = False
                return []
            many = list(loaded.children.values()) if loaded.kind == "list" else [loaded]
            for tool in many:
                _rebase_mock(tool, posixpath.dirname(name))
            return many
        if item.kind == "map" and set(item.children) == {"sandbox"}:
            return self._sandbox_tools(item, loc)
        return [item]

    def _sandbox_tools(self, item: Node, loc: Loc) -> list[Node]:
        child = item.children["sandbox"]
        found: list[Node] = []
        for key, entry in (child.children if child.kind == "list" else {0: child}).items():
            if isinstance(entry.value, str) and entry.value in SANDBOX_TOOLS:
                found.append(tree(SANDBOX_TOOLS[entry.value], entry.file, entry.line))
            else:
                place = [*loc, "sandbox", key] if child.kind == "list" else [*loc, "sandbox"]
                got = described(entry.plain())
                text = f"unknown sandbox tool; got {got}; use {', '.join(SANDBOX_TOOLS)}"
                self._faults.add(self._root, place, text)
                self.tools_complete = False
        return found

    def _load(self, name: str, loc: Loc) -> Node | None:
        return self._try(lambda: self._files.node(name), name, loc)

    def _try(self, read: Callable[[], T], name: str, loc: Loc) -> T | None:
        """Read a file that is named at `loc`; a fault, and None, when that fails."""
        try:
            if self._files.path(name).exists():
                return read()
            text = f"there is no such file; got {name!r}; name one beside the file that names it"
            self._faults.add(self._root, loc, text)
        except ForeignPathError as error:
            self._faults.add(self._root, loc, str(error))
        except ScenarioError as error:
            self._faults.add_error(error, self._files.display(name))
        return None


def _file_of(node: Node | None) -> str | None:
    """Return the name in `{file: name}`."""
    if node is not None and node.kind == "map" and set(node.children) == {"file"}:
        return node.text("file")
    return None


def _rebase_mock(tool: Node, base: str) -> None:
    """Make the files of a tool's mock relative to the scenario's folder."""
    mock = tool.children.get("mock")
    if mock is not None:
        for key in ("python", "cassette"):
            _rebase(mock, key, base)


def _rebase_files(agent: Node, base: str) -> None:
    """Make the files that an agent names relative to the scenario's folder."""
    system = agent.children.get("system")
    if system is not None:
        _rebase(system, "file", base)
    tasks = agent.children.get("tasks")
    for task_id, actions in tasks.children.items() if tasks is not None else ():
        if tasks is not None and isinstance(actions.value, str):
            _rebase(tasks, task_id, base)
        _rebase(actions, "file", base)


def _rebase(parent: Node, key: str | int, base: str) -> None:
    child = parent.children.get(key)
    if child is not None and isinstance(child.value, str) and base:
        name = posixpath.normpath(posixpath.join(base, child.value))
        parent.children[key] = Node(child.file, child.line, value=name)
