"""What JSON did a model mean when it wrote this text?

Parse first, repair only on failure; each repair is named. Deliberate: a reader of our own instead
of json-repair, which completes text that was cut and drops what it cannot read. A cut text commits
to nothing, and a text that can be read in two ways is not read at all.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from trajaudit.score.strict_json import parse_strictly

MAX_DEPTH = 100
_FENCE = re.compile(r"\s*(`{3,}|~{3,})[ \t]*[\w+-]*[ \t]*\r?\n(.*?)\r?\n?\s*\1\s*\Z", re.DOTALL)
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}
_PYTHON_WORDS: dict[str, JsonValue] = {"True": True, "False": False, "None": None}
_CLOSING = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019"}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "/": "/", "\\": "\\", '"': '"'}
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?![\w.])")
_NAME = re.compile(r"[A-Za-z_$][\w$-]*")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|#[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Reading:
    """The value, and the repairs that were needed to get it."""

    value: JsonValue
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unreadable:
    """No single value can be read: it was cut, is no JSON, or says two things."""

    kind: Literal["cut", "not_json", "conflict"]
    reason: str


class _UnreadableError(Exception):
    def __init__(self, kind: Literal["cut", "not_json", "conflict"], reason: str) -> None:
        self.unreadable = Unreadable(kind, reason)
        super().__init__(reason)


def read_json(text: str) -> Reading | Unreadable:
    """Read a text that should be one JSON value."""
    try:
        return Reading(parse_strictly(text))
    except ValueError:
        pass
    repairs: list[str] = []
    if fence := _FENCE.match(text):
        text, repairs = fence[2], ["code_fence"]
    try:
        return Reading(parse_strictly(text), tuple(repairs))
    except ValueError:
        pass
    reader = _Reader(text)
    try:
        value = reader.read()
    except _UnreadableError as error:
        return error.unreadable
    return Reading(value, (*repairs, *reader.repairs))


def read_object(text: str) -> Reading | Unreadable:
    """Read a text that should be one JSON object; text that was encoded twice is decoded twice."""
    outer = read_json(text)
    if isinstance(outer, Unreadable):
        return outer
    if isinstance(outer.value, str):
        inner = read_json(outer.value)
        if isinstance(inner, Reading) and isinstance(inner.value, dict):
            return Reading(inner.value, (*outer.repairs, "json_string", *inner.repairs))
        if isinstance(inner, Unreadable) and inner.kind == "cut" and "{" in outer.value:
            return inner
    if not isinstance(outer.value, dict):
        return Unreadable("not_json", f"arguments are no JSON object; got {text[:80]!r}")
    return outer


class _Reader:
    """Recursive descent over text that is nearly JSON."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.repairs: dict[str, None] = {}

    def read(self) -> JsonValue:
        """Read the one value of the text; prose around it is a repair."""
        self._blank()
        if self._peek() not in "{[\"'\u201c\u2018" and _NUMBER.match(self.text, self.at) is None:
            start = self.text.find("{", self.at)
            if start < 0:
                raise _UnreadableError("not_json", f"no JSON in {self.text[:80]!r}")
            self.at = start
            self.repairs["surrounding_text"] = None
        value = self._value()
        rest = self.text[self.at :].strip().rstrip(";").strip()
        if rest and re.search(r"[{\[]", rest):
            raise _UnreadableError("conflict", f"more than one value in {self.text[:80]!r}")
        if rest:
            self.repairs["extra_brace" if set(rest) <= set("}]") else "surrounding_text"] = None
        return value

    def _value(self) -> JsonValue:
        self._blank()
        char = self._peek()
        if char == "{":
            return self._nested(self._object)
        if char == "[":
            return self._nested(self._array)
        if char in _CLOSING:
            return self._string()
        return self._scalar()

    def _nested(self, read: Callable[[], JsonValue]) -> JsonValue:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _UnreadableError("not_json", f"nested deeper than {MAX_DEPTH}")
        value = read()
        self.depth -= 1
        return value

    def _object(self) -> JsonValue:
        self.at += 1
        found: dict[str, JsonValue] = {}
        while self._more("}"):
            key = self._key()
            self._blank()
            if self._peek() != ":":
                raise self._unexpected("a colon")
            self.at += 1
            value = self._value()
            if key in found and found[key] != value:
                raise _UnreadableError("conflict", f"{key!r} is given twice with different values")
            if key in found:
                self.repairs["duplicate_key"] = None
            found[key] = value
            self._separator("}")
        return found

    def _array(self) -> JsonValue:
        self.at += 1
        found: list[JsonValue] = []
        while self._more("]"):
            found.append(self._value())
            self._separator("]")
        return found

    def _more(self, end: str) -> bool:
        self._blank()
        if self._peek() == end:
            self.at += 1
            return False
        return True

    def _separator(self, end: str) -> None:
        self._blank()
        char = self._peek()
        if char == ",":
            self.at += 1
            self._blank()
            if self._peek() == end:
                self.repairs["trailing_comma"] = None
        elif char in _CLOSING:
            self.repairs["missing_comma"] = None
        elif char != end:
            raise self._unexpected(f"a comma or {end!r}")

    def _key(self) -> str:
        if self._peek() in _CLOSING:
            return self._string()
        name = _NAME.match(self.text, self.at)
        if name is None:
            raise self._unexpected("a name in quotes")
        self.at = name.end()
        self.repairs["unquoted_key"] = None
        return name[0]

    def _string(self) -> str:
        opening = self.text[self.at]
        closing = _CLOSING[opening]
        if opening != '"':
            self.repairs["python_literal" if opening == "'" else "smart_quotes"] = None
        self.at += 1
        parts: list[str] = []
        while (char := self._peek()) != closing:
            if char == "\\":
                parts.append(self._escape())
                continue
            if char < " ":
                self.repairs["control_char"] = None
            parts.append(char)
            self.at += 1
        self.at += 1
        return "".join(parts)

    def _escape(self) -> str:
        self.at += 1
        char = self._peek()
        self.at += 1
        if char == "u":
            digits = self.text[self.at : self.at + 4]
            if len(digits) < 4:
                raise _UnreadableError("cut", "the text ends inside an escape sequence")
            if re.fullmatch(r"[0-9a-fA-F]{4}", digits):
                self.at += 4
                return chr(int(digits, 16))
        if char in _ESCAPES:
            return _ESCAPES[char]
        self.repairs["invalid_escape"] = None
        return char if char in "'\n" else "\\" + char

    def _scalar(self) -> JsonValue:
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            if self.at == len(self.text) and self.depth:
                raise _UnreadableError("cut", "the text ends inside a number")
            return self._number(number[0])
        if word := _NAME.match(self.text, self.at):
            if word.end() == len(self.text) and self.depth:
                raise _UnreadableError("cut", "the text ends inside a word")
            self.at = word.end()
            if word[0] in _PYTHON_WORDS:
                self.repairs["python_literal"] = None
                return _PYTHON_WORDS[word[0]]
            if word[0] in _WORDS:
                return _WORDS[word[0]]
        raise self._unexpected("a value")

    def _number(self, digits: str) -> JsonValue:
        try:
            value: JsonValue = json.loads(digits)
        except ValueError as error:
            raise _UnreadableError("not_json", f"a number of {len(digits)} digits") from error
        return value

    def _blank(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            elif comment := _COMMENT.match(self.text, self.at):
                self.at = comment.end()
                self.repairs["json_comment"] = None
            else:
                return

    def _peek(self) -> str:
        if self.at >= len(self.text):
            raise _UnreadableError("cut", "the text ends before its value is complete")
        return self.text[self.at]

    def _unexpected(self, wanted: str) -> _UnreadableError:
        got = self.text[self.at : self.at + 20]
        return _UnreadableError("not_json", f"{wanted} is wanted at {self.at}; got {got!r}")
