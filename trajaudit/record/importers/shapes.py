"""Reads foreign JSON values without trusting their shape."""

import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any

import orjson

from trajaudit.datamodel.scenario import Task
from trajaudit.record.importers.losses import Losses

NO_PROMPT = "(the log holds no prompt)"
_DEEPEST = 100
"""Levels of a criterion; a stored record can be read back with about twice as many."""
_EXACT = 2**53
"""Up to this a float holds every whole number."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


def as_dict(value: Any) -> dict[str, Any]:
    """Return a mapping as it is, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return a text as it is, nothing for None, and the JSON of anything else."""
    if isinstance(value, str):
        return value
    return "" if value is None else json_text(value)


def as_number(value: Any) -> float | None:
    """Return a finite number, None for anything else; true and false are no numbers."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def as_count(value: Any) -> int:
    """Return a whole number from 0 on; 0 for anything else."""
    if type(value) is int and 0 <= value <= _EXACT:
        return value
    number = None if value is None else as_number(value)
    return int(number) if number is not None and number >= 0 else 0


def json_text(value: Any) -> str:
    """Return the JSON of a value, integers exact and texts readable."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def task_id(*parts: Any) -> str:
    """Return a usable task id of a foreign one; different ones stay different.

    What an id cannot hold becomes `-`; where that, or a cut, changed it, eight digits of its
    SHA-256 are added.
    """
    text = ".".join(as_text(part) for part in parts if part not in (None, ""))
    if _ID.fullmatch(text):
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-.")[:80]
    return f"{safe}-{digest}" if safe and safe[0].isalnum() else f"task-{digest}"


def is_deep(value: Any) -> bool:
    """Return whether a value is nested more deeply than a stored task or tool may be."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True


def make_task(task_id: str, prompt: str, losses: Losses, **fields: Any) -> Task:
    """Return a task; a criterion that cannot be expressed is dropped and counted, never guessed.

    Args:
        task_id: as `task_id()` gives it.
        prompt: what was asked; empty where the log does not hold it.
        losses: told when the target or the accepted paths are not usable.
        fields: further fields of `Task`, as they would be written in YAML.
    """
    given: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    if not prompt:
        losses.guessed("task.prompt", "no prompt in the log")
    base = {"id": task_id, "prompt": prompt or NO_PROMPT}
    for name in ("target", "accept"):
        if name in given and is_deep(given[name]):
            losses.dropped(f"task.{name}", f"more than {_DEEPEST} levels")
            del given[name]
    try:
        return Task.model_validate({**base, **given})
    except ValueError:
        return Task.model_validate({**base, **_expressible(given, base, losses)})


def parameters_of(schema: Any, tool: str, losses: Losses) -> dict[str, Any]:
    """Return the schema of a tool's parameters; any object where there is none that can be kept."""
    if not isinstance(schema, dict):
        return {"type": "object"}
    if is_deep(schema):
        losses.dropped("tools.parameters", f"{tool}: more than {_DEEPEST} levels")
        return {"type": "object"}
    return schema


def _expressible(given: dict[str, Any], base: dict[str, Any], losses: Losses) -> dict[str, Any]:
    """Return the fields without the criteria that no task can have."""
    kept = dict(given)
    for name in ("target", "accept"):
        if name in given:
            try:
                Task.model_validate({**base, name: given[name]})
            except ValueError as error:
                losses.dropped(f"task.{name}", f"{given[name]!r}: {error}"[:200])
                del kept[name]
    return kept


def first(found: Mapping[str, Any], *names: str) -> Any:
    """Return the first of several keys that holds something."""
    for name in names:
        if found.get(name) not in (None, "", [], {}):
            return found[name]
    return None
