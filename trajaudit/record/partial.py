"""Which part of a faulty scenario can still be checked?"""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.scenario import Scenario
from trajaudit.record.fault import Loc
from trajaudit.record.yaml_nodes import Node

_LISTS = ("tasks", "tools")


def readable_part(root: Node, bad: Iterable[Loc]) -> tuple[Scenario | None, dict[str, list[int]]]:
    """Leave out what has a fault of its own, so that one run of the loader finds every fault.

    Returns:
        The rest as a scenario (None when nothing is left), and for tasks and tools the places in
        the file of those that stayed.
    """
    bad_parts = {tuple(loc[:2]) for loc in bad}
    kept = {name: _kept(root, name, bad_parts) for name in _LISTS}
    fields: dict[str, Any] = {
        str(key): child.plain()
        for key, child in root.children.items()
        if key not in _LISTS and all(part[0] != key for part in bad_parts if part)
    }
    for name, places in kept.items():
        entries = root.children.get(name)
        if entries is not None and places:
            fields[name] = [entries.children[number].plain() for number in places]
    fields.setdefault("trajaudit", 1)
    fields.setdefault("tasks", [{"id": "none", "prompt": "-"}])
    try:
        return Scenario.model_validate(fields), kept
    except ValidationError:
        return None, kept


def _kept(root: Node, name: str, bad: set[tuple[str | int, ...]]) -> list[int]:
    entries = root.children.get(name)
    if entries is None or entries.kind != "list" or (name,) in bad:
        return []
    return [int(number) for number in entries.children if (name, number) not in bad]
