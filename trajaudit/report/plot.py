"""The pictures of rates and lengths: where to draw what, in a box 400 units wide."""

from collections.abc import Sequence
from dataclasses import dataclass

from trajaudit.report import figures
from trajaudit.report.corrected_schema import Correction, Estimated
from trajaudit.report.schema import Column, LimitShare
from trajaudit.stats import Interval

_LEFT, _WIDTH, _ROW = 62, 320, 34
TICKS = tuple((_LEFT + _WIDTH * tick / 4, f"{tick / 4:.2g}") for tick in range(5))


@dataclass(frozen=True)
class Bar:
    """One column: a band between the bounds, a line for the interval, a dot for the rate."""

    name: str
    middle: float
    band: tuple[float, float]
    line: tuple[float, float] | None
    dot: float | None
    says: str


@dataclass(frozen=True)
class Plot:
    """All bars and the height that they take."""

    bars: tuple[Bar, ...]
    height: int


def plot_of(columns: Sequence[Column]) -> Plot:
    """Columns without a rate are not drawn."""
    bars: list[Bar] = []
    for column in columns:
        if column.pass_at_1 is None or column.interval is None:
            continue
        low = column.pass_at_1 if column.if_wrong is None else column.if_wrong
        high = column.pass_at_1 if column.if_right is None else column.if_right
        says = f"{column.name}: {figures.pass_at_1(column)}, bounds {figures.bounds(column)}"
        bars.append(
            Bar(
                name=column.name,
                middle=_ROW * len(bars) + _ROW / 2,
                band=(_x(low), max(_x(high) - _x(low), 0)),
                line=(_x(column.interval.low), _x(column.interval.high)),
                dot=_x(column.pass_at_1),
                says=says,
            )
        )
    return Plot(tuple(bars), _ROW * len(bars) + 20)


def plot_of_corrected(found: Correction | None) -> Plot:
    """Every column beside the corrected rates; what has no rate is not drawn."""
    if found is None:
        return Plot((), 0)
    drawn: list[tuple[str, float, Interval | None, tuple[float, float]]] = [
        (one.name, one.value, one.interval, (one.value, one.value))
        for one in found.columns
        if one.name != "corrected" and one.value is not None
    ]
    drawn += [
        (_SHORT.get(one.of, "corrected"), one.value, one.interval, _bounds(one, one.value))
        for one in found.estimates
        if one.value is not None
    ]
    bars = [
        Bar(
            name=name,
            middle=_ROW * number + _ROW / 2,
            band=(_x(low), max(_x(high) - _x(low), 0)),
            line=None if interval is None else (_x(interval.low), _x(interval.high)),
            dot=_x(value),
            says=f"{name}: {figures.with_interval(value, interval)}",
        )
        for number, (name, value, interval, (low, high)) in enumerate(drawn)
    ]
    return Plot(tuple(bars), _ROW * len(bars) + 20)


_SHORT = {"new_tasks": "new tasks"}


def _bounds(one: Estimated, value: float) -> tuple[float, float]:
    low = value if one.if_fail is None else one.if_fail.value
    return low, value if one.if_pass is None else one.if_pass.value


def plot_of_lengths(limits: Sequence[LimitShare]) -> Plot:
    """For each token limit the share of replies that it would have let end."""
    bars = [
        Bar(
            name=f"{one.limit:,}",
            middle=_ROW * number + _ROW / 2,
            band=(_x(one.low), max(_x(one.high) - _x(one.low), 0)),
            line=None,
            dot=None if one.share is None else _x(one.share),
            says=f"{one.limit:,} tokens: {figures.rate(one.share)}, "
            f"for certain {figures.rate(one.low)} to {figures.rate(one.high)}",
        )
        for number, one in enumerate(limits)
    ]
    return Plot(tuple(bars), _ROW * len(bars) + 20)


def _x(rate: float) -> float:
    return round(_LEFT + _WIDTH * rate, 1)
