"""The pictures of the lead's page: where to draw what, in a box 520 units wide."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trajaudit.datamodel.review import ItemState
from trajaudit.report.corrected_schema import Correction
from trajaudit.review.lead_records import AgreementFigure, LeadFigures, ReviewerFigures
from trajaudit.web.language import Words

_LEFT, _WIDTH, _ROW = 140, 360, 30
TICKS = tuple((_LEFT + _WIDTH * tick / 4, f"{tick / 4:.2g}") for tick in range(5))
_KIND = {
    ItemState.NEW: "open",
    ItemState.LEASED: "open",
    ItemState.WAITING: "wait",
    ItemState.CONFLICT: "bad",
    ItemState.AGREED: "done",
    ItemState.ADJUDICATED: "done",
    ItemState.UNDECIDED: "wait",
}


@dataclass(frozen=True)
class Bar:
    """A dot for the figure, a line for its interval, and the same in words."""

    name: str
    middle: float
    line: tuple[float, float] | None
    dot: float | None
    says: str


@dataclass(frozen=True)
class Plot:
    """All bars, the height that they take, and where the wanted least is."""

    bars: tuple[Bar, ...]
    height: int
    least: float | None = None


@dataclass(frozen=True)
class StateBar:
    """Items in one state."""

    state: ItemState
    count: int
    width: float
    kind: str


@dataclass(frozen=True)
class Figure:
    """What is drawn as one bar."""

    name: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ShownRates:
    """The rates of a run, drawn, and what has to be known about them."""

    title: str
    plot: Plot
    notes: tuple[str, ...] = ()


def plot_of(figures: Iterable[Figure], least: float | None = None) -> Plot:
    """Draw figures between 0 and 1; what lies below 0 is drawn at 0, its words say the number."""
    bars: list[Bar] = []
    for one in figures:
        if one.value is None:
            continue
        whole = one.low is not None and one.high is not None
        interval = f" ({one.low:.2f} to {one.high:.2f})" if whole else ""
        bars.append(
            Bar(
                name=one.name,
                middle=_ROW * len(bars) + _ROW / 2,
                line=(_x(one.low or 0), _x(one.high or 0)) if whole else None,
                dot=_x(one.value),
                says=f"{one.name}: {one.value:.2f}{interval}",
            )
        )
    return Plot(tuple(bars), _ROW * len(bars) + 20, None if least is None else _x(least))


def agreement_plot(figures: LeadFigures, words: Words) -> Plot:
    """Draw how far people, panel and judges agree."""
    return plot_of((_agreement(one, words) for one in figures.agreement), figures.round.least)


def _agreement(one: AgreementFigure, words: Words) -> Figure:
    value = one.ac1 if one.alpha is None else one.alpha
    return Figure(words(f"between_{one.between}"), value, one.low, one.high)


def rates_plot(found: Correction, words: Words) -> ShownRates:
    """Draw the rate of a run, decided in each way, the corrected one last."""
    figures = [
        Figure(
            words(f"column_{one.name}"),
            one.value,
            one.interval.low if one.interval else None,
            one.interval.high if one.interval else None,
        )
        for one in found.columns
    ]
    refused = [one.refused for one in found.estimates[:1] if one.refused]
    return ShownRates(found.run_id, plot_of(figures), (*refused, *found.banners))


def gold_plot(reviewers: Sequence[ReviewerFigures], least: float) -> Plot:
    """Draw how often each reviewer was right on known items, with the upper limit of that."""
    known = [one for one in reviewers if one.gold.of]
    shares = ((one, one.gold.right / one.gold.of) for one in known)
    return plot_of((Figure(one.name, share, share, one.gold.upper) for one, share in shares), least)


def state_bars(states: Mapping[ItemState, int]) -> tuple[StateBar, ...]:
    """Draw how many items are in each state."""
    most = max(states.values(), default=0)
    return tuple(
        StateBar(state, states[state], round(300 * states[state] / most, 1), _KIND[state])
        for state in ItemState
        if states.get(state)
    )


def _x(value: float) -> float:
    return round(_LEFT + _WIDTH * min(max(value, 0), 1), 1)
