"""What a task of the Berkeley Function-Calling Leaderboard accepts, and which tools it offers."""

import math
import re
from itertools import combinations, product
from typing import Any

from pydantic import ValidationError

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.record.importers.losses import Losses
from trajaudit.record.importers.shapes import as_dict, as_list, as_text, parameters_of

GOLD = "possible answer"
NO_CALL = "no call"
LEFT_OUT = ""
"""Among the accepted values it says that the argument may be left out."""
_MOST = 200
_MOST_OPTIONAL = 6
"""More of them are either all given or all left out."""
_FORMULA = re.compile(r"[\w)]\s*(?:\*\*|[-+*/^])\s*[\w(]")
_TYPES = {
    "dict": "object",
    "float": "number",
    "double": "number",
    "long": "integer",
    "tuple": "array",
    "list": "array",
    "bool": "boolean",
    "char": "string",
    "any": None,
}


def no_call() -> dict[str, Any]:
    """Return what a task accepts to which none of the tools fits."""
    return {"paths": [{"name": NO_CALL, "calls": []}], "extra_calls": "none"}


def accepted(gold: list[Any]) -> dict[str, Any] | None:
    """Return the accepted paths; None where the gold is no list of calls with accepted values.

    An argument that may be left out makes two paths, one with it and one without.
    """
    if not gold or not all(isinstance(call, dict) and call for call in gold):
        return None
    named = [(as_text(n), as_dict(given)) for call in gold for n, given in call.items()]
    options = [_calls(name, arguments) for name, arguments in named]
    if math.prod(map(len, options)) > _MOST:
        options = [[each[0], each[-1]] if len(each) > 1 else each for each in options]
    paths = [
        {"name": f"{GOLD} {number}", "calls": list(calls)}
        for number, calls in enumerate(_products(options), start=1)
    ]
    return {"paths": paths, "extra_calls": "none"}


def _calls(tool: str, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a call in each form that it may have, the one with all arguments first."""
    may_lack = [name for name, values in arguments.items() if LEFT_OUT in as_list(values)]
    left_out = [
        set(chosen)
        for size in range(len(may_lack) + 1)
        for chosen in combinations(may_lack, size)
        if len(may_lack) <= _MOST_OPTIONAL or size in {0, len(may_lack)}
    ]
    forms = [
        {name: _matcher(as_list(given)) for name, given in arguments.items() if name not in lacking}
        for lacking in left_out
    ]
    return [{"tool": tool, "arguments": form} for form in forms if None not in form.values()]


def _matcher(values: list[Any]) -> dict[str, Any] | None:
    """Return what an argument may be where it is given; None: nothing is listed.

    The benchmark takes an empty text for an argument that may be left out, and compares texts
    without blanks, `*` and `^`: formulas are accepted in each of these spellings.
    """
    wanted = [one for value in values for one in _expanded(value)]
    wanted += [one for value in wanted if isinstance(value, str) for one in _spellings(value)]
    if len(wanted) == 1:
        return {"exact": wanted[0]}
    return {"any_of": wanted[:_MOST]} if wanted else None


def _spellings(formula: str) -> list[str]:
    """Return other ways to write a formula; none for any other text."""
    if _FORMULA.search(formula) is None:
        return []
    carets = formula.replace("**", "^")
    found = (formula.replace(" ", ""), carets, carets.replace(" ", ""))
    return [one for one in dict.fromkeys(found) if one != formula]


def _expanded(value: Any) -> list[Any]:
    """Return the values that one entry stands for: in a mapping each field lists its own."""
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        options = [_expanded(one) for one in value]
        return [list(chosen) for chosen in _products(options)]
    if not isinstance(value, dict):
        return [value]
    names = list(value)
    options = [_field(as_list(value[name])) for name in names]
    return [
        {name: one[0] for name, one in zip(names, chosen, strict=True) if one}
        for chosen in _products(options)
    ]


def _field(values: list[Any]) -> list[tuple[Any, ...]]:
    """Return what a field may hold, each in a tuple; the empty tuple: it may be left out."""
    held = [(one,) for item in values if item != LEFT_OUT for one in _expanded(item)]
    return [(), *held] if LEFT_OUT in values else [*held]


def _products(options: list[list[Any]]) -> list[tuple[Any, ...]]:
    return [chosen for _, chosen in zip(range(_MOST), product(*options), strict=False)]


def tools_of(functions: Any, losses: Losses) -> tuple[ToolSpec, ...]:
    """Return the offered tools, their types in the words of JSON Schema."""
    found: dict[str, ToolSpec] = {}
    for function in map(as_dict, as_list(functions)):
        name = as_text(function.get("name"))
        try:
            found[name] = ToolSpec(
                name=name,
                description=as_text(function.get("description")),
                parameters=_schema(
                    parameters_of(as_dict(function.get("parameters")), name, losses)
                ),
            )
        except ValidationError:
            losses.dropped("function", name or function)
    return tuple(found.values())


def _schema(found: dict[str, Any], depth: int = 0) -> dict[str, Any]:
    """Return a schema with JSON Schema's names of types; unknown ones say nothing."""
    schema = {name: value for name, value in found.items() if name not in {"type", "optional"}}
    kind = found.get("type")
    known = _TYPES.get(kind, kind) if isinstance(kind, str) else None
    if isinstance(known, str) and known in _JSON_TYPES:
        schema["type"] = known
    if depth < _DEEPEST:
        if isinstance(found.get("properties"), dict):
            schema["properties"] = {
                name: _schema(as_dict(one), depth + 1) for name, one in found["properties"].items()
            }
        if isinstance(found.get("items"), dict):
            schema["items"] = _schema(found["items"], depth + 1)
    return schema or {"type": "object"}


_DEEPEST = 20
_JSON_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
