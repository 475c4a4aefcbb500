"""The tools of a task, with what is asked of them for every call worked out once."""

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from pydantic import JsonValue

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.arguments_reading import ArgumentsReading
from trajaudit.score.identity import Same
from trajaudit.score.plain_schema import Check, plain_check
from trajaudit.score.recent import Recent
from trajaudit.score.strict_json import parse_strictly
from trajaudit.score.tool_name import NamedTool, resolve_tool

_KEPT = 1000
"""Characters up to which the text of arguments, or a name, is kept with what it means."""


class ToolRegistry:
    """Tools by name; remembers a limited number of short names and texts with their meaning.

    The same call is read by many scorers, in every prefix of a trajectory and in most trials.
    """

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self.tools = tuple(tools)
        self._by_name = {tool.name: tool for tool in reversed(self.tools)}
        self._effects = {tool.name: tool.effect for tool in self.tools}
        self._exact = {name: NamedTool(name) for name in self._by_name}
        self._checks: dict[str | None, Check | None] = {}
        self._named = lru_cache(maxsize=512)(self._resolve)
        self._read = lru_cache(maxsize=512)(self._arguments)

    def spec(self, name: str | None) -> ToolSpec | None:
        """Return the tool of exactly that name."""
        return self._by_name.get(name or "")

    def effect(self, name: str | None) -> str:
        """Return what a tool does: read, or write where nothing is known."""
        return self._effects.get(name or "", "write")

    def resolve(self, name: str, off: frozenset[str]) -> NamedTool:
        """Find the tool that a name means, within the tolerances that apply."""
        exact = self._exact.get(name)
        if exact is not None:
            return exact
        return self._named(name, off) if len(name) <= _KEPT else self._resolve(name, off)

    def arguments(
        self, name: str | None, text: str, given: JsonValue, off: frozenset[str]
    ) -> ArgumentsReading:
        """Read the arguments of a call; `given` counts only where there is no text."""
        if len(text) > _KEPT or not text.strip() or text.strip() == "null":
            return ArgumentsReading(text, given, self.spec(name), off)
        return self._read(name, text, off)

    def fits_plainly(self, name: str | None, text: str) -> bool:
        """Whether a text is JSON and plainly valid under the schema of a tool; no means: perhaps.

        Most calls fit, and most schemas are plain, so that nothing else needs to be known of them.
        """
        if name not in self._checks:
            self._checks[name] = self._plain_check(name)
        check = self._checks[name]
        if check is None or not text:
            return False
        try:
            value = parse_strictly(text)
        except ValueError:
            return False
        # Arguments are an object, whatever a schema says beside.
        return isinstance(value, dict) and check(value)

    def _plain_check(self, name: str | None) -> Check | None:
        tool = self.spec(name)
        return None if tool is None else plain_check(tool.parameters)

    def _resolve(self, name: str, off: frozenset[str]) -> NamedTool:
        named = resolve_tool(name, self.tools)
        return NamedTool(None, nearest=named.name) if named.rung in off else named

    def _arguments(self, name: str | None, text: str, off: frozenset[str]) -> ArgumentsReading:
        return ArgumentsReading(text, None, self.spec(name), off)


def registry_of(tools: Sequence[ToolSpec]) -> ToolRegistry:
    """Return the registry of these tools: the same one for the same tools."""
    return _of_tools(tuple(tools))


@Recent
def _of_tools(tools: tuple[ToolSpec, ...]) -> ToolRegistry:
    return _registry(Same(*tools))


@lru_cache(maxsize=32)
def _registry(same: Same) -> ToolRegistry:
    return ToolRegistry(cast("tuple[ToolSpec, ...]", same.things))
