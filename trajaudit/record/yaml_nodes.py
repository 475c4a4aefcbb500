"""How do parse events of YAML become values that know their place?"""

import math
import re
from dataclasses import dataclass, field
from typing import Any, NoReturn, Self

import yaml

from trajaudit.errors import ScenarioError

MAX_DEPTH = 60
MAX_NODES = 300_000
"""Values of one file, aliases counted each time they are used."""
MAX_INT_DIGITS = 1000

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_FLOAT = re.compile(
    r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?|" + _NOT_FINITE.pattern
)
_NULLS = ("", "~", "null", "Null", "NULL")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(_NULLS),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_TAG = "tag:yaml.org,2002:"


class WrittenFloat(float):
    """A float that remembers its digits: `42.50` is 42.5 with `source_text` "42.50"."""

    source_text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.source_text = text
        return number


@dataclass(slots=True)
class Node:
    """A value with its place; `children` are keyed by name or index."""

    file: str
    line: int
    kind: str = "scalar"
    """scalar (also: a whole JSON value), map or list."""
    value: Any = None
    children: dict[str | int, "Node"] = field(default_factory=dict)
    key_lines: dict[str, int] = field(default_factory=dict)
    size: int = 1
    height: int = 0

    def plain(self) -> Any:
        """Return the value as JSON types."""
        if self.kind == "map":
            return {key: child.plain() for key, child in self.children.items()}
        if self.kind == "list":
            return [child.plain() for child in self.children.values()]
        return self.value

    def text(self, key: str) -> str | None:
        """Return the text under `key`, or None when it is missing or no text."""
        child = self.children.get(key)
        return child.value if child and isinstance(child.value, str) else None

    def place(self, key: str | int) -> tuple[str, int]:
        """Return file and line where the child `key` is written."""
        child = self.children.get(key)
        if child is None or (child.file == self.file and key in self.key_lines):
            return self.file, self.key_lines.get(str(key), self.line)
        return child.file, child.line


def tree(value: Any, file: str, line: int) -> Node:
    """Return a JSON value as nodes that all stand on one line."""
    node = Node(file, line, value=value)
    if isinstance(value, dict):
        node = Node(file, line, "map", key_lines=dict.fromkeys(value, line))
        node.children = {key: tree(item, file, line) for key, item in value.items()}
    elif isinstance(value, list):
        node = Node(file, line, "list")
        node.children = {index: tree(item, file, line) for index, item in enumerate(value)}
    return node


@dataclass(slots=True)
class _Frame:
    node: Node
    anchor: str | None
    key: str | None = None
    key_line: int = 0
    merges: list[Node] = field(default_factory=list)


