"""Which path was nearest, and what would have to change? An edit script for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import JsonValue

from trajaudit.datamodel.verdict import Evidence, Mode
from trajaudit.score.assignment import Assignment, violations
from trajaudit.score.call_reading import CallReading
from trajaudit.score.matching import f1_of
from trajaudit.score.path_table import PathTable

EditKind = Literal["insert", "delete", "replace", "reorder", "argument"]
PERFECT: dict[str, JsonValue] = {"precision": 1.0, "recall": 1.0, "f1": 1.0}
_SHOWN = 50
"""Edits that are written out; the rest is counted."""


@dataclass(frozen=True)
class Edit:
    """One change that brings the calls nearer to the path."""

    kind: EditKind
    text: str
    tool: str
    actual: int | None = None
    step: int | None = None
    expected: int | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """Write it for a verdict's detail."""
        return {"kind": self.kind, "text": self.text, "tool": self.tool, "step": self.step}


@dataclass(frozen=True)
class Nearest:
    """The path with the fewest edits, and those edits."""

    table: PathTable
    assignment: Assignment

    @cached_property
    def edits(self) -> list[Edit]:
        return _edits(self.table, self.assignment)[:_SHOWN]

    @property
    def reason(self) -> str:
        """Say in one sentence how far the nearest path is."""
        count = cost(self.table, self.assignment)
        texts = "; ".join(edit.text for edit in self.edits[:3])
        return f"follows no accepted path; nearest is {self.table.name!r}, {count} away: {texts}"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        readings = self.table.index.readings
        return tuple(
            evidence_of(readings[edit.actual]) for edit in self.edits[:5] if edit.actual is not None
        )

    def figures(self, mode: Mode) -> dict[str, JsonValue]:
        """Return precision, recall and F1 of the calls, in any order.

        Precision: share of the calls that serve an expected one, calls that are free to be there
        left out. Recall: share of the required calls that are served. F1: their harmonic mean.
        """
        problem = self.table.problem(mode)
        found = self.table.best(mode)
        wanted = sum(problem.required)
        counted = len(found.pairs) + len(found.surplus)
        precision, _, _ = f1_of(len(found.pairs), counted, wanted)
        _, recall, _ = f1_of(wanted - len(found.missing), counted, wanted)
        total = precision + recall
        f1 = 2 * precision * recall / total if total else 0.0
        return {"precision": precision, "recall": recall, "f1": f1}


def nearest_path(tables: Sequence[PathTable]) -> Nearest:
    """Return the path that the fewest edits lead to; ties go to the first by name."""
    bounds = sorted(
        ((table.lacking("lenient"), table.sort_key, number) for number, table in enumerate(tables))
    )
    best: tuple[int, tuple[str, ...], int] | None = None
    for bound, key, number in bounds:
        if best is None or (bound, key) < best[:2]:
            table = tables[number]
            found = (cost(table, table.best("lenient")), key, number)
            best = found if best is None else min(best, found)
    if best is None:
        raise ValueError("there is no path to be near to")
    return Nearest(tables[best[2]], tables[best[2]].best("lenient"))


def cost(table: PathTable, assignment: Assignment) -> int:
    """Count the edits: calls to insert, delete or replace, and calls at the wrong place."""
    wrong = {b for _, b in violations(table.problem("lenient"), assignment.pairs)}
    return max(len(assignment.missing), len(assignment.surplus)) + len(wrong)


def _edits(table: PathTable, assignment: Assignment) -> list[Edit]:
    found, missing, surplus = _same_tool(table, assignment)
    for expected, actual in zip(missing, surplus, strict=False):
        wanted, reading = table.expected[expected], table.index.readings[actual]
        text = f"{wanted.tool} instead of {reading.call.tool}"
        found.append(Edit("replace", text, wanted.tool, actual, reading.step))
    for expected in missing[len(surplus) :]:
        found.append(_insertion(table, expected))
    for actual in surplus[len(missing) :]:
        reading = table.index.readings[actual]
        text = f"no {reading.call.tool} at step {reading.step}"
        found.append(Edit("delete", text, reading.call.tool, actual, reading.step))
    served = {e: a for a, e in sorted(assignment.pairs.items(), reverse=True)}
    for a, b in violations(table.problem("lenient"), assignment.pairs):
        first, second = table.expected[a].tool, table.expected[b].tool
        step = table.index.readings[served[b]].step
        text = f"{first} in a step before {second}"
        found.append(Edit("reorder", text, second, served[b], step))
    return found


def _insertion(table: PathTable, expected: int) -> Edit:
    tool = table.expected[expected].tool
    failed = [a for a in table.fits[expected] if not table.index.readings[a].happened]
    if not failed:
        return Edit("insert", f"a call of {tool}", tool)
    reading = table.index.readings[failed[-1]]
    text = f"a call of {tool} that succeeds: {(reading.error or 'it was never carried out')[:80]}"
    return Edit("insert", text, tool, failed[-1], reading.step)


def _same_tool(table: PathTable, assignment: Assignment) -> tuple[list[Edit], list[int], list[int]]:
    """Pair missing calls with idle calls of the same tool, those with the fewest differences."""
    idle = [a for a, _ in enumerate(table.index.readings) if a not in assignment.pairs]
    missing, surplus = list(assignment.missing)[:_SHOWN], list(assignment.surplus)
    pairs, extra = [], set(surplus)
    for expected in missing:
        wanted = table.plan.wanted[expected]
        for actual in set(table.index.of_tool(wanted.expected.tool)).intersection(idle):
            fit = table.fits[expected].get(actual)
            if fit is not None and (fit.level != "ambiguous" or not table.index.serves[actual]):
                continue
            count = wanted.misfits(table.index.readings[actual])
            pairs.append((count, fit is None, actual not in extra, expected, actual))
    found: list[Edit] = []
    for *_, expected, actual in sorted(pairs):
        if expected not in missing or actual not in idle:
            continue
        missing.remove(expected)
        idle.remove(actual)
        if actual in surplus:
            surplus.remove(actual)
        tool, step = table.expected[expected].tool, table.index.readings[actual].step
        differences = ", ".join(table.index.fit(table.plan.wanted[expected], actual).differences)
        text = f"{tool} with other arguments ({differences})"
        found.append(Edit("argument", text, tool, actual, step, expected))
    return found, missing, surplus


def evidence_of(reading: CallReading) -> Evidence:
    """Point at a call."""
    quote = f"{reading.call.tool}({reading.call.arguments_text[:160]})"
    return Evidence(
        seq=reading.call.seq, step=reading.step, quote=quote, call_id=reading.call.call_id
    )
