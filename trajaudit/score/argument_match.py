"""Does a call fit an expected one? Exactly, with named tolerances, perhaps, or not."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import JsonValue

from trajaudit.datamodel.accept import ExpectedCall, Matcher
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.argument_repair import canonical
from trajaudit.score.arguments_reading import UNKNOWN, ArgumentsForm, form_arguments, identity_of
from trajaudit.score.call_reading import CallReading
from trajaudit.score.extra_entries import has_all
from trajaudit.score.matcher import Kind, is_matched, kind_of
from trajaudit.score.meaning import Meaning, meaning_of
from trajaudit.score.schema_view import Schema, SchemaView

Letter = tuple[str, bytes | str]
"""A tool as it was named, and the identity of the arguments as they were written."""
Level = Literal["exact", "tolerated", "ambiguous", "mismatch"]
_ODD_NUMBER = re.compile("NaN|Infinity")
_text = json.JSONEncoder(sort_keys=True).encode
LEVELS: tuple[Level, ...] = ("exact", "tolerated", "ambiguous", "mismatch")


@dataclass(frozen=True)
class ArgumentFit:
    """How one argument fits, the tolerances it needs, and why it does not fit."""

    level: Level
    rungs: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class CallFit:
    """How a call fits an expected one."""

    level: Level
    tolerances: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


EXACT = CallFit("exact")


@dataclass(frozen=True, eq=False)
class Expectation:
    """An expected call beside its tool, read once and compared often."""

    expected: ExpectedCall
    tool: ToolSpec
    off: frozenset[str] = frozenset()

    @cached_property
    def key(self) -> str:
        """The demand as text: equal demands are equal text, whatever their id."""
        arguments = {
            name: [
                value
                for field in sorted(m.model_fields_set)
                for value in (field, m.__dict__[field])
            ]
            for name, m in self.expected.arguments.items()
        }
        flags = [self.expected.optional, self.expected.repeat, self.expected.extra_arguments]
        return f"{self.expected.tool} {_text(arguments)} {flags}"

    @cached_property
    def view(self) -> SchemaView:
        return SchemaView.of(self.tool.parameters)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """How each argument is matched."""
        return {name: kind_of(matcher) for name, matcher in self.expected.arguments.items()}

    @cached_property
    def literal(self) -> Schema:
        """The arguments that have one value."""
        return {
            name: matcher.exact if self.kinds[name] == "exact" else matcher.strict
            for name, matcher in self.expected.arguments.items()
            if self.kinds[name] in {"exact", "strict"}
        }

    @cached_property
    def identity(self) -> bytes | str | None:
        """What an exact call's arguments are identical to; None where several may be exact."""
        if self.expected.extra_arguments or len(self.literal) < len(self.kinds):
            return None
        return identity_of(self.literal, known_finite=not _ODD_NUMBER.search(self.key))

    @cached_property
    def letter(self) -> Letter | None:
        """The tool and the identity, where there is one."""
        return None if self.identity is None else (self.expected.tool, self.identity)

    @cached_property
    def form(self) -> ArgumentsForm:
        """The literal arguments of the reference, in the form in which meanings are compared."""
        return form_arguments(self.literal, self.tool, self.off)

    def fit(self, reading: CallReading, *, open_: bool = False) -> CallFit:
        """Compare; with `open_`, arguments that are not listed are allowed."""
        open_ = open_ or self.expected.extra_arguments
        if self.is_exact(reading, open_=open_):
            return EXACT
        if reading.tool != self.expected.tool:
            return CallFit("mismatch", differences=(f"another tool: {reading.call.tool}",))
        if reading.form is None:
            reason = reading.unreadable.reason if reading.unreadable else "unreadable arguments"
            return CallFit("mismatch", differences=(reason,))
        fits = {name: self._argument(name, reading.form, open_) for name in self._names(reading)}
        levels: list[Level] = ["tolerated", *(fit.level for fit in fits.values())]
        level = max(levels, key=LEVELS.index)
        rungs = dict.fromkeys([*reading.rungs, *(r for fit in fits.values() for r in fit.rungs)])
        reasons = tuple(f"{name}: {fit.reason}" for name, fit in fits.items() if fit.reason)
        return CallFit(level, tuple(rungs), reasons)

    def misfits(self, reading: CallReading) -> int:
        """Count the differences that `fit` would name, for a call of this tool."""
        form, open_ = reading.form, self.expected.extra_arguments
        if form is None:
            return 1
        mine, given = self.form.meanings, form.meanings
        if self._all_literal and mine.keys() == given.keys():
            return sum(
                given[name].key != wanted.key and self._misfits(name, form, open_)
                for name, wanted in mine.items()
            )
        return sum(self._misfits(name, form, open_) for name in self._names(reading))

    @cached_property
    def _all_literal(self) -> bool:
        return all(kind == "exact" for kind in self.kinds.values())

    def _misfits(self, name: str, form: ArgumentsForm, open_: bool) -> bool:
        if self.kinds.get(name) == "exact" and name in self.form.meanings:
            given = form.meanings.get(name)
            if given is not None and given.core == given.key:
                return given.key != self.form.meanings[name].key
        return bool(self._argument(name, form, open_).reason)

    def is_exact(self, reading: CallReading, *, open_: bool = False) -> bool:
        """Whether the call is what is demanded, as it is written."""
        wanted, arguments = self.expected.arguments, reading.strict
        if reading.call.tool != self.expected.tool or arguments is None:
            return False
        if not wanted.keys() <= arguments.keys():
            return False
        if not open_ and len(arguments) != len(wanted):
            return False
        return all(is_matched(matcher, arguments[name]) for name, matcher in wanted.items())

    def _names(self, reading: CallReading) -> list[str]:
        given = reading.form.meanings if reading.form else {}
        return list(dict.fromkeys([*self.expected.arguments, *given]))

    def _argument(self, name: str, form: ArgumentsForm, open_: bool) -> ArgumentFit:
        matcher = self.expected.arguments.get(name)
        if matcher is None:
            return ArgumentFit("exact") if open_ else self._unlisted(name, form)
        if name not in form.meanings:
            return self._left_out(name, matcher)
        if self.kinds[name] == "exact":
            return self._literal(name, form)
        if is_matched(matcher, form.raw[name]):
            return ArgumentFit("exact", _names_only(form.rungs[name]))
        if self.kinds[name] != "strict" and self._fits_repaired(name, matcher, form):
            return ArgumentFit("tolerated", form.rungs[name])
        return ArgumentFit("mismatch", reason=f"{_short(form.raw[name])} does not fit")

    def _fits_repaired(self, name: str, matcher: Matcher, form: ArgumentsForm) -> bool:
        value = form.repaired[name]
        if is_matched(matcher, value):
            return True
        view = self.view.property_(name)
        candidates = matcher.any_of if self.kinds[name] == "any_of" else None
        if candidates is not None:
            keys = {meaning_of(item, view, name, self.off).key for item in candidates}
            return form.meanings[name].key in keys
        if self.kinds[name] == "unordered" and isinstance(value, list):
            wanted = [
                meaning_of(i, view.items(), name, self.off).key for i in (matcher.unordered or ())
            ]
            return sorted(wanted) == sorted(
                meaning_of(item, view.items(), name, self.off).key for item in value
            )
        return False

    def _literal(self, name: str, form: ArgumentsForm) -> ArgumentFit:
        if name not in self.form.meanings:
            return ArgumentFit("mismatch", reason="the reference names it twice")
        wanted, given = self.form.meanings[name], form.meanings[name]
        if wanted.key == given.key:
            if canonical(self.form.raw[name]) == canonical(form.raw[name]):
                return ArgumentFit("exact", _names_only(form.rungs[name]))
            rungs = _needed(self.form.rungs[name], form.rungs[name])
            return ArgumentFit("tolerated" if rungs else "exact", rungs)
        if self._passes_extra(name, wanted, given):
            rungs = _needed(self.form.rungs[name], form.rungs[name])
            return ArgumentFit("tolerated", (*rungs, "extra_param"))
        reason = f"{_short(form.raw[name])} is not {_short(self.form.raw[name])}"
        if _may_be(wanted, given) or self._may_be_default(name, wanted, given):
            return ArgumentFit("ambiguous", reason=reason + " for certain")
        return ArgumentFit("mismatch", reason=reason)

    def _passes_extra(self, name: str, wanted: Meaning, given: Meaning) -> bool:
        """Whether nested entries are all that is added, and the schema lets them pass."""
        if wanted.core != given.core or given.core == given.key or "extra_param" in self.off:
            return False
        return has_all(wanted.form, given.form, self.view.property_(name))

    def _left_out(self, name: str, matcher: Matcher) -> ArgumentFit:
        default, has_default = self._default(name)
        if has_default and "default_omitted" not in self.off:
            form = form_arguments({name: default}, self.tool, self.off)
            if self._argument(name, form, open_=False).level in {"exact", "tolerated"}:
                return ArgumentFit("tolerated", ("default_omitted",))
        if self.kinds[name] == "exact" and matcher.exact is None and self._is_nothing(name):
            return ArgumentFit("tolerated", ("null_omitted",))
        return ArgumentFit("mismatch", reason="missing")

    def _unlisted(self, name: str, form: ArgumentsForm) -> ArgumentFit:
        given = form.meanings[name]
        if name not in self.view.properties:
            if self.view.is_open and "extra_param" not in self.off:
                return ArgumentFit("tolerated", ("extra_param",))
            return ArgumentFit("mismatch", reason="no such argument")
        default, has_default = self._default(name)
        if has_default and "default_given" not in self.off:
            view = self.view.property_(name)
            if meaning_of(default, view, name, self.off).key == given.key:
                return ArgumentFit("tolerated", ("default_given",))
        if given.key == "null" and self._is_nothing(name):
            return ArgumentFit("tolerated", ("null_omitted",))
        if given.key == "null" and has_default and name not in self.view.required:
            return ArgumentFit("ambiguous", reason=f"null where {_short(default)} is the default")
        return ArgumentFit("mismatch", reason=f"{_short(form.raw[name])} is not in the reference")

    def _is_nothing(self, name: str) -> bool:
        """Whether null says the same as leaving the argument out."""
        default, has_default = self._default(name)
        optional = name in self.view.properties and name not in self.view.required
        return optional and not (has_default and default is not None) and self._tolerates_null

    @property
    def _tolerates_null(self) -> bool:
        return "null_omitted" not in self.off

    def _may_be_default(self, name: str, wanted: Meaning, given: Meaning) -> bool:
        default, has_default = self._default(name)
        if given.key != "null" or not has_default or name in self.view.required:
            return False
        return meaning_of(default, self.view.property_(name), name, self.off).key == wanted.key

    def _default(self, name: str) -> tuple[JsonValue, bool]:
        schema = self.view.property_(name).schema if name in self.view.properties else {}
        return schema.get("default"), "default" in schema


def expectation(
    expected: ExpectedCall, tools: Sequence[ToolSpec], off: frozenset[str] = frozenset()
) -> Expectation:
    """Pair an expected call with its tool; a tool without a schema says nothing."""
    spec = next((tool for tool in tools if tool.name == expected.tool), None)
    return Expectation(expected, spec or UNKNOWN, off)


def _names_only(rungs: tuple[str, ...]) -> tuple[str, ...]:
    """Keep the tolerances that a value needs which is written as the reference has it."""
    return tuple(rung for rung in rungs if rung in {"param_case", "param_alias"})


def _needed(wanted: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """Return what only one side needed; where both needed the same, that."""
    differing = set(wanted) ^ set(given)
    omitted = {"default_given": "default_omitted"} if "default_given" not in given else {}
    return tuple(
        omitted.get(rung, rung)
        for rung in dict.fromkeys([*given, *wanted])
        if not differing or rung in differing
    )


def _may_be(wanted: Meaning, given: Meaning) -> bool:
    """Whether one of several readings is the other value."""
    return not (wanted.readings | {wanted.key}).isdisjoint(given.readings | {given.key})


def _short(value: JsonValue) -> str:
    text = canonical(value)
    return text if len(text) <= 60 else text[:57] + "..."
