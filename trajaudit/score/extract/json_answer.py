"""Which value does a reply in JSON hand over?

The field named like an answer counts. JSON that was cut hands over nothing: the prefix of a value
is no value. Text is parsed as it is first, and repaired only when that fails.
"""

import ast
import json
import re
from typing import NamedTuple, Self

from pydantic import JsonValue

_KEYS = (
    "final_answer", "finalanswer", "answer", "final", "result", "solution", "prediction", "output",
    "value", "response", "choice", "answers", "答案",
)  # fmt: skip
_OPENING = re.compile(r"\{\s*(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[A-Za-z_]\w{0,60})\s*:\s*")
_LIMIT = 200_000


class JsonAnswer(NamedTuple):
    """The value of the answer field as text; `cut` when the object never closes."""

    text: str | None
    start: int
    end: int
    cut: bool = False


def json_answer(text: str) -> JsonAnswer | None:
    """The last object with an answer field, or None where the reply holds none."""
    found: JsonAnswer | None = None
    at = 0
    while (begin := _OPENING.search(text, at)) is not None and at < _LIMIT:
        end = object_end(text, begin.start())
        if end is None:
            key = re.search(r"[\"'](\w+)[\"']\s*:", begin[0])
            whole = not text[: begin.start()].strip(" \n`") or bool(
                key and _rank(key[1]) < len(_KEYS)
            )
            return JsonAnswer(None, begin.start(), len(text), cut=True) if whole else found
        value = parse_loose(text[begin.start() : end])
        if isinstance(value, dict):
            answer = _answer_of(value)
            if answer is not None:
                found = JsonAnswer(_written(answer), begin.start(), end)
        at = end
    return found


def object_end(text: str, start: int) -> int | None:
    """Index after the bracket that closes the one at `start`; strings are skipped."""
    depth = 0
    for match in re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}\[\]]').finditer(text, start, start + _LIMIT):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def parse_loose(text: str) -> JsonValue:
    """JSON as it is, else as Python writes it, else None."""
    try:
        value: JsonValue = json.loads(text, parse_float=_Written, parse_int=_Whole)
    except (ValueError, RecursionError):
        return _python_literal(text)
    return value


class _Written(float):
    """A float that remembers how it was written."""

    def __new__(cls, text: str) -> Self:
        self = super().__new__(cls, text)
        self.written = text
        return self

    written: str

    def __repr__(self) -> str:
        return self.written


class _Whole(int):
    """A whole number of any length."""

    written: str

    def __new__(cls, text: str) -> Self:
        self = super().__new__(cls, text if len(text) < 4000 else "0")
        self.written = text
        return self


def _python_literal(text: str) -> JsonValue:
    if len(text) > 20_000 or text.count("{") + text.count("[") + text.count("(") > 100:
        return None
    bare = re.sub(r",\s*([}\]])", r"\1", text)
    bare = re.sub(r"([{,]\s*)([A-Za-z_]\w*)\s*:", r'\1"\2":', bare)
    for attempt in (
        bare,
        re.sub(
            r"\b(true|false|null)\b",
            lambda m: {"true": "True", "false": "False", "null": "None"}[m[1]],
            bare,
        ),
    ):
        try:
            value: JsonValue = ast.literal_eval(attempt)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return value
    return None


def _answer_of(value: dict[str, JsonValue]) -> JsonValue:
    """The best-named field that is not null; one level of nesting is looked into."""
    ranked = sorted(((_rank(str(key)), key) for key in value), key=lambda pair: pair[0])
    for rank, key in ranked:
        if rank < len(_KEYS) and value[key] is not None:
            inner = value[key]
            if isinstance(inner, dict):
                return _answer_of(inner) or inner
            return inner
    if len(value) == 1:
        only = next(iter(value.values()))
        return _answer_of(only) if isinstance(only, dict) else only
    return None


def _rank(key: str) -> int:
    name = key.strip().lower().replace(" ", "_").replace("-", "_")
    return _KEYS.index(name) if name in _KEYS else len(_KEYS)


def written_json(value: JsonValue) -> str:
    """JSON in one line, as the strict reading wants it."""
    return json.dumps(value, ensure_ascii=False)


def _written(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, _Written | _Whole):
        return value.written
    if isinstance(value, list):
        return "[" + ", ".join(_written(one) for one in value) + "]"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