class NodeBuilder:
    """Builds nodes from events with a stack of its own; `faults` collects what can be passed over.

    Raises:
        ScenarioError: from `take`, for whatever makes reading on pointless.
    """

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.faults: list[str] = []
        self.root: Node | None = None
        self._stack: list[_Frame] = []
        self._anchors: dict[str, Node | None] = {}
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        """Take the next event of the parser."""
        line = event.start_mark.line + 1 if event.start_mark else 1
        match event:
            case yaml.ScalarEvent():
                self._scalar(event, line)
            case yaml.AliasEvent():
                self._add(self._alias(event.anchor or "", line), line)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._open(event, line)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._close(line)
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    self._stop(line, "more than one document; a file holds one")
            case _:
                pass

    def _fault(self, line: int, text: str) -> None:
        self.faults.append(f"{self.shown}:{line}: {text}")

    def _stop(self, line: int, text: str) -> NoReturn:
        self._fault(line, text)
        raise ScenarioError(self.faults)

    def _open(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent, line: int) -> None:
        kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
        if event.tag not in {None, "!", _TAG + ("map" if kind == "map" else "seq")}:
            self._fault(line, f"a tag is not allowed; got {event.tag!r}; write plain YAML")
        if len(self._stack) >= MAX_DEPTH:
            self._stop(line, f"nested too deep; at most {MAX_DEPTH} levels are read")
        if self._awaits_key():
            self._stop(line, f"a key must be text; got a {kind}; write the key as plain text")
        if event.anchor:
            self._anchors[event.anchor] = None
        self._stack.append(_Frame(Node(self.shown, line, kind), event.anchor))

    def _close(self, line: int) -> None:
        frame = self._stack.pop()
        for merged in frame.merges:
            for key, child in merged.children.items():
                if key not in frame.node.children:
                    _attach(frame.node, key, child)
        if frame.anchor:
            self._anchors[frame.anchor] = frame.node
        self._add(frame.node, line)

    def _awaits_key(self) -> bool:
        return bool(
            self._stack and self._stack[-1].node.kind == "map" and self._stack[-1].key is None
        )

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        if self._awaits_key():
            self._take_key(event, line)
            return
        node = Node(self.shown, line, value=self._value(event, line))
        if event.anchor:
            self._anchors[event.anchor] = node
        self._add(node, line)

    def _take_key(self, event: yaml.ScalarEvent, line: int) -> None:
        frame = self._stack[-1]
        key = event.value
        if event.anchor:
            self._anchors[event.anchor] = Node(self.shown, line, value=key)
        if key in frame.node.children:
            before = frame.node.key_lines[key]
            self._fault(line, f"{key}: the key is written twice; the first is on line {before}")
        if key in _NULLS and event.implicit[0]:
            self._fault(line, f"a key must be text; got {key!r}; write the key as plain text")
        frame.key, frame.key_line = key, line
        if not (key == "<<" and event.implicit[0]):
            frame.node.key_lines[key] = line

    def _alias(self, anchor: str, line: int) -> Node:
        if anchor not in self._anchors:
            self._stop(
                line, f"an alias without its anchor; got *{anchor}; write &{anchor} before it"
            )
        node = self._anchors[anchor]
        if node is None:
            self._stop(line, f"a cyclic alias; *{anchor} stands inside what it names")
        if self._awaits_key():
            self._stop(line, f"a key must be text; got the alias *{anchor}; write the key out")
        if len(self._stack) + node.height > MAX_DEPTH:
            self._stop(line, f"nested too deep; at most {MAX_DEPTH} levels are read")
        return node

    def _add(self, node: Node, line: int) -> None:
        if not self._stack:
            self.root = node
            return
        frame = self._stack[-1]
        if frame.node.kind == "list":
            _attach(frame.node, len(frame.node.children), node)
        elif frame.key == "<<" and "<<" not in frame.node.key_lines:
            self._merge(frame, node, line)
        elif frame.key is not None:
            _attach(frame.node, frame.key, node)
        frame.key = None
        if frame.node.size > MAX_NODES:
            self._stop(line, f"too many values, aliases counted; at most {MAX_NODES} are read")

    def _merge(self, frame: _Frame, node: Node, line: int) -> None:
        sources = [node] if node.kind == "map" else list(node.children.values())
        if any(source.kind != "map" for source in sources) or node.kind == "scalar":
            self._fault(line, "<<: merges no mapping; got something else; name one with an alias")
            return
        frame.merges += sources

    def _value(self, event: yaml.ScalarEvent, line: int) -> Any:
        tag = event.tag
        if tag not in {
            None,
            "!",
            *(_TAG + name for name in ("str", "int", "float", "bool", "null")),
        }:
            self._fault(line, f"a tag is not allowed; got {tag!r}; write plain YAML")
            return None
        if tag in {"!", _TAG + "str"} or (tag is None and not event.implicit[0]):
            return event.value
        value = self._plain(event.value, line)
        if tag is not None and not _fits(tag, value):
            self._fault(line, f"the value is not what its tag says; got {event.value!r} as {tag!r}")
        return value

    def _plain(self, text: str, line: int) -> Any:
        if text in _WORDS:
            return _WORDS[text]
        if _INT.fullmatch(text):
            if len(text) > MAX_INT_DIGITS:
                self._fault(
                    line, f"a number has too many digits; at most {MAX_INT_DIGITS} are read"
                )
                return 0
            return int(text)
        if not _FLOAT.fullmatch(text):
            return text
        if _NOT_FINITE.fullmatch(text) or not math.isfinite(float(text)):
            self._fault(line, f"no finite number; got {text!r}; put it in quotes if text is meant")
            return 0
        return WrittenFloat(text)


def _attach(parent: Node, key: str | int, child: Node) -> None:
    parent.children[key] = child
    parent.size += child.size
    parent.height = max(parent.height, child.height + 1)


def _fits(tag: str, value: Any) -> bool:
    kinds: dict[str, type | tuple[type, ...]] = {
        "int": int,
        "float": (int, float),
        "bool": bool,
        "null": type(None),
    }
    wanted = kinds[tag.removeprefix(_TAG)]
    return isinstance(value, wanted) and (tag == _TAG + "bool") == isinstance(value, bool)
