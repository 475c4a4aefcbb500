"""Which calls of a trajectory may fit an expected one? Looked up by form, not one by one."""

import json
from collections.abc import Sequence

from trajaudit.datamodel.accept import ExpectedCall
from trajaudit.datamodel.tool import ToolSpec
from trajaudit.score.argument_match import CallFit, Expectation, expectation
from trajaudit.score.call_reading import ArgumentsForm, CallReading, read_call
from trajaudit.score.matcher import kind_of
from trajaudit.score.meaning import meaning_of
from trajaudit.score.schema_view import SchemaView

Signature = frozenset[tuple[str, str]]


class CallIndex:
    """The calls of one trajectory beside the tools of its task; built once, asked by every path."""

    def __init__(
        self,
        readings: Sequence[CallReading],
        tools: Sequence[ToolSpec],
        off: frozenset[str] = frozenset(),
    ) -> None:
        self.readings = readings
        self.tools = tools
        self.off = off
        self.served: dict[tuple[str, str], bool] = {}
        """Mode and expected call → whether any call serves it."""
        self._effects = {tool.name: tool.effect for tool in tools}
        self._known: dict[str, dict[int, CallFit]] = {}
        self._by_form: dict[tuple[str, Signature], list[int]] = {}
        self._irregular: dict[str, list[int]] = {}
        self._by_tool: dict[str, list[int]] = {}
        for number, reading in enumerate(readings):
            self._add(number, reading)

    def effect(self, tool: str | None) -> str:
        """Return what a tool does: read, or write where nothing is known."""
        return self._effects.get(tool or "", "write")

    def key(self, expected: ExpectedCall) -> str:
        """Write an expected call so that equal demands are equal text, whatever their id."""
        arguments = {
            name: [
                value
                for field in sorted(m.model_fields_set)
                for value in (field, m.__dict__[field])
            ]
            for name, m in expected.arguments.items()
        }
        flags = [expected.optional, expected.repeat, expected.extra_arguments]
        return f"{expected.tool} {json.dumps(arguments, sort_keys=True)} {flags}"

    def fits(self, expected: ExpectedCall, key: str | None = None) -> dict[int, CallFit]:
        """Return the calls that fit, at least perhaps, and how."""
        key = key or self.key(expected)
        if key not in self._known:
            self._known[key] = self._compare(expectation(expected, self.tools, self.off))
        return self._known[key]

    def fit(self, expected: ExpectedCall, number: int) -> CallFit:
        """Compare one call in full, so that every difference is named."""
        return self._fit(expectation(expected, self.tools, self.off), self.readings[number])

    def of_tool(self, tool: str) -> list[int]:
        """Return the calls of a tool."""
        return self._by_tool.get(tool, [])

    def _add(self, number: int, reading: CallReading) -> None:
        tool = reading.named.name or reading.call.tool
        self._by_tool.setdefault(tool, []).append(number)
        if reading.form is None or reading.call.requested_text or not _is_regular(reading.form):
            self._irregular.setdefault(tool, []).append(number)
            return
        spec = next((spec for spec in self.tools if spec.name == tool), None)
        form = _signature(reading.form, spec, self.off)
        self._by_form.setdefault((tool, form), []).append(number)

    def _candidates(self, wanted: Expectation) -> list[int]:
        tool = wanted.expected.tool
        literal = all(kind_of(m) == "exact" for m in wanted.expected.arguments.values())
        if not literal or wanted.expected.extra_arguments or not _is_regular(wanted.form):
            return self.of_tool(tool)
        spec = next((spec for spec in self.tools if spec.name == tool), None)
        form = _signature(wanted.form, spec, self.off)
        return [*self._by_form.get((tool, form), []), *self._irregular.get(tool, [])]

    def _compare(self, wanted: Expectation) -> dict[int, CallFit]:
        same: dict[tuple[str, str, str | None], CallFit] = {}
        found: dict[int, CallFit] = {}
        for number in sorted(self._candidates(wanted)):
            call = self.readings[number].call
            key = (call.tool, call.arguments_text or repr(call.arguments), call.requested_text)
            if key not in same:
                same[key] = self._fit(wanted, self.readings[number])
            if same[key].level != "mismatch":
                found[number] = same[key]
        return found

    def _fit(self, wanted: Expectation, reading: CallReading) -> CallFit:
        fit = wanted.fit(reading)
        text = reading.call.requested_text
        if fit.level in {"exact", "tolerated"} or text is None or "harness_changed" in self.off:
            return fit
        asked = reading.call.model_copy(update={"arguments_text": text, "arguments": None})
        meant = wanted.fit(read_call(asked, self.tools, self.off))
        if meant.level not in {"exact", "tolerated"}:
            return fit
        return CallFit("tolerated", (*meant.tolerances, "harness_changed"))


def _is_regular(form: ArgumentsForm) -> bool:
    """Whether every value has one reading and none is null, so that equal forms decide."""
    return not any(m.readings or m.key == "null" for m in form.meanings.values())


def _signature(form: ArgumentsForm, tool: ToolSpec | None, off: frozenset[str]) -> Signature:
    """Leave out what makes no difference: defaults, and what an open schema lets pass."""
    view = SchemaView.of(tool.parameters if tool else {})
    found = set()
    for name, meaning in form.meanings.items():
        if name not in view.properties and view.is_open:
            continue
        schema = view.property_(name).schema if name in view.properties else {}
        if "default" in schema:
            usual = meaning_of(schema["default"], view.property_(name), name, off)
            if usual.key == meaning.key:
                continue
        found.add((name, meaning.key))
    return frozenset(found)
