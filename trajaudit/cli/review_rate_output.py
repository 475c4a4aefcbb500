"""How `trajaudit review rate` says what people's labels tell of a rate."""

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from trajaudit.cli.output import out

if TYPE_CHECKING:
    from trajaudit.report.corrected_schema import Correction, Estimated

_WIDTH = 78
_NAME = 38
_OF = {
    "these": "these trials",
    "new_tasks": "new tasks like these",
    "watched": "these trials, looked at after each label",
    "old_gold": "these trials, by older labels",
    "difference": "the difference",
}


def show(one: "Correction") -> None:
    """Say it in 80 columns."""
    for line in lines_of(one):
        out(line)


def lines_of(one: "Correction") -> Iterator[str]:
    """Yield the lines that are shown of one run."""
    run = one.run_id if one.against is None else f"{one.run_id} against {one.against}"
    yield f"{run}   {one.trials} trials of {one.tasks} tasks, {one.labelled} labelled"
    rest = {"people could not tell": one.cannot_tell, "not settled yet": one.pending}
    rest |= {"labelled beside the sample": one.beside}
    if said := ", ".join(f"{count} {what}" for what, count in rest.items() if count):
        yield f"  {said}"
    for column in one.columns:
        value = number(column.value, column.interval)
        yield from _wrapped(f"  {column.name:<10} {value:<22} {column.method}", 36)
    for estimate in one.estimates:
        yield from _estimate(estimate, one.confidence)
    yield from _strata(one)
    yield from _worth(one)
    banners = [*one.banners, *(f"broken, in no rate: {each}" for each in one.broken_tasks)]
    for line in banners:
        yield from _wrapped(f"  ! {line}", 4)


def number(value: float | None, interval: tuple[float, float] | None) -> str:
    """Return `0.413 [0.283, 0.558]`."""
    if value is None:
        return "—"
    return f"{value:.3f}" + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")


def _estimate(one: "Estimated", confidence: float) -> Iterator[str]:
    yield ""
    if one.refused:
        yield from _wrapped(f"no estimate of {_OF[one.of]}: {one.refused}", 2)
        return
    yield f"{_OF[one.of]}: {number(one.value, one.interval)} ({confidence:.0%})"
    for what, bound in (("fail", one.if_fail), ("pass", one.if_pass)):
        if bound is not None:
            value = number(bound.value, bound.interval)
            yield f"  {value} if all {what} on which people could not tell"
    if one.detectable is not None:
        yield f"  a difference of {one.detectable:.3f} would be shown four times of five"
    if one.labels_to_halve:
        yield f"  {one.labels_to_halve} more labels would halve the interval"
    for name, slope in one.slopes.items():
        yield f"  {name}: guesses follow the panel's score by {slope:.2f}"
    for line in one.banners:
        yield from _wrapped(f"  ! {line}", 4)


def _strata(one: "Correction") -> Iterator[str]:
    if one.strata:
        yield ""
        yield f"  {'stratum':<{_NAME}} {'queue':<8} {'trials':>7} {'labelled':>9} {'pass':>6}"
    for each in one.strata:
        name = each.name if len(each.name) <= _NAME else f"{each.name[: _NAME - 1]}…"
        counts = f"{each.size:>7} {each.labelled:>9} {each.passes:>6}"
        yield f"  {name:<{_NAME}} {each.queue:<8} {counts}"


def _worth(one: "Correction") -> Iterator[str]:
    if one.effective_labels is not None and one.correlation is not None:
        worth = f"{one.labelled} labels are worth {one.effective_labels:.0f} of people alone"
        yield f"  {worth} (strata and labels correlate by {one.correlation:.2f})"
    if one.human_alpha is not None:
        yield f"  people agree: α {number(one.human_alpha, one.human_alpha_interval)}"


def _wrapped(line: str, indent: int) -> list[str]:
    return wrap(line, _WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
