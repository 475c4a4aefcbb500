"""What does an argument mean? A form in which equal meaning is equal text, per the schema's hints.

Both sides of a comparison take this form, so that a tolerance the reference needs is told apart
from one the agent needs. A value with several readings says so and equals none of them.
"""

import itertools
import json
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from trajaudit.score.argument_repair import canonical, is_exact_integer, numeral_of
from trajaudit.score.argument_words import (
    is_identifier,
    is_of_file,
    is_path,
    is_symbol,
    same_path,
)
from trajaudit.score.date_form import days_of, instants_of, is_contradicted, times_of
from trajaudit.score.extra_entries import is_extra
from trajaudit.score.json_text import MAX_DEPTH
from trajaudit.score.schema_view import Schema, SchemaView
from trajaudit.score.tool_name import words_of

_WORDS_ONLY = re.compile(r"[^\W\d_]+(?:[ '.,&!?-]+[^\W\d_]+)*[.!?]?")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_TYPOGRAPHY = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014\u00a0", "''\"\"-- ")
_NOTHING_BUT_CASE = frozenset({"email", "uuid", "hostname", "idn-email", "idn-hostname"})
_DEFAULTED = frozenset({"default_given", "default_omitted"})
_MOST_WAYS = 16
"""Ways to read the parts of one value up to which each is looked at."""


@dataclass(frozen=True)
class Meaning:
    """The form of one value, its other readings, and the tolerances that led to it."""

    key: str
    rungs: tuple[str, ...] = ()
    readings: frozenset[str] = frozenset()
    form: JsonValue = None
    core: str = ""
    """The key without nested entries that the schema does not know and lets pass."""


def meaning_of(
    value: JsonValue, view: SchemaView, name: str, off: frozenset[str] = frozenset()
) -> Meaning:
    """Bring the value of the argument `name` into the form in which meanings are compared."""
    if value is None or isinstance(value, (bool, int)):
        key = canonical(value)
        return Meaning(key, form=value, core=key)
    form = _Form(off)
    found = form.value(value, view, name, 0)
    key, core = canonical(found), ""
    if form.extra:
        core = canonical(_Form(off, closed=True).value(value, view, name, 0))
    readings = _readings(form, value, view, name)
    return Meaning(key, tuple(dict.fromkeys(form.rungs)), readings, found, core or key)


def _readings(form: "_Form", value: JsonValue, view: SchemaView, name: str) -> frozenset[str]:
    """Return what a value means if each part of it with several readings has one of them."""
    if isinstance(value, str):
        return frozenset(form.leaves[0]) if form.leaves else frozenset()
    if not form.leaves or math.prod(len(leaf) + 1 for leaf in form.leaves) > _MOST_WAYS:
        return frozenset()
    ways = itertools.product(*([None, *sorted(leaf)] for leaf in form.leaves))
    return frozenset(
        canonical(_Form(form.off, picks=way).value(value, view, name, 0)) for way in ways
    )


def zip_lists(
    arguments: Schema, view: SchemaView, off: frozenset[str] = frozenset()
) -> tuple[Schema, frozenset[str]]:
    """Order lists that belong together by their pairs; returns the names that were reordered."""
    if not view.zipped:
        return arguments, frozenset()
    values = dict(arguments)
    moved: set[str] = set()
    for group in view.zipped:
        names = [name for name in group if name in values]
        lists = [value for name in names if isinstance(value := values.get(name), list)]
        if len(lists) < max(2, len(names)) or len({len(items) for items in lists}) != 1:
            continue
        keys = [
            [meaning_of(item, view.property_(name).items(), name, off).key for item in items]
            for name, items in zip(names, lists, strict=True)
        ]
        order = sorted(range(len(lists[0])), key=lambda at: [column[at] for column in keys])
        for name, items in zip(names, lists, strict=True):
            ordered = [items[at] for at in order]
            if ordered != items:
                moved.add(name)
            values[name] = ordered
    return values, frozenset(moved)


