"""Which arguments does a text give to a tool, strictly and as a careful reader takes it?"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import orjson
from pydantic import JsonValue

from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.argument_repair import canonical, repair_arguments
from trajaudit.score.json_text import Reading, Unreadable, read_object
from trajaudit.score.meaning import Meaning, meaning_of, zip_lists
from trajaudit.score.schema_view import Schema, SchemaView
from trajaudit.score.strict_json import parse_plain_objects, parse_strictly

_dumps, _SORTED = orjson.dumps, orjson.OPT_SORT_KEYS
UNKNOWN = ToolSpec(name="unknown", parameters={})
"""Stands for a tool that is not declared: its schema says nothing."""


@dataclass(frozen=True)
class ArgumentsForm:
    """Arguments in the form in which meanings are compared; the same for both sides."""

    raw: Schema
    """As they were written, under declared names."""
    meanings: Mapping[str, Meaning]
    rungs: Mapping[str, tuple[str, ...]]
    """Tolerances of each argument."""
    repaired: Schema


def form_arguments(arguments: Schema, tool: ToolSpec, off: frozenset[str]) -> ArgumentsForm:
    """Bring arguments into the form in which meanings are compared."""
    view = SchemaView.of(tool.parameters)
    repaired = repair_arguments(arguments, tool, off)
    values, moved = repaired.values, frozenset[str]()
    if "zipped_order" not in off:
        values, moved = zip_lists(values, view, off)
    meanings = {
        name: meaning_of(value, view.property_(name), name, off) for name, value in values.items()
    }
    rungs = {
        name: (
            *repaired.rungs[name],
            *meanings[name].rungs,
            *(["zipped_order"] if name in moved else []),
        )
        for name in values
    }
    raw = dict(zip(repaired.values, arguments.values(), strict=True))
    return ArgumentsForm(raw, meanings, rungs, repaired.values)


def identity_of(arguments: Schema, *, known_finite: bool = False) -> bytes | str:
    """Return what is equal exactly if the arguments are equal JSON; 1, 1.0 and true stay apart."""
    if known_finite:
        return _identity(arguments)
    try:
        json.dumps(arguments, allow_nan=False)
    except ValueError:  # infinity and NaN are no JSON: orjson writes null for them
        return canonical(arguments)
    return _identity(arguments)


def identity_of_text(text: str) -> bytes | str | None:
    """Return the identity of arguments that are written; None for all but a JSON object."""
    try:
        value = parse_strictly(text)
    except ValueError:
        return None
    return _identity(value) if isinstance(value, dict) else None


def identities_of_texts(texts: Sequence[str]) -> list[bytes | str] | None:
    """Return the identity of each text; None where one of them is no JSON object."""
    plain = parse_plain_objects(texts)
    if plain is not None:
        try:
            return [_dumps(value, None, _SORTED) for value in plain]
        except TypeError:
            pass
    found = []
    for text in texts:
        identity = identity_of_text(text)
        if identity is None:
            return None
        found.append(identity)
    return found


def _identity(parsed: Schema) -> bytes | str:
    try:
        return orjson.dumps(parsed, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits, half a surrogate pair, nested deeper than 254
        return canonical(parsed)


@dataclass(frozen=True, eq=False)
class ArgumentsReading:
    """What a call passes to its tool; worked out no further than it is asked for."""

    text: str
    given: JsonValue
    """Arguments that came parsed, which count where there is no text."""
    tool: ToolSpec | None
    """None: a tool that nobody declared."""
    off: frozenset[str]

    @cached_property
    def strict(self) -> Schema | None:
        """The arguments, or None when the text is no JSON object."""
        if not self.text.strip():
            return self.given if isinstance(self.given, dict) else None
        try:
            value = parse_strictly(self.text)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    @cached_property
    def identity(self) -> bytes | str | None:
        """Equal exactly if the strict reading is equal; None where there is none."""
        if self.strict is None:
            return None
        return _identity(self.strict) if self.text.strip() else identity_of(self.strict)

    @cached_property
    def lenient(self) -> Reading | Unreadable:
        """The arguments as a careful reader takes them, within the tolerances that apply."""
        read = Reading(self.strict) if self.strict is not None else self._repaired()
        if isinstance(read, Reading) and isinstance(read.value, dict):
            read = self._opened(read, read.value)
        if isinstance(read, Reading) and not self.off.isdisjoint(read.repairs):
            return Unreadable("not_json", f"{read.repairs[0]} is not tolerated here")
        return read

    @cached_property
    def form(self) -> ArgumentsForm | None:
        """None when even a careful reader gets no arguments out of it."""
        if isinstance(self.lenient, Unreadable) or not isinstance(self.lenient.value, dict):
            return None
        return form_arguments(self.lenient.value, self.tool or UNKNOWN, self.off)

    @cached_property
    def said(self) -> str:
        """The canonical arguments, or the text where it cannot be read."""
        return canonical(self.lenient.value) if isinstance(self.lenient, Reading) else self.text

    def _repaired(self) -> Reading | Unreadable:
        if self.text.strip() in {"", "null"} and self.given is None:
            return Reading({}, ("empty_arguments",))
        return read_object(self.text)

    def _opened(self, read: Reading, value: Schema) -> Reading:
        """Take the arguments out of a whole call that was written where they belong."""
        keys = ("arguments", "parameters", "input")
        inner = next((value[key] for key in keys if key in value), None)
        if self.tool is None or not isinstance(inner, dict) or len(value) != 2:
            return read
        declared = SchemaView.of(self.tool.parameters).properties
        if value.get("name") != self.tool.name or declared.keys() & value.keys():
            return read
        return Reading(inner, (*read.repairs, "call_envelope"))
