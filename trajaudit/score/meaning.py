"""What does an argument mean? A form in which equal meaning is equal text, per the schema's hints.

Both sides of a comparison take this form, so that a tolerance the reference needs is told apart
from one the agent needs. A value with several readings says so and equals none of them.
"""

import re
import unicodedata
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.score.argument_repair import canonical, is_exact_integer, numeral_of
from trajaudit.score.date_form import days_of, instants_of, times_of
from trajaudit.score.json_text import MAX_DEPTH
from trajaudit.score.schema_view import Schema, SchemaView
from trajaudit.score.tool_name import words_of

_WORDS_ONLY = re.compile(r"[^\W\d_]+(?:[ '.,&!?-]+[^\W\d_]+)*[.!?]?")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_TYPOGRAPHY = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014\u00a0", "''\"\"-- ")
_NOTHING_BUT_CASE = frozenset({"email", "uuid", "hostname", "idn-email", "idn-hostname"})
_IDENTIFIERS = frozenset(
    [
        "id",
        "ids",
        "key",
        "keys",
        "token",
        "code",
        "codes",
        "path",
        "paths",
        "file",
        "files",
        "filename",
        "dir",
        "directory",
        "folder",
        "url",
        "urls",
        "uri",
        "sku",
        "ref",
        "hash",
        "sha",
        "commit",
        "branch",
        "password",
        "secret",
        "username",
        "login",
        "command",
        "cmd",
        "script",
        "sql",
        "query_string",
        "regex",
        "pattern",
        "expression",
        "formula",
        "handle",
        "slug",
        "checksum",
        "signature",
    ]
)
"""Words in an argument's name after which capitals always matter."""


@dataclass(frozen=True)
class Meaning:
    """The form of one value, its other readings, and the tolerances that led to it."""

    key: str
    rungs: tuple[str, ...] = ()
    readings: frozenset[str] = frozenset()


def meaning_of(
    value: JsonValue, view: SchemaView, name: str, off: frozenset[str] = frozenset()
) -> Meaning:
    """Bring the value of the argument `name` into the form in which meanings are compared."""
    if value is None or isinstance(value, (bool, int)):
        return Meaning(canonical(value))
    form = _Form(off)
    key = canonical(form.value(value, view, name, 0))
    readings = frozenset(form.readings) if isinstance(value, str) else frozenset()
    return Meaning(key, tuple(dict.fromkeys(form.rungs)), readings)


def zip_lists(arguments: Schema, view: SchemaView) -> tuple[Schema, frozenset[str]]:
    """Order lists that belong together by their pairs; returns the names that were reordered."""
    if not view.zipped:
        return arguments, frozenset()
    values = dict(arguments)
    moved: set[str] = set()
    for names in view.zipped:
        lists = [value for name in names if isinstance(value := values.get(name), list)]
        if len(lists) < len(names) or len({len(items) for items in lists}) != 1:
            continue
        pairs = sorted(zip(*lists, strict=True), key=lambda pair: [canonical(p) for p in pair])
        for position, name in enumerate(names):
            ordered: list[JsonValue] = [pair[position] for pair in pairs]
            if ordered != lists[position]:
                moved.add(name)
            values[name] = ordered
    return values, frozenset(moved)


class _Form:
    """Brings one value into its form and remembers how."""

    def __init__(self, off: frozenset[str]) -> None:
        self.off = off
        self.rungs: list[str] = []
        self.readings: set[str] = set()

    def value(self, value: JsonValue, view: SchemaView, name: str, depth: int) -> JsonValue:
        if depth > MAX_DEPTH or value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value, view, name)
        if isinstance(value, float):
            return self._float(value)
        if isinstance(value, list):
            return self._list(value, view, name, depth)
        if isinstance(value, dict):
            return {
                key: self.value(item, view.property_(key), key, depth + 1)
                for key, item in value.items()
            }
        return value

    def _list(self, items: list[JsonValue], view: SchemaView, name: str, depth: int) -> JsonValue:
        formed = [self.value(item, view.items(), name, depth + 1) for item in items]
        if view.text("x-order") != "any":
            return formed
        ordered = sorted(formed, key=canonical)
        return self._used("list_order", ordered, formed)

    def _float(self, value: float) -> JsonValue:
        if is_exact_integer(value):
            return self._used("int_float", int(value), value)
        return self._used("float_noise", float(f"{value:.15g}"), value)

    def _text(self, text: str, view: SchemaView, name: str) -> JsonValue:
        if not text.isascii():
            text = self._same(self._used("unicode_nfc", unicodedata.normalize("NFC", text), text))
        trimmed = self._same(self._used("whitespace", text.strip(), text))
        if view.members is not None:
            return text
        self._note_readings(trimmed, view, name)
        moment = self._moment(trimmed, view, name)
        if moment is not None:
            return moment
        if not self._is_plain(trimmed, view, name):
            return trimmed
        straight = self._same(self._used("typography", _straight(trimmed), trimmed))
        spaced = self._same(self._used("whitespace", " ".join(straight.split()), straight))
        return self._used("case", spaced.casefold(), spaced)

    def _note_readings(self, text: str, view: SchemaView, name: str) -> None:
        """Note what a text may stand for where its type says a number."""
        if "," in text and view.types & {"number", "integer"} and "string" not in view.types:
            numerals = {text.replace(",", ""), text.replace(",", ".")}
            self.readings |= {
                canonical(self.value(number, view, name, 1))
                for numeral in numerals
                if (number := numeral_of(numeral)) is not None
            }

    def _moment(self, text: str, view: SchemaView, name: str) -> JsonValue:
        readings = _moments(text, view, name)
        if not readings:
            return None
        if len(readings) > 1:
            self.readings |= {canonical(reading) for reading in readings}
            return text
        (reading,) = readings
        if "T" in reading and not reading.endswith("Z"):
            self.readings.add(canonical(reading + "Z"))
        return self._used("date_format", reading, text)

    def _is_plain(self, text: str, view: SchemaView, name: str) -> bool:
        """Whether capitals and inner blanks carry no meaning in this text."""
        hint = view.text("x-case")
        if hint:
            return hint == "insensitive"
        if view.text("format"):
            return view.text("format") in _NOTHING_BUT_CASE
        if view.text("pattern") or not _IDENTIFIERS.isdisjoint(words_of(name).split("_")):
            return False
        words = " ".join(_straight(text).split())
        return bool(_WORDS_ONLY.fullmatch(words)) and not _INNER_CAPITAL.search(words)

    def _used(self, rung: str, better: JsonValue, given: JsonValue) -> JsonValue:
        same = better == given if isinstance(given, str) else canonical(better) == canonical(given)
        if same or rung in self.off:
            return given
        self.rungs.append(rung)
        return better

    def _same(self, text: JsonValue) -> str:
        return text if isinstance(text, str) else ""


def _straight(text: str) -> str:
    return text if text.isascii() else text.translate(_TYPOGRAPHY)


def _moments(text: str, view: SchemaView, name: str) -> frozenset[str]:
    kind = view.text("format")
    if kind == "date-time":
        return instants_of(text)
    if kind == "time":
        return times_of(text)
    says_date = words_of(name).split("_")[-1] == "date" or "YYYY-MM-DD" in view.text("description")
    if kind == "date" or (not kind and says_date):
        return days_of(text)
    return frozenset()
