"""Which arguments does a call mean under its tool's schema? Names and types put right, or left."""

import json
import re
from collections import Counter
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.json_text import MAX_DEPTH, Reading, read_json
from trajaudit.score.schema_view import Schema, SchemaView, fits_type
from trajaudit.score.tool_name import same_name, words_of

_NUMERAL = re.compile(r"[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d{1,3}((,\d{3})+\.\d+|(,\d{3}){2,}|([ _]\d{3})+(\.\d+)?)\Z", re.ASCII)
"""Digits in groups of three that can be read in one way only: 1,234.5 and 1,234,567 and 1 234."""
_EXACT_FLOATS = 2**53
_CANONICAL = json.JSONEncoder(sort_keys=True)


@dataclass(frozen=True)
class Repaired:
    """Arguments under their declared names, and the tolerances used, argument by argument."""

    values: dict[str, JsonValue]
    rungs: dict[str, tuple[str, ...]]


def canonical(value: JsonValue) -> str:
    """Write a value so that equal JSON is equal text; 1, 1.0 and true stay apart."""
    return _CANONICAL.encode(value)


def repair_arguments(arguments: Schema, tool: ToolSpec, off: frozenset[str]) -> Repaired:
    """Put names and types right where exactly one reading fits; anything else stays as it is."""
    view = SchemaView.of(tool.parameters)
    values: dict[str, JsonValue] = {}
    rungs: dict[str, tuple[str, ...]] = {}
    for given, (name, renamed) in _names(arguments, view, tool, off).items():
        repair = _Repair(off)
        values[name] = repair.value(arguments[given], view.property_(name), 0)
        rungs[name] = (*renamed, *repair.rungs)
    return Repaired(values, rungs)


def _names(
    arguments: Schema, view: SchemaView, tool: ToolSpec | None, off: frozenset[str]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Map each given name to its declared one; two names for one argument map to themselves."""
    if not view.properties or arguments.keys() <= view.properties.keys():
        return {given: (given, ()) for given in arguments}
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for given in arguments:
        meant = given if given in view.properties else _declared(given, view, tool, off)
        rung = () if meant == given else (_rung(given, meant),)
        found[given] = (meant, rung)
    meanings = Counter(name for name, _ in found.values())
    return {
        given: (name, rung) if meanings[name] == 1 else (given, ())
        for given, (name, rung) in found.items()
    }


def _rung(given: str, meant: str) -> str:
    return "param_case" if same_name(given, meant) else "param_alias"


def _declared(given: str, view: SchemaView, tool: ToolSpec | None, off: frozenset[str]) -> str:
    if not words_of(given):
        return given
    fits = {
        name
        for name in view.properties
        if any(
            same_name(given, known)
            for known in (name, *view.aliases(name), *_tool_aliases(tool, name))
        )
    }
    meant = fits.pop() if len(fits) == 1 else given
    return given if meant != given and _rung(given, meant) in off else meant


def _tool_aliases(tool: ToolSpec | None, name: str) -> tuple[str, ...]:
    return tool.aliases.arguments.get(name, ()) if tool else ()


class _Repair:
    """Puts one argument right and remembers how."""

    def __init__(self, off: frozenset[str]) -> None:
        self.off = off
        self.rungs: list[str] = []

    def value(self, value: JsonValue, view: SchemaView, depth: int) -> JsonValue:
        if depth > MAX_DEPTH:
            return value
        if view.branches:
            view = self._branch(value, view.branches)
        value = self._member(self.typed(value, view), view)
        if isinstance(value, dict):
            return self._object(value, view, depth)
        if isinstance(value, list):
            return [self.value(item, view.items(), depth + 1) for item in value]
        return value

    def _object(self, value: Schema, view: SchemaView, depth: int) -> JsonValue:
        names = _names(value, view, None, self.off)
        self.rungs += [rung for _, rungs in names.values() for rung in rungs]
        return {
            name: self.value(value[given], view.property_(name), depth + 1)
            for given, (name, _) in names.items()
        }

    def _branch(self, value: JsonValue, branches: tuple[SchemaView, ...]) -> SchemaView:
        """Choose the branch whose type fits, else the only one that a repair leads to."""
        for view in branches:
            if fits_type(value, view.types):
                return view
        repairable = [
            view for view in branches if fits_type(_Repair(self.off).typed(value, view), view.types)
        ]
        return repairable[0] if len(repairable) == 1 else branches[0]

    def typed(self, value: JsonValue, view: SchemaView) -> JsonValue:
        types = view.types
        if fits_type(value, types) or value is None:
            return value
        if isinstance(value, str):
            value = self._from_text(value, types)
        elif isinstance(value, list) and len(value) == 1 and fits_type(value[0], types):
            return self._used("list_to_scalar", value[0], value)
        elif isinstance(value, float):
            value = self._integral(value, types)
        elif isinstance(value, (bool, int)) and types <= {"string", "null"}:
            return self._number_text(value)
        if not fits_type(value, types) and "array" in types and _may_stand_in(value, view):
            return self._used("scalar_to_list", [value], value)
        return value

    def _from_text(self, text: str, types: frozenset[str]) -> JsonValue:
        plain = text.strip()
        if types & {"number", "integer"} and _GROUPED.match(plain):
            plain = re.sub(r"[, _]", "", plain)
        if types & {"number", "integer"} and numeral_of(plain) is not None:
            return self._used("numeric_string", self._numeral(plain, types), text)
        if "boolean" in types and plain.casefold() in {"true", "false"}:
            return self._used("boolean_string", plain.casefold() == "true", text)
        if types & {"array", "object"} and plain[:1] in {"[", "{"}:
            read = read_json(plain)
            if isinstance(read, Reading) and fits_type(read.value, types):
                self.rungs += read.repairs
                return self._used("json_string", read.value, text)
        return text

    def _numeral(self, digits: str, types: frozenset[str]) -> JsonValue:
        value = numeral_of(digits)
        return self._integral(value, types) if isinstance(value, float) else value

    def _integral(self, value: float, types: frozenset[str]) -> JsonValue:
        if "integer" in types and "number" not in types and is_exact_integer(value):
            return self._used("int_float", int(value), value)
        return value

    def _number_text(self, value: bool | int) -> JsonValue:
        if isinstance(value, bool):
            return self._used("boolean_string", str(value).lower(), value)
        return self._used("number_to_string", str(value), value)

    def _member(self, value: JsonValue, view: SchemaView) -> JsonValue:
        members = view.members
        if members is None or value in members or not isinstance(value, str):
            return value
        same = [m for m in members if isinstance(m, str) and words_of(m) == words_of(value)]
        return self._used("enum_case", same[0], value) if len(same) == 1 else value

    def _used(self, rung: str, better: JsonValue, given: JsonValue) -> JsonValue:
        if rung in self.off:
            return given
        self.rungs.append(rung)
        return better


def _may_stand_in(value: JsonValue, view: SchemaView) -> bool:
    """Whether one value may stand for a list of one: an object only where objects are listed."""
    if not isinstance(value, dict):
        return True
    items = view.items()
    listed = items.branches or (items,)
    return any("object" in one.types or one.properties for one in listed)


def is_exact_integer(value: float) -> bool:
    """Whether a float stands for one integer and for no other."""
    return value.is_integer() and abs(value) < _EXACT_FLOATS


def numeral_of(text: str) -> int | float | None:
    """Read a text that is nothing but one number; None for anything else."""
    if not _NUMERAL.match(text):
        return None
    try:
        return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
    except ValueError:
        return None
