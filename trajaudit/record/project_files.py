"""Which files may a scenario name, and what do they hold?"""

import hashlib
import json
import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from trajaudit.errors import ScenarioError
from trajaudit.record.yaml_nodes import MAX_DEPTH, Node, WrittenFloat, tree
from trajaudit.record.yaml_source import MAX_BYTES, decode, parse_yaml, read_limited

MAX_FILE_BYTES = 100_000_000


class ForeignPathError(ValueError):
    """A name leads out of the project."""


@dataclass(frozen=True)
class ProjectFiles:
    """Reads what lies inside the project; names are relative to the scenario's folder."""

    folder: Path
    """The scenario's folder, resolved."""
    project: Path
    """Nothing outside of it is read."""
    shown: str
    """The folder as it was typed, for faults."""
    sha256: dict[str, str] = field(default_factory=dict)
    """Of every file that was read."""

    def path(self, name: str) -> Path:
        """Return the place of a file; ForeignPathError when it is outside of the project."""
        if posixpath.isabs(name) or "\\" in name or "\0" in name or not name:
            raise ForeignPathError(f"no usable path; got {name!r}; write it relative to this file")
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.project):
            raise ForeignPathError(f"leads out of the project; got {name!r}; keep it inside")
        return path

    def display(self, name: str) -> str:
        """Return a file's path as faults show it."""
        return posixpath.normpath(posixpath.join(self.shown, name))

    def read(self, name: str, *, max_bytes: int = MAX_FILE_BYTES) -> bytes:
        """Return a file's bytes and remember its hash.

        Raises:
            ForeignPathError: it is outside of the project.
            ScenarioError: it is missing, no regular file, or too large.
        """
        content = read_limited(self.path(name), self.display(name), max_bytes=max_bytes)
        self.sha256[name] = hashlib.sha256(content).hexdigest()
        return content

    def text(self, name: str) -> str:
        """Return a text file's content; errors as for `read`."""
        return decode(self.read(name), self.display(name))

    def node(self, name: str) -> Node:
        """Return what a .yaml, .json or .jsonl file holds; errors as for `read`."""
        shown = self.display(name)
        if name.endswith(".jsonl"):
            return _json_lines(self.text(name), shown)
        if name.endswith(".json"):
            return tree(self.value(name).value, shown, 1)
        return parse_yaml(decode(self.read(name, max_bytes=MAX_BYTES), shown), shown)

    def value(self, name: str) -> Node:
        """Return what a .json or .yaml file holds, as one value where no places are needed."""
        if name.endswith(".json"):
            return parse_json(self.text(name), self.display(name))
        return self.node(name)


def _json_lines(text: str, shown: str) -> Node:
    root = Node(shown, 1, "list")
    faults: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = parse_json(line, shown, number).value
            root.children[len(root.children)] = tree(value, shown, number)
        except ScenarioError as error:
            faults += error.faults
    if faults:
        raise ScenarioError(faults)
    return root


def parse_json(text: str, shown: str, line: int = 1) -> Node:
    """Return a JSON text as one value; ScenarioError with its line when it is no JSON."""
    refuse = _refuser(shown, line)
    try:
        value = json.loads(
            text,
            parse_constant=lambda name: refuse(f"no finite number; got {name}"),
            parse_float=lambda digits: _finite(digits, refuse),
            object_pairs_hook=lambda pairs: _unique(pairs, refuse),
        )
    except json.JSONDecodeError as error:
        at = line + error.lineno - 1
        raise ScenarioError([f"{shown}:{at}: broken JSON; {error.msg.lower()}"]) from None
    except (RecursionError, ValueError) as error:
        refuse(f"broken JSON; {'nested too deep' if isinstance(error, RecursionError) else error}")
    if _depth(value) > MAX_DEPTH:
        refuse(f"nested too deep; at most {MAX_DEPTH} levels are read")
    return Node(shown, line, value=value)


def _refuser(shown: str, line: int) -> Callable[[str], NoReturn]:
    def refuse(text: str) -> NoReturn:
        raise ScenarioError([f"{shown}:{line}: {text}"])

    return refuse


def _finite(digits: str, refuse: Callable[[str], NoReturn]) -> float:
    number = WrittenFloat(digits)
    if number in {float("inf"), float("-inf")}:
        refuse(f"no finite number; got {digits[:40]}")
    return number


def _unique(pairs: list[tuple[str, Any]], refuse: Callable[[str], NoReturn]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [key for key, _ in pairs]
        refuse(f"{next(key for key in names if names.count(key) > 1)}: the key is written twice")
    return fields


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            item
            for parent in level
            if isinstance(parent, (dict, list))
            for item in (parent.values() if isinstance(parent, dict) else parent)
        ]
    return depth
