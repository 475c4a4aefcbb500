"""The verdict that an Inspect sample came with."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trajaudit.record.importers.shapes import as_dict, as_list, as_number, as_text

_LETTERS: dict[str, tuple[bool | None, float, str]] = {
    "C": (True, 1.0, ""),
    "I": (False, 0.0, ""),
    "P": (None, 0.5, " (partial)"),
    "N": (None, 0.0, " (no answer)"),
}
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class RawVerdict:
    """What `Origin` keeps of it."""

    passed: bool | None = None
    score: float | None = None
    detail: str = ""


def raw_verdicts(scores: Any, graded: frozenset[str]) -> dict[str, RawVerdict]:
    """Return scorer → verdict, in the order of the log; a value of several parts gives several.

    Args:
        scores: of the sample.
        graded: scorers whose numbers are no pass or fail, by what the whole log says of them.
    """
    found: dict[str, RawVerdict] = {}
    for name, score in as_dict(scores).items():
        found.update(_parts(name, score, graded))
    return found


def _parts(name: str, score: Any, graded: frozenset[str]) -> Iterator[tuple[str, RawVerdict]]:
    fields = as_dict(score)
    value = fields.get("value") if fields else score
    if isinstance(value, dict) and value:
        for part, one in value.items():
            yield f"{name}.{part}", _verdict(f"{name}.{part}", one, {}, binary=name not in graded)
    else:
        yield name, _verdict(name, value, fields, binary=name not in graded)


def _verdict(name: str, value: Any, score: dict[str, Any], *, binary: bool) -> RawVerdict:
    passed, number, note = _read(value, binary=binary)
    shown = "not scored" if _is_nan(value) or value is None else as_text(value)[:100]
    reason = as_text(score.get("reason"))[:100]
    note += f" ({reason})" if reason else ""
    note += " (edited)" if as_list(score.get("history")) else ""
    return RawVerdict(passed, number, f"{name}={shown}{note}")


def _read(value: Any, *, binary: bool) -> tuple[bool | None, float | None, str]:
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    if isinstance(value, str) and value.lower() in _WORDS:
        passed = _WORDS[value.lower()]
        return passed, float(passed), ""
    if isinstance(value, bool):
        return value, float(value), ""
    number = _number(value)
    if number is None:
        return None, None, ""
    return (bool(number) if binary and number in (0, 1) else None), number, ""


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return as_number(value)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def graded_scorers(results: Any) -> frozenset[str]:
    """Return the scorers whose values are amounts: a metric of theirs lies outside of 0 to 1."""
    found = set()
    for score in map(as_dict, as_list(as_dict(results).get("scores"))):
        metrics = as_dict(score.get("metrics")).values()
        values = [as_number(as_dict(metric).get("value")) for metric in metrics]
        if any(value is not None and not 0 <= value <= 1 for value in values):
            found |= {as_text(score.get("name")), as_text(score.get("scorer"))}
    return frozenset(found)
