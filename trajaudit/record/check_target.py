"""Does a target make sense in itself?"""

import re
from collections.abc import Callable, Iterator
from datetime import date, time
from typing import Any

from trajaudit.datamodel.target import (
    ChoicesTarget,
    ChoiceTarget,
    DateTarget,
    IntervalTarget,
    JsonTarget,
    MoneyTarget,
    NumberTarget,
    PatchTarget,
    PercentTarget,
    RegexTarget,
    RubricTarget,
    Target,
    TimeTarget,
)
from trajaudit.record.check import regex_fault
from trajaudit.record.check_schema import schema_fault
from trajaudit.record.fault import nearest

Pair = tuple[str, str]
"""Field and what is wrong with it."""

_INTERVAL = re.compile(r"\s*[\[(]\s*([^,;]+)\s*[,;]\s*([^,;]+)\s*[\])]\s*")


def target_faults(target: Target) -> Iterator[Pair]:
    """Yield (field, fault) for whatever contradicts itself in a target."""
    if target.answer_format is not None:
        yield from _format(target)
    for kinds, check in _CHECKS:
        if isinstance(target, kinds):
            yield from check(target)


def format_fault(answer_format: str) -> str | None:
    """Return what is wrong with a declared format, or None."""
    if answer_format.count("{answer}") == 1:
        return None
    return f"no format; got {answer_format[:60]!r}; write {{answer}} once where the value stands"


def _format(target: Target) -> Iterator[Pair]:
    fault = format_fault(target.answer_format or "")
    if fault:
        yield "answer_format", fault
    if isinstance(target, (PatchTarget, RubricTarget)):
        yield "answer_format", f"a {target.key} has no format; got one; leave it out"


def _tolerance(target: Any) -> Iterator[Pair]:
    if target.tolerance is not None and not target.tolerance >= 0:
        yield "tolerance", f"out of range; got {target.tolerance}; a number from 0 is wanted"


def _choice(target: Any) -> Iterator[Pair]:
    chosen = [target.choice] if isinstance(target, ChoiceTarget) else list(target.choices)
    for name in chosen:
        if target.of and name not in target.of:
            yield target.key, f"unknown choice; got {name!r}; {nearest(name, target.of)}"
    if len(set(chosen)) < len(chosen):
        yield target.key, "a choice is written twice; write each once"


def _interval(target: Any) -> Iterator[Pair]:
    if not _INTERVAL.fullmatch(target.interval):
        yield "interval", f"no interval; got {target.interval[:40]!r}; write it like [0, 1)"


def _date(target: Any) -> Iterator[Pair]:
    try:
        date.fromisoformat(target.date)
    except ValueError:
        yield "date", f"no date; got {target.date[:40]!r}; write it like 2026-11-29"
    if target.date_order not in {None, "dmy", "mdy", "ymd"}:
        yield "date_order", f"not allowed; got {target.date_order!r}; use dmy, mdy or ymd"


def _time(target: Any) -> Iterator[Pair]:
    try:
        time.fromisoformat(target.time)
    except ValueError:
        yield "time", f"no time; got {target.time[:40]!r}; write it like 14:30 or 14:30:00"
    if target.clock not in {None, 12, 24}:
        yield "clock", f"not allowed; got {target.clock}; use 12 or 24"


def _json(target: Any) -> Iterator[Pair]:
    if target.schema_ is None:
        return
    fault = schema_fault(target.schema_)
    if fault:
        yield "schema", fault
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        validator = Draft202012Validator(target.schema_, registry=Registry())
        error = next(validator.iter_errors(target.json_), None)
    except (Unresolvable, RecursionError) as problem:
        yield "schema", f"cannot be applied; {str(problem)[:120]}"
        return
    if isinstance(error, ValidationError):
        yield "json", f"does not fit its own schema; {error.message[:120]}"


def _regex(target: Any) -> Iterator[Pair]:
    fault = regex_fault(target.regex)
    if fault:
        yield "regex", fault


_CHECKS: tuple[tuple[Any, Callable[[Any], Iterator[Pair]]], ...] = (
    ((NumberTarget, MoneyTarget, PercentTarget), _tolerance),
    ((ChoiceTarget, ChoicesTarget), _choice),
    (IntervalTarget, _interval),
    (DateTarget, _date),
    (TimeTarget, _time),
    (JsonTarget, _json),
    (RegexTarget, _regex),
)
