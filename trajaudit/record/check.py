"""What every cross-check of a scenario gets, and where its findings go."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from trajaudit.datamodel.scenario import Scenario
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.fault import Faults, Loc, nearest
from trajaudit.record.project_files import ProjectFiles
from trajaudit.record.yaml_nodes import Node

Found = tuple[tuple[str | int, ...], str]
"""Where a fault is, and what it says."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """A scenario that is valid field by field, with the file that it came from."""

    scenario: Scenario
    root: Node
    faults: Faults
    files: ProjectFiles
    kept: Mapping[str, list[int]] = field(default_factory=dict)
    """Of `tasks` and `tools`: the places in the file of those that could be read."""
    tools_complete: bool = True

    @property
    def tools(self) -> dict[str, ToolSpec | None]:
        """Tools by name, also those that could only be read in part."""
        named: dict[str, ToolSpec | None] = dict.fromkeys(self.names("tools", "name"))
        return {**named, **{tool.name: tool for tool in self.scenario.tools}}

    def names(self, of: str, key: str) -> list[str]:
        """Return the names of the tasks or tools as they are written."""
        entries = self.root.children.get(of)
        found = [entry.text(key) for entry in entries.children.values()] if entries else []
        return [name for name in found if name is not None]

    def add(self, loc: Loc, text: str) -> None:
        """Add a fault at a place in the scenario."""
        if len(loc) > 1 and loc[0] in self.kept and isinstance(loc[1], int):
            loc = [loc[0], self.kept[str(loc[0])][loc[1]], *loc[2:]]
        self.faults.add(self.root, loc, text)

    def tool_fault(self, name: str) -> str | None:
        """Return what is wrong with a tool's name, or None when there is such a tool."""
        tools = self.tools
        if name in tools or not self.tools_complete:
            return None
        return f"unknown tool; got {name!r}; {nearest(name, tools)}"


def under(prefix: Loc, found: Iterable[Found]) -> Iterator[Found]:
    """Yield faults with their places below `prefix`."""
    for loc, text in found:
        yield (*prefix, *loc), text


def regex_fault(pattern: str) -> str | None:
    """Return what is wrong with a regular expression, or None."""
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"no regular expression; got {pattern[:60]!r}; {error}"
    return None


def argument_faults(tool: ToolSpec | None, names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (argument, fault) for names that the tool's schema does not list."""
    known = _arguments(tool)
    if known is None:
        return
    for name in names:
        if name not in known:
            yield name, f"unknown argument; got {name!r}; {nearest(name, known)}"


def _arguments(tool: ToolSpec | None) -> set[str] | None:
    """Return the arguments of a tool, or None where the schema leaves them open."""
    if tool is None or tool.parameters.get("additionalProperties", False) is not False:
        return None
    properties = tool.parameters.get("properties")
    composed = tool.parameters.keys() & {"$ref", "allOf", "anyOf", "oneOf", "patternProperties"}
    return set(properties) if isinstance(properties, dict) and not composed else None


def exactly_one(record: Any, kinds: tuple[str, ...]) -> str | None:
    """Return a fault unless exactly one of the fields `kinds` was written."""
    written = [
        kind
        for kind in kinds
        if kind in record.model_fields_set or f"{kind}_" in record.model_fields_set
    ]
    if len(written) == 1:
        return None
    got = ", ".join(written) or "none of them"
    return f"exactly one of {', '.join(kinds)} is wanted; got {got}"
