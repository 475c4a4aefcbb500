"""Where is a fault of a data file, and how is it said?"""

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from trajaudit.datamodel.target import TARGETS
from trajaudit.errors import ScenarioError
from trajaudit.record.yaml_nodes import Node

Loc = Sequence[str | int]

CALL_FLAGS = frozenset({"id", "optional", "repeat", "extra_arguments"})
_TARGET_KEYS = frozenset(target.key for target in TARGETS)


class Faults:
    """Collects faults; in the end they stand in the order of the file, included files after it."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, int]] = {}
        self._files: dict[str, int] = {}

    def add(self, root: Node, loc: Loc, text: str) -> None:
        """Add a fault of the value at `loc`; parts that are not written down are passed over."""
        file, line, shown = place(root, loc)
        self._add(file, line, f"{file}:{line}: {shown + ': ' if shown else ''}{text}")

    def add_error(self, error: ScenarioError, file: str) -> None:
        """Add the faults that reading `file` ended with."""
        for fault in error.faults:
            self._add(file, 0, fault)

    def _add(self, file: str, line: int, text: str) -> None:
        order = self._files.setdefault(file, len(self._files))
        self._found.setdefault(text, (order, line))

    def __bool__(self) -> bool:
        return bool(self._found)

    def raise_any(self) -> None:
        """Raise a ScenarioError with every fault, if there is one."""
        if self._found:
            raise ScenarioError(sorted(self._found, key=lambda text: self._found[text]))


def place(root: Node, loc: Loc) -> tuple[str, int, str]:
    """Return file, line and the field as it is written, for example `tasks[0].target.number`."""
    node, file, line, shown, before = root, root.file, root.line, "", None
    for number, part in enumerate(loc):
        tag = before == "target" and part in _TARGET_KEYS and not _leads_on(node, loc[number:])
        before = part
        key = None if tag else _written_key(node, part)
        if key is None:
            continue
        file, line = node.place(key)
        node = node.children[key]
        shown += f"[{key}]" if isinstance(key, int) else f".{key}"
    return file, line, shown.removeprefix(".")


def _leads_on(node: Node, loc: Loc) -> bool:
    """Whether a name that may be a mere tag is the field that the rest of a place lies below."""
    inner = node.children.get(loc[0])
    return (
        len(loc) > 1
        and loc[1] not in node.children
        and inner is not None
        and (loc[1] in inner.children)
    )


def _written_key(node: Node, part: str | int) -> str | int | None:
    if part in node.children:
        return part
    if part == "arguments" and node.kind == "map":
        names = [key for key in node.children if key not in CALL_FLAGS]
        return names[0] if len(names) == 1 else None
    return None


def nearest(name: str, known: Iterable[str]) -> str:
    """Return what would be right: the nearest known name, or all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}"
    return f"known: {', '.join(names)}" if names else "there are none"


def described(value: Any) -> str:
    """Return a value as a fault shows it: short, on one line."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case dict():
            return f"a mapping with {', '.join(map(str, list(value)[:8])) or 'no keys'}"[:120]
        case list() | tuple():
            return f"a list of {len(value)}"
        case str():
            return repr(value if len(value) <= 60 else value[:57] + "...")
        case _:
            return str(getattr(value, "source_text", value))[:60]
