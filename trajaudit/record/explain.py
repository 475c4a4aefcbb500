"""How is a record's validation error said, so that the author of the file can mend it?"""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from trajaudit.datamodel.target import TARGETS
from trajaudit.record.fault import CALL_FLAGS, Faults, Loc, described, nearest
from trajaudit.record.typed_fields import field_names
from trajaudit.record.yaml_nodes import Node

Details = dict[str, Any]

_WANTED = {
    "string_type": "text is wanted",
    "int_type": "a whole number is wanted",
    "int_parsing": "a whole number is wanted",
    "int_from_float": "a whole number is wanted",
    "float_type": "a number is wanted",
    "float_parsing": "a number is wanted",
    "finite_number": "a finite number is wanted",
    "decimal_type": "a number is wanted",
    "decimal_parsing": "a number is wanted",
    "bool_type": "true or false is wanted",
    "bool_parsing": "true or false is wanted",
    "dict_type": "a mapping is wanted",
    "model_type": "a mapping is wanted",
    "model_attributes_type": "a mapping is wanted",
    "tuple_type": "a list is wanted",
    "list_type": "a list is wanted",
}


def explain(
    error: ValidationError, model: type[BaseModel], root: Node, faults: Faults, prefix: Loc = ()
) -> None:
    """Add every fault of `error` (of validating what is at `prefix` as `model`)."""
    found = error.errors(include_url=False)
    unnamed = {details["loc"][:-1] for details in found if _is_call_without_tool(details)}
    for details in found:
        loc = details["loc"]
        if details["type"] == "too_short" and details["input"]:
            continue  # pydantic counts the members that failed as absent
        if loc[-1:] == ("fraction",):
            continue  # the other way to write a number, said once
        if details["type"] == "extra_forbidden" and loc[:-1] in unnamed:
            continue  # said once, with the tool that is missing
        faults.add(root, [*prefix, *loc], _text(dict(details), model, loc))


def _is_call_without_tool(details: ErrorDetails) -> bool:
    return (
        details["type"] == "missing" and details["loc"][-1] == "tool" and _in_path(details["loc"])
    )


def _in_path(loc: Loc) -> bool:
    return len(loc) > 2 and loc[-3] in {"calls", "forbid"}


def _text(details: Details, model: type[BaseModel], loc: Loc) -> str:
    kind = details["type"]
    got = described(details["input"])
    if kind in _WANTED:
        quotes = "; put it in quotes" if kind == "string_type" and _is_scalar(details) else ""
        return f"wrong type; got {got}; {_WANTED[kind]}{quotes}"
    say = _SAY.get(kind)
    if say is not None:
        return say(details, model, loc)
    return f"{details['msg'].lower()}; got {got}"


def _is_scalar(details: Details) -> bool:
    return details["input"] is not None and not isinstance(details["input"], (dict, list))


def _unknown(_details: Details, model: type[BaseModel], loc: Loc) -> str:
    name = str(loc[-1])
    return f"unknown field; got {name!r}; {nearest(name, field_names(model, loc[:-1]))}"


def _missing(details: Details, _model: type[BaseModel], loc: Loc) -> str:
    if loc[-1] == "tool" and _in_path(loc):
        got = described(details["input"])
        flags = ", ".join(sorted(CALL_FLAGS))
        return f"no call; got {got}; write one tool with its arguments, beside it only {flags}"
    return f"{loc[-1]} is missing; got {described(details['input'])}; add {loc[-1]}"


def _choice(details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    allowed = [
        word for word in details["ctx"]["expected"].split("'") if word not in {"", ", ", " or "}
    ]
    got = details["input"]
    close = nearest(got, allowed) if isinstance(got, str) else ""
    hint = f"; {close}" if close.startswith("did") else ""
    return f"not allowed; got {described(got)}; use {details['ctx']['expected']}{hint}"


def _kind(details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    ctx = details["ctx"]
    return f"unknown kind; got {ctx['tag']!r}; use {ctx['expected_tags']}"


def _no_kind(details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    return f"kind is missing; got {described(details['input'])}; add a kind"


def _target(details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    keys = [target.key for target in TARGETS]
    got = details["input"]
    message = f"no target; got {described(got)}; a bare value, or a mapping with exactly one of "
    close = ""
    if isinstance(got, dict) and not got.keys() & set(keys):
        hints = [nearest(str(key), keys) for key in got]
        close = next((f"; {hint}" for hint in hints if hint.startswith("did")), "")
    return message + ", ".join(keys) + close


def _value(details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    text = str(details["ctx"]["error"])
    return text if "; got " in text else f"{text}; got {described(details['input'])}"


def _empty(_details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    return "is empty; got nothing; at least one is wanted"


def _pattern(details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    got, pattern = described(details["input"]), details["ctx"]["pattern"]
    return f"not usable as a name; got {got}; use what fits {pattern}"


def _range(details: Details, _model: type[BaseModel], _loc: Loc) -> str:
    wanted = details["msg"].removeprefix("Input should be ")
    return f"out of range; got {described(details['input'])}; a number {wanted} is wanted"


_SAY: dict[str, Callable[[Details, type[BaseModel], Loc], str]] = {
    "extra_forbidden": _unknown,
    "missing": _missing,
    "literal_error": _choice,
    "union_tag_invalid": _kind,
    "union_tag_not_found": _no_kind,
    "target_kind": _target,
    "value_error": _value,
    "too_short": _empty,
    "string_too_short": _empty,
    "string_pattern_mismatch": _pattern,
    "greater_than": _range,
    "greater_than_equal": _range,
    "less_than": _range,
    "less_than_equal": _range,
}
