"""Which calls of a trajectory may fit an expected one? Looked up by form, not one by one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from trajaudit.datamodel.trajectory import Trajectory
from trajaudit.score.argument_match import EXACT, CallFit, Expectation
from trajaudit.score.argument_repair import canonical
from trajaudit.score.arguments_reading import ArgumentsForm
from trajaudit.score.call_reading import CallReading, read_call, read_calls
from trajaudit.score.meaning import meaning_of
from trajaudit.score.schema_view import SchemaView
from trajaudit.score.tool_registry import ToolRegistry
from trajaudit.score.written import Written

Signature = frozenset[tuple[str, str]]
Buckets = dict[str, list[int]]
"""Numbers of calls by the value of one argument."""
_ABSENT = ""
"""Stands for the value of an argument that is left out; no JSON text is empty."""


class CallIndex:
    """The calls of one trajectory beside the tools of its task; built once, asked by every path."""

    def __init__(
        self,
        trajectory: Trajectory,
        registry: ToolRegistry,
        off: frozenset[str] = frozenset(),
    ) -> None:
        self.written = Written(trajectory)
        self.off = off
        self._trajectory = trajectory
        self._registry = registry
        self.rows: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
        """Mode → demand → the calls that count for it."""
        self.free: dict[tuple[str, str], list[bool]] = {}
        """Mode and extra calls → whether each call may serve nothing."""
        self._exact: dict[str, list[int]] = {}
        self._known: dict[str, dict[int, CallFit]] = {}
        self._values: dict[tuple[str, str], Buckets] = {}
        self._meanings: dict[tuple[str, str], Buckets] = {}
        self._defaults: dict[tuple[str, str], str | None] = {}

    @cached_property
    def readings(self) -> Sequence[CallReading]:
        return read_calls(self._trajectory, self._registry.tools, self.off)

    @cached_property
    def steps(self) -> list[int]:
        """The step of each call."""
        return [reading.step for reading in self.readings]

    def effect(self, tool: str | None) -> str:
        """Return what a tool does: read, or write where nothing is known."""
        return self._registry.effect(tool)

    def exact(self, wanted: Expectation) -> list[int]:
        """Return the calls that are what is demanded, as they are written."""
        if wanted.identity is not None:
            return self._by_identity.get((wanted.expected.tool, wanted.identity), [])
        found = self._exact.get(wanted.key)
        if found is None:
            open_ = wanted.expected.extra_arguments
            found = [
                n for n in self._alike(wanted) if wanted.is_exact(self.readings[n], open_=open_)
            ]
            self._exact[wanted.key] = found
        return found

    def fits(self, wanted: Expectation) -> dict[int, CallFit]:
        """Return the calls that fit, at least perhaps, and how."""
        if wanted.key not in self._known:
            self._known[wanted.key] = self._compare(wanted)
        return self._known[wanted.key]

    def fit(self, wanted: Expectation, number: int) -> CallFit:
        """Compare one call, so that every difference is named."""
        return self._fit(wanted, self.readings[number])

    def of_tool(self, tool: str) -> list[int]:
        """Return the calls of a tool."""
        return self._by_tool.get(tool, [])

    @cached_property
    def happened(self) -> list[bool]:
        """Whether each call was carried out and did not fail."""
        return [reading.happened for reading in self.readings]

    @cached_property
    def serves(self) -> list[bool]:
        """Whether each call counts if it fits: it happened, or was a look that found nothing."""
        return [
            done or (r.call.executed and r.fault is None and self.effect(r.named.name) == "read")
            for done, r in zip(self.happened, self.readings, strict=True)
        ]

    @cached_property
    def _by_tool(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, reading in enumerate(self.readings):
            found.setdefault(reading.tool, []).append(number)
        return found

    @cached_property
    def _by_identity(self) -> dict[tuple[str, bytes | str | None], list[int]]:
        found: dict[tuple[str, bytes | str | None], list[int]] = {}
        for number, reading in enumerate(self.readings):
            key = (reading.call.tool, reading.arguments.identity)
            found.setdefault(key, []).append(number)
        return found

    @cached_property
    def _of_name(self) -> dict[str, list[int]]:
        """The calls by the name of the tool as it was written."""
        found: dict[str, list[int]] = {}
        for number, reading in enumerate(self.readings):
            found.setdefault(reading.call.tool, []).append(number)
        return found

    @cached_property
    def _odd(self) -> dict[str, list[int]]:
        """Calls of each tool that may fit although their form is another one."""
        found: dict[str, list[int]] = {}
        for number, reading in enumerate(self.readings):
            if reading.form is None or reading.call.requested_text or not _is_regular(reading.form):
                found.setdefault(reading.tool, []).append(number)
        return found

    @cached_property
    def _by_form(self) -> dict[tuple[str, Signature], list[int]]:
        found: dict[tuple[str, Signature], list[int]] = {}
        for number, reading in enumerate(self.readings):
            if reading.form is not None:
                key = (reading.tool, self._signature(reading.form, reading.tool))
                found.setdefault(key, []).append(number)
        return found

    def _candidates(self, wanted: Expectation) -> Iterable[int]:
        tool = wanted.expected.tool
        if not _is_regular(wanted.form):
            return self.of_tool(tool)
        literal = all(kind == "exact" for kind in wanted.kinds.values())
        if literal and not wanted.expected.extra_arguments:
            same = self._by_form.get((tool, self._signature(wanted.form, tool)), [])
            return {*same, *self._odd.get(tool, [])}
        buckets = [
            {*found.get(wanted.form.meanings[name].core, []), *found.get(_ABSENT, [])}
            for name, kind in wanted.kinds.items()
            if kind == "exact" and name in wanted.form.meanings
            for found in [self._by_meaning(tool, name)]
        ]
        fewest = min(buckets, key=len, default=None)
        return self.of_tool(tool) if fewest is None else {*fewest, *self._odd.get(tool, [])}

    def _by_meaning(self, tool: str, name: str) -> Buckets:
        found = self._meanings.get((tool, name))
        if found is None:
            found = self._meanings[tool, name] = {}
            for number in self.of_tool(tool):
                form = self.readings[number].form
                if form is not None:
                    meaning = form.meanings.get(name)
                    key = _ABSENT if meaning is None else meaning.core
                    found.setdefault(key, []).append(number)
        return found

    def _alike(self, wanted: Expectation) -> list[int]:
        """Return the calls that share a literal argument with what is wanted, as it is written."""
        tool = wanted.expected.tool
        buckets = [
            self._by_value(tool, name).get(canonical(value), [])
            for name, value in wanted.literal.items()
        ]
        return min(buckets, key=len) if buckets else self._of_name.get(tool, [])

    def _by_value(self, tool: str, name: str) -> Buckets:
        found = self._values.get((tool, name))
        if found is None:
            found = self._values[tool, name] = {}
            for number in self._of_name.get(tool, []):
                arguments = self.readings[number].strict
                if arguments is not None and name in arguments:
                    found.setdefault(canonical(arguments[name]), []).append(number)
        return found

    def _compare(self, wanted: Expectation) -> dict[int, CallFit]:
        exact = set(self.exact(wanted))
        same: dict[tuple[str, str, str, str | None], CallFit] = {}
        found: dict[int, CallFit] = {}
        for number in sorted({*exact, *self._candidates(wanted)}):
            if number in exact:
                found[number] = EXACT
                continue
            call = self.readings[number].call
            text = call.arguments_text
            given = repr(call.arguments) if text.strip() in {"", "null"} else ""
            key = (call.tool, text, given, call.requested_text)
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
        meant = wanted.fit(read_call(asked, self._registry.tools, self.off))
        if meant.level not in {"exact", "tolerated"}:
            return fit
        return CallFit("tolerated", (*meant.tolerances, "harness_changed"))

    def _signature(self, form: ArgumentsForm, tool: str) -> Signature:
        """Leave out what makes no difference: defaults, and what an open schema lets pass."""
        spec = self._registry.spec(tool)
        view = SchemaView.of(spec.parameters if spec else {})
        return frozenset(
            (name, meaning.core)
            for name, meaning in form.meanings.items()
            if not (name not in view.properties and view.is_open)
            and meaning.key != self._default(tool, name, view)
        )

    def _default(self, tool: str, name: str, view: SchemaView) -> str | None:
        """Return the form of an argument's default, where it has one."""
        if name not in view.properties:
            return None
        if (tool, name) not in self._defaults:
            at = view.property_(name)
            has_default = "default" in at.schema
            usual = meaning_of(at.schema["default"], at, name, self.off) if has_default else None
            self._defaults[tool, name] = usual.key if usual is not None else None
        return self._defaults[tool, name]


def _is_regular(form: ArgumentsForm) -> bool:
    """Whether every value has one reading and none is null, so that equal forms decide."""
    return not any(m.readings or m.key == "null" for m in form.meanings.values())
