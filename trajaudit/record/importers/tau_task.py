"""What tasks of the tau benchmarks ask for: their gold actions as an accepted path, their tools.

The benchmarks compare databases, so that only what is written counts: reading actions are optional,
and their order is free.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.shapes import as_text

_READS = re.compile(
    r"(?:get|find|list|search|check|calculate|think|view|show|look|read|query|can|is|has|verify)"
    r"(?:_|$)|run_speed_test$|transfer_to_human_agents$",
    re.IGNORECASE,
)
"""Names of tools that leave the database as it is; a transfer only ends the conversation."""
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_DOMAIN = re.compile(r"^#\s*(\w+)\s+agent\s+policy", re.IGNORECASE | re.MULTILINE)
GOLD = "gold actions"


@dataclass(frozen=True)
class Action:
    """One action that the benchmark's reference takes."""

    name: str
    arguments: dict[str, Any]
    by_user: bool = False
    compared: tuple[str, ...] | None = None
    """Arguments that are compared; None: all."""


def is_read(tool: str) -> bool:
    """Return whether a tool changes nothing, by its name."""
    return _READS.match(tool) is not None


def domain_of(policy: str) -> str:
    """Return the domain that a policy names in its heading; empty where there is none."""
    found = _DOMAIN.search(policy[:2000])
    return found[1].lower() if found else ""


def state_path(actions: Iterable[Action]) -> dict[str, Any]:
    """Return the path whose writes leave the reference's database; reads may be left out."""
    calls = [
        {
            "tool": action.name,
            "arguments": {name: {"exact": value} for name, value in action.arguments.items()},
            "optional": is_read(action.name),
        }
        for action in actions
        if not action.by_user
    ]
    return {"paths": [{"name": GOLD, "calls": calls}], "extra_calls": "read_only"}


def action_path(actions: Iterable[Action]) -> dict[str, Any]:
    """Return the path that takes every reference action, whatever else is done."""
    calls = [
        {
            "tool": action.name,
            "arguments": {
                name: {"exact": value}
                for name, value in action.arguments.items()
                if action.compared is None or name in action.compared
            },
            "extra_arguments": action.compared is not None,
        }
        for action in actions
    ]
    return {"paths": [{"name": GOLD, "calls": calls}], "extra_calls": "any"}


def tools_named(names: Iterable[str]) -> tuple[ToolSpec, ...]:
    """Return tools of which only the names are known, and from them whether they write."""
    return tuple(
        ToolSpec(
            name=name, parameters={"type": "object"}, effect="read" if is_read(name) else "write"
        )
        for name in sorted(set(names))
        if _NAME.fullmatch(name)
    )


def texts(values: Iterable[Any]) -> list[str]:
    """Return what is to be told to the user, without empty and doubled texts."""
    found = (as_text(value).strip() for value in values)
    return list(dict.fromkeys(text for text in found if text))
