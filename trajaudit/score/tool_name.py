"""Which tool does a name mean? Never the nearest spelling: only another style of the same name."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trajaudit.datamodel.tool import ToolSpec

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PREFIX = re.compile(r"[./:]|__")
_KEPT = 100
"""Characters up to which a name's words are kept: what a name is, other than hostile text."""
_NEAR = 0.6
"""difflib ratio from which a known name is worth showing beside an unknown one."""


@dataclass(frozen=True)
class NamedTool:
    """What a name was resolved to; `rung` names the tolerance, None for an exact name."""

    name: str | None
    rung: str | None = None
    nearest: str | None = None
    """Known name that resembles an unknown one: for the reader, never for the verdict."""


def words_of(name: str) -> str:
    """Fold case and separators: `getWeather`, `Get Weather` and `get-weather` are one name."""
    return _kept_words(name) if len(name) <= _KEPT else _words(name)


def _words(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).strip(" \t\r\n_")
    return re.sub(r"[\s_.-]+", "_", _CAMEL.sub("_", plain)).casefold()


_kept_words = lru_cache(maxsize=4096)(_words)


def same_name(one: str, other: str) -> bool:
    """Whether two names differ in case and separators only; digits keep their separators."""
    first, second = words_of(one), words_of(other)
    if first == second or re.search(r"\d", first + second):
        return first == second
    return first.replace("_", "") == second.replace("_", "")


def resolve_tool(name: str, tools: Sequence[ToolSpec]) -> NamedTool:
    """Find the tool that `name` means: exact, alias, style or prefix, and only if one fits."""
    names = [tool.name for tool in tools]
    if name in names:
        return NamedTool(name)
    aliased = [tool.name for tool in tools if name in tool.aliases.names]
    if len(aliased) == 1:
        return NamedTool(aliased[0], "tool_alias")
    if (styled := _same_words(name, tools)) is not None:
        return NamedTool(styled, "tool_name_style")
    tail = _PREFIX.split(name)[-1]
    if tail != name and tail in names and names.count(tail) == 1:
        return NamedTool(tail, "tool_name_prefix")
    if tail != name and (styled := _same_words(tail, tools)) is not None:
        return NamedTool(styled, "tool_name_prefix")
    return NamedTool(None, nearest=nearest_name(name, names))


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that resembles `name` most, if any does."""
    by_words = {words_of(other): other for other in known}
    close = difflib.get_close_matches(words_of(name)[:100], sorted(by_words), n=1, cutoff=_NEAR)
    return by_words[close[0]] if close else None


def _same_words(name: str, tools: Sequence[ToolSpec]) -> str | None:
    if not words_of(name):
        return None
    found = {
        tool.name
        for tool in tools
        if any(same_name(name, known) for known in (tool.name, *tool.aliases.names))
    }
    return found.pop() if len(found) == 1 else None
