"""Does a call fit an expected one? Exactly, with named tolerances, perhaps, or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import JsonValue

from trajaudit.datamodel.accept import ExpectedCall, Matcher
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.argument_repair import canonical
from trajaudit.score.call_reading import ArgumentsForm, CallReading, form_arguments
from trajaudit.score.matcher import is_matched, kind_of
from trajaudit.score.meaning import Meaning, meaning_of
from trajaudit.score.schema_view import Schema, SchemaView

Level = Literal["exact", "tolerated", "ambiguous", "mismatch"]
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


@dataclass(frozen=True)
class Expectation:
    """An expected call beside its tool, read once and compared often."""

    expected: ExpectedCall
    tool: ToolSpec
    off: frozenset[str] = frozenset()

    @cached_property
    def view(self) -> SchemaView:
        return SchemaView.of(self.tool.parameters)

    @cached_property
    def form(self) -> ArgumentsForm:
        """The literal arguments of the reference, in the form in which meanings are compared."""
        literal: Schema = {
            name: value
            for name, matcher in self.expected.arguments.items()
            if (kind := kind_of(matcher)) in {"exact", "strict"}
            for value in [matcher.exact if kind == "exact" else matcher.strict]
        }
        return form_arguments(literal, self.tool, self.off)

    def fit(self, reading: CallReading, *, open_: bool = False) -> CallFit:
        """Compare; with `open_`, arguments that are not listed are allowed."""
        open_ = open_ or self.expected.extra_arguments
        if reading.call.tool == self.expected.tool and self._is_exact(reading.strict, open_=open_):
            return CallFit("exact")
        if (reading.named.name or reading.call.tool) != self.expected.tool:
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

    def _names(self, reading: CallReading) -> list[str]:
        given = reading.form.meanings if reading.form else {}
        return list(dict.fromkeys([*self.expected.arguments, *given]))

    def _is_exact(self, arguments: Schema | None, *, open_: bool) -> bool:
        wanted = self.expected.arguments
        if arguments is None or not wanted.keys() <= arguments.keys():
            return False
        if not open_ and arguments.keys() != wanted.keys():
            return False
        return all(is_matched(matcher, arguments[name]) for name, matcher in wanted.items())

    def _argument(self, name: str, form: ArgumentsForm, open_: bool) -> ArgumentFit:
        matcher = self.expected.arguments.get(name)
        if matcher is None:
            return ArgumentFit("exact") if open_ else self._unlisted(name, form)
        if name not in form.meanings:
            return self._left_out(name, matcher)
        if kind_of(matcher) == "exact":
            return self._literal(name, form)
        if is_matched(matcher, form.raw[name]):
            return ArgumentFit("exact", _names_only(form.rungs[name]))
        if kind_of(matcher) != "strict" and self._fits_repaired(name, matcher, form):
            return ArgumentFit("tolerated", form.rungs[name])
        return ArgumentFit("mismatch", reason=f"{_short(form.raw[name])} does not fit")

    def _fits_repaired(self, name: str, matcher: Matcher, form: ArgumentsForm) -> bool:
        value = form.repaired[name]
        if is_matched(matcher, value):
            return True
        view = self.view.property_(name)
        candidates = matcher.any_of if kind_of(matcher) == "any_of" else None
        if candidates is not None:
            keys = {meaning_of(item, view, name, self.off).key for item in candidates}
            return form.meanings[name].key in keys
        if kind_of(matcher) == "unordered" and isinstance(value, list):
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
        reason = f"{_short(form.raw[name])} is not {_short(self.form.raw[name])}"
        if _may_be(wanted, given) or self._may_be_default(name, wanted, given):
            return ArgumentFit("ambiguous", reason=reason + " for certain")
        return ArgumentFit("mismatch", reason=reason)

    def _left_out(self, name: str, matcher: Matcher) -> ArgumentFit:
        default, has_default = self._default(name)
        if has_default and "default_omitted" not in self.off:
            form = form_arguments({name: default}, self.tool, self.off)
            if self._argument(name, form, open_=False).level in {"exact", "tolerated"}:
                return ArgumentFit("tolerated", ("default_omitted",))
        if kind_of(matcher) == "exact" and matcher.exact is None and self._is_nothing(name):
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
    return Expectation(expected, spec or ToolSpec(name="unknown", parameters={}), off)


def _names_only(rungs: tuple[str, ...]) -> tuple[str, ...]:
    """Keep the tolerances that a value needs which is written as the reference has it."""
    return tuple(rung for rung in rungs if rung in {"param_case", "param_alias"})


def _needed(wanted: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """Return what only one side needed; where both needed the same, that."""
    differing = set(wanted) ^ set(given)
    return tuple(
        rung for rung in dict.fromkeys([*given, *wanted]) if not differing or rung in differing
    )


def _may_be(wanted: Meaning, given: Meaning) -> bool:
    """Whether one of several readings is the other value."""
    return not (wanted.readings | {wanted.key}).isdisjoint(given.readings | {given.key})


def _short(value: JsonValue) -> str:
    text = canonical(value)
    return text if len(text) <= 60 else text[:57] + "..."
