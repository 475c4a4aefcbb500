"""`--fail-on`: which results stop a release."""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trajaudit.datamodel.finding import FailureKind
from trajaudit.errors import GateMatched, UsageError
from trajaudit.report.schema import Summary

COLUMNS = ("raw", "strict", "lenient", "panel", "human", "final")
_RATE = re.compile(r"(\w+)\s*(<=|>=|<|>)\s*([0-9.]+)")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
WANTED = (
    f"a column ({', '.join(COLUMNS)}) or graded with < <= > >= and a number from 0 to 1, "
    "or finding:KIND"
)


@dataclass(frozen=True)
class Gate:
    """Conditions of which none may hold."""

    conditions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, conditions: Sequence[str]) -> "Gate":
        """Check the conditions before anything runs.

        Raises:
            UsageError: one of them cannot be read.
        """
        for text in conditions:
            _require(text)
        return cls(tuple(conditions))

    def check(self, summaries: Sequence[Summary]) -> None:
        """Raise `GateMatched` when a condition holds for a summary."""
        matched = [
            f"{summary.run_id}: {text} ({said})"
            for summary in summaries
            for text in self.conditions
            if (said := _holds(text, summary)) is not None
        ]
        if matched:
            raise GateMatched(matched)


def _require(text: str) -> None:
    if text.startswith("finding:"):
        kind = text.removeprefix("finding:")
        if kind in {known.value for known in FailureKind}:
            return
        kinds = ", ".join(known.value for known in FailureKind)
        raise UsageError(f"--fail-on: unknown kind of failure; got {kind!r}; known: {kinds}")
    match = _RATE.fullmatch(text.strip())
    if match is None or match[1] not in (*COLUMNS, "graded") or not _is_share(match[3]):
        raise UsageError(f"--fail-on: cannot be read; got {text!r}; {WANTED}")


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def _holds(text: str, summary: Summary) -> str | None:
    if text.startswith("finding:"):
        kind = text.removeprefix("finding:")
        count = sum(kind in row.kinds for row in summary.trial_rows)
        return f"{count} trials" if count else None
    match = _RATE.fullmatch(text.strip())
    if match is None:
        return None
    value = _value(match[1], summary)
    if value is None:
        # Nothing was graded: a lower bound is not met, an upper one is not broken.
        return "nothing was graded" if match[2] in ("<", "<=") else None
    return f"{value:.3f}" if _COMPARE[match[2]](value, float(match[3])) else None


def _value(name: str, summary: Summary) -> float | None:
    if name == "graded":
        final = next((one for one in summary.columns if one.name == "final"), None)
        return final.graded / final.due if final and final.due else None
    column = next((one for one in summary.columns if one.name == name), None)
    return column.pass_at_1 if column else None
