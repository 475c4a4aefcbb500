"""Figures of agreement with intervals, for items that come in groups such as tasks.

The interval is that of a jackknife which leaves out one group at a time (Tukey 1958), on the scale
log(1 - figure), where the distribution is nearest to normal, with Student's t. A bootstrap of whole
groups holds less often where groups are few or nearly all agree; `bench.coverage` shows both.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp, sqrt
from typing import NamedTuple

from trajaudit.stats.agreement import Label, Weight
from trajaudit.stats.interval import Interval
from trajaudit.stats.student import student_quantile
from trajaudit.stats.tallied import FigureName, Ratings, Sums, Tallies

LEAST_GROUPS = 10
"""With fewer groups nothing useful can be said of the spread between them."""
_LEAST = {"percent": 0.0, "positive": 0.0, "negative": 0.0}
_AGREED = 1 - 1e-9


class Figure(NamedTuple):
    """One figure of agreement."""

    value: float | None
    interval: Interval | None
    why: str = ""
    """Why there is no value, or no interval."""


class Reliability(NamedTuple):
    """How far ratings agree, by every figure that such ratings can have."""

    items: int
    """With two ratings at least."""
    groups: int
    """That hold such an item."""
    figures: dict[FigureName, Figure]

    def __getitem__(self, name: FigureName) -> Figure:  # type: ignore[override]
        return self.figures[name]


def reliability(
    groups: Sequence[Sequence[Ratings]],
    *,
    labels: Sequence[Label] = (),
    positive: Label | None = None,
    weight: Weight | None = None,
    confidence: float = 0.95,
) -> Reliability:
    """Return percent agreement, κ (of two columns) or Fleiss' κ, Krippendorff's α, Gwet's AC1, the
    specific agreements on `positive` and on all else, and with `weight` weighted κ, α and AC2.

    A figure without a value is None, never 0 or 1, and says why; so does a missing interval.

    Args:
        groups: items by group; an item is a row of ratings, None where one is missing.
        labels: those that could be given, where some never were (AC1 depends on their number).
        positive: the label of `positive` agreement.
        weight: how far two labels agree; 1 for equal ones.
        confidence: share of intervals that hold the figure of all items like these.

    Raises:
        ValueError: a rating is none of the `labels`, or confidence lies outside of (0, 1).
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    tallies = Tallies(groups, labels=labels, positive=positive, weight=weight)
    alike = Counter(tallies.groups)
    figures = {
        name: _figure(tallies, name, alike, confidence)
        for name in tallies.names(weighted=weight is not None)
    }
    return Reliability(round(tallies.whole.items), len(tallies.groups), figures)


def _figure(tallies: Tallies, name: FigureName, alike: Counter[Sums], confidence: float) -> Figure:
    value = tallies.value(name)
    if value is None:
        return Figure(None, None, tallies.why_none(name))
    count = len(tallies.groups)
    if count < LEAST_GROUPS:
        return Figure(value, None, f"{count} groups are too few for an interval")
    if value > _AGREED:
        return Figure(1.0, _of_all_agreed(tallies, name, confidence))
    left = [(tallies.figure(name, tallies.whole.less(one)), n) for one, n in alike.items()]
    without = [(one, n) for one, n in left if one is not None]
    if len(without) < len(left):
        return Figure(value, None, "it rests on the items of one group")
    mean = sum(one * n for one, n in without) / count
    spread = (count - 1) / count * sum(n * (one - mean) ** 2 for one, n in without)
    if spread < 1e-18:
        return Figure(value, None, "all groups are alike")
    reach = student_quantile((1 + confidence) / 2, degrees=count - 1) * sqrt(spread) / (1 - value)
    low, high = 1 - (1 - value) * exp(reach), 1 - (1 - value) * exp(-reach)
    return Figure(value, Interval(max(low, _LEAST.get(name, -1.0)), high))


def _of_all_agreed(tallies: Tallies, name: FigureName, confidence: float) -> Interval:
    """Nobody differed, in none of the groups: the lower limit is the figure that there would be,
    did groups differ as often as can go unseen (Clopper and Pearson 1934).
    """
    unseen = 1 - ((1 - confidence) / 2) ** (1 / len(tallies.groups))
    low = tallies.figure(name, tallies.whole.worsened(unseen))
    return Interval(-1.0 if low is None else low, 1.0)
