"""The tools that an Inspect agent was offered: each model call lists them all."""

from functools import lru_cache
from typing import Any

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.chat import tools_of
from trajaudit.record.importers.inspect_text import Texts
from trajaudit.record.importers.json_source import loads
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_list

_KEPT = 256


class ToolTable:
    """Collects tools by name; one that is offered again in another form counts as it first was."""

    def __init__(self, texts: Texts, losses: Losses) -> None:
        self._texts = texts
        self._losses = losses
        self._found: dict[str, str] = {}

    def add(self, tools: Any) -> None:
        """Take the list of one model call."""
        for tool in as_list(tools):
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and name not in self._found:
                self._found[name] = self._texts.json(tool)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return them in the order in which they were first offered."""
        specs, lost = _specs(tuple(self._found.values()))
        for example in lost:
            self._losses.dropped("tools", example)
        return specs


@lru_cache(_KEPT)
def _specs(texts: tuple[str, ...]) -> tuple[tuple[ToolSpec, ...], tuple[str, ...]]:
    losses = Losses()
    specs = tools_of([loads(text.encode()) for text in texts], losses)
    return specs, tuple(one.example for one in losses.report() for _ in range(one.count))