class _Form:
    """Brings one value into its form and remembers how."""

    def __init__(
        self,
        off: frozenset[str],
        *,
        closed: bool = False,
        picks: Sequence[str | None] = (),
    ) -> None:
        self.off = off
        self.rungs: list[str] = []
        self.leaves: list[set[str]] = []
        """The readings of each text that has several."""
        self.extra = False
        """Whether a nested object has entries that its schema does not know and lets pass."""
        self._closed = closed
        self._picks = picks

    def value(self, value: JsonValue, view: SchemaView, name: str, depth: int) -> JsonValue:
        if depth > MAX_DEPTH or value is None or isinstance(value, bool):
            return value
        view = view.chosen(value)
        if isinstance(value, str):
            return self._text(value, view, name)
        if isinstance(value, float):
            return self._float(value)
        if isinstance(value, list):
            return self._list(value, view, name, depth)
        if isinstance(value, dict):
            return self._object(value, view, depth)
        return value

    def _object(self, value: Schema, view: SchemaView, depth: int) -> JsonValue:
        if "zipped_order" not in self.off:
            value, moved = zip_lists(value, view, self.off)
            self.rungs += ["zipped_order"] if moved else []
        found: Schema = {}
        for key, item in value.items():
            if is_extra(key, view):
                self.extra = True
                if self._closed:
                    continue
            if item is None and self._is_nothing(key, view):
                continue
            formed = self.value(item, view.property_(key), key, depth + 1)
            if not self._is_default(key, formed, view):
                found[key] = formed
        return found

    def _is_nothing(self, key: str, view: SchemaView) -> bool:
        """Whether null says the same as leaving the entry out."""
        declared = view.properties.get(key)
        if declared is None or key in view.required or "null_omitted" in self.off:
            return False
        if view.property_(key).schema.get("default") is not None:
            return False
        self.rungs.append("null_omitted")
        return True

    def _is_default(self, key: str, formed: JsonValue, view: SchemaView) -> bool:
        """Whether a declared entry says what holds without it."""
        if key not in view.properties or not self.off.isdisjoint(_DEFAULTED):
            return False
        at = view.property_(key)
        if "default" not in at.schema:
            return False
        if meaning_of(at.schema["default"], at, key, self.off).key != canonical(formed):
            return False
        self.rungs.append("default_given")
        return True

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
        literal = not view.text("x-case") and is_of_file(name, view)
        if literal:
            return text
        trimmed = self._same(self._used("whitespace", text.strip(), text))
        if view.members is not None:
            return text
        readings = self._numbers(trimmed, view, name)
        moment, days = self._moment(trimmed, view, name)
        if readings or days:
            return self._chosen(trimmed if moment is None else moment, readings | days)
        if moment is not None:
            return moment
        if is_path(name) and not view.text("format"):
            trimmed = self._same(self._used("path_form", same_path(trimmed), trimmed))
        if not self._is_plain(trimmed, view, name):
            return trimmed
        straight = self._same(self._used("typography", _straight(trimmed), trimmed))
        spaced = self._same(self._used("whitespace", " ".join(straight.split()), straight))
        return self._used("case", spaced.casefold(), spaced)

    def _chosen(self, form: JsonValue, readings: set[str]) -> JsonValue:
        """Note the readings of a text, and take the one that is asked for."""
        self.leaves.append(readings)
        at = len(self.leaves) - 1
        pick = self._picks[at] if at < len(self._picks) else None
        picked: JsonValue = form if pick is None else json.loads(pick)
        return picked

    def _numbers(self, text: str, view: SchemaView, name: str) -> set[str]:
        """Return what a text may stand for where its type says a number."""
        if "," not in text or "string" in view.types or not view.types & {"number", "integer"}:
            return set()
        return {
            canonical(self.value(number, view, name, 1))
            for numeral in (text.replace(",", ""), text.replace(",", "."))
            if (number := numeral_of(numeral)) is not None
        }

    def _moment(self, text: str, view: SchemaView, name: str) -> tuple[JsonValue, set[str]]:
        """Return the form of a text that names one day or instant, and what else it may mean."""
        readings = _moments(text, view, name)
        if not readings:
            return None, set()
        if len(readings) > 1 or is_contradicted(text):
            return text, {canonical(reading) for reading in readings}
        (reading,) = readings
        is_local = "T" in reading and not reading.endswith("Z")
        other = {canonical(reading + "Z")} if is_local else set[str]()
        return self._used("date_format", reading, text), other

    def _is_plain(self, text: str, view: SchemaView, name: str) -> bool:
        """Whether capitals and inner blanks carry no meaning in this text."""
        hint = view.text("x-case")
        if hint:
            return hint == "insensitive"
        if view.text("format"):
            return view.text("format") in _NOTHING_BUT_CASE
        if view.text("pattern") or is_identifier(name) or is_symbol(name, text):
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
