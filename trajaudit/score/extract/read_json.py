"""The JSON value, or the text of a wanted pattern, that a reply hands over."""

import re

import jsonschema
from pydantic import JsonValue
from referencing import Registry
from referencing.exceptions import Unresolvable

from trajaudit.score.extract.found import Found
from trajaudit.score.extract.json_answer import object_end, parse_loose
from trajaudit.score.extract.linear_pattern import fits

_LONGEST_PATTERN_INPUT = 10_000
_UNDRESSED = re.compile(r"^[*_`\"']+|[*_`\"']+[.!]?$")
"""Emphasis and quotes around the whole are layout."""


class JsonReader:
    """Reads the last whole JSON object or array."""

    def __init__(self, right: JsonValue, schema: dict[str, JsonValue] | None) -> None:
        self._right = right
        self._schema = schema

    def marked(self, segment: str) -> Found | None:
        return self.prose(segment)

    def prose(self, text: str) -> Found | None:
        whole = parse_loose(text.strip())
        if whole is not None or text.strip() == "null":
            return _found(whole, text)
        found: Found | None = None
        at = 0
        while match := re.compile(r"[{\[]").search(text, at):
            end = object_end(text, match.start())
            if end is None:
                return None
            value = parse_loose(text[match.start() : end])
            if value is not None:
                found = _found(value, text[match.start() : end])
            at = end
        return found

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        if isinstance(value, dict) and value.keys() == {"answer"} and not _same(value, self._right):
            value = value["answer"]
        if not _same(value, self._right):
            return False, (), f"{plain[:200]} is not the wanted value"
        if self._schema is not None:
            try:
                fault = next(_validator(self._schema).iter_errors(value), None)
            except (Unresolvable, jsonschema.SchemaError, RecursionError) as error:
                return None, (), f"the schema of the target cannot be applied: {error}"[:300]
            if fault is not None:
                return False, (), f"the value breaks the schema: {fault.message[:200]}"
        return True, ("json_form",), "the value is the wanted one"


def _validator(schema: dict[str, JsonValue]) -> jsonschema.Draft202012Validator:
    """A validator that fetches nothing: a reference to another document cannot be followed."""
    return jsonschema.Draft202012Validator(schema, registry=Registry())


def _found(value: JsonValue, text: str) -> Found:
    return Found(value, " ".join(text.split())[:500], quote=text.strip()[:300])


def _same(one: object, other: object) -> bool:
    """Equal as JSON: true is not 1, key order means nothing, 1 is 1.0."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


class RegexReader:
    """Reads the reply, or the announced words, against a pattern of the scenario's author."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def marked(self, segment: str) -> Found | None:
        return self.prose(segment.split("\n", maxsplit=1)[0])

    def prose(self, text: str) -> Found | None:
        words = text.strip()[-_LONGEST_PATTERN_INPUT:].strip()
        return Found(words, words[:300], quote=words[:300]) if words else None

    def matches(self, value: object, plain: str) -> tuple[bool | None, tuple[str, ...], str]:
        right = fits(self._pattern, str(value))
        if right is False:
            right = fits(self._pattern, _UNDRESSED.sub("", str(value)))
        if right is None:
            return (
                None,
                (),
                f"the target is no pattern that is matched in linear time: {self._pattern}",
            )
        return right, (), f"{plain!r} {'fits' if right else 'does not fit'} the pattern"
