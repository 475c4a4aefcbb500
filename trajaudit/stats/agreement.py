"""How far do raters agree, beyond what their habits alone would make them agree?

Rows are items, columns are raters, None is a rating that is missing: never a category of its own.
Where everybody used one label only there is no chance-corrected figure: None, neither 0 nor 1.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import permutations
from typing import Literal, NamedTuple

Label = Hashable
Weight = Callable[[Label, Label], float]
"""How much two labels agree, 1 for equal ones and 0 for none at all."""
Level = Literal["nominal", "ordinal", "interval"]


class Agreement(NamedTuple):
    """A chance-corrected agreement beside what it is made of."""

    value: float | None
    """None: all ratings are one label, so that chance alone explains everything."""
    observed: float
    """Share of agreement that was seen."""
    expected: float
    """Share that chance would give."""
    n: int
    """Items that count: those that both raters rated."""


class Specific(NamedTuple):
    """Agreement on each of two labels by itself; None where nobody used the label."""

    positive: float | None
    negative: float | None


def cohen_kappa(a: Sequence[Label], b: Sequence[Label], weight: Weight | None = None) -> Agreement:
    """κ = (Po - Pe)/(1 - Pe) of two raters (Cohen 1960; with weights, Cohen 1968).

    Items that one of them did not rate (None) are left out.

    Raises:
        ValueError: the raters' lists differ in length, or no item was rated by both.
    """
    pairs = _both(a, b)
    n, agree = len(pairs), weight or _equal
    first, second = Counter(x for x, _ in pairs), Counter(y for _, y in pairs)
    observed = sum(agree(x, y) for x, y in pairs) / n
    expected = sum(
        times * others * agree(x, y) for x, times in first.items() for y, others in second.items()
    ) / (n * n)
    return _corrected(observed, expected, n)


def linear_weight(ranks: Sequence[Label]) -> Weight:
    """Weights 1 - |i - j|/(K - 1) of labels that are given from worst to best."""
    return _distance_weight(ranks, power=1)


def quadratic_weight(ranks: Sequence[Label]) -> Weight:
    """Weights 1 - (i - j)²/(K - 1)² of labels that are given from worst to best."""
    return _distance_weight(ranks, power=2)


def gwet_ac1(a: Sequence[Label], b: Sequence[Label]) -> Agreement:
    """AC1 of two raters, steady where one label is rare (Gwet 2008).

    Pe = Σ π_k(1 - π_k)/(K - 1) over the K labels that were used, π_k their mean share. Raises
    like `cohen_kappa`.
    """
    pairs = _both(a, b)
    n = len(pairs)
    observed = sum(x == y for x, y in pairs) / n
    shares = [times / (2 * n) for times in Counter(x for pair in pairs for x in pair).values()]
    if len(shares) == 1:
        return Agreement(None, observed, 1.0, n)
    expected = sum(share * (1 - share) for share in shares) / (len(shares) - 1)
    return _corrected(observed, expected, n)


def specific_agreement(a: Sequence[Label], b: Sequence[Label], positive: Label) -> Specific:
    """2x/(2x + differences) for each side of one label against all others (Cicchetti 1990).

    Raises like `cohen_kappa`.
    """
    pairs = [(x == positive, y == positive) for x, y in _both(a, b)]
    differ = sum(x != y for x, y in pairs)
    return Specific(*(_specific(sum(x == y == one for x, y in pairs), differ) for one in (1, 0)))


def fleiss_kappa(ratings: Sequence[Sequence[Label]]) -> Agreement:
    """κ of a fixed number of raters an item, who need not be the same people (Fleiss 1971).

    Raises:
        ValueError: there is no item, or items differ in their number of ratings, missing ones
            included (`krippendorff_alpha` takes those), or have fewer than two.
    """
    given = [[x for x in row if x is not None] for row in ratings]
    sizes = {len(row) for row in (*given, *ratings)}
    if len(sizes) != 1 or max(sizes, default=0) < 2:
        raise ValueError(
            f"Fleiss' kappa needs items with the same number of ratings, two at least; got "
            f"{sorted(sizes)!r}"
        )
    size, n = sizes.pop(), len(ratings)
    counts = [Counter(row) for row in ratings]
    observed = sum(times * (times - 1) for row in counts for times in row.values()) / (
        n * size * (size - 1)
    )
    total = sum(counts, Counter[Label]())
    expected = sum((times / (n * size)) ** 2 for times in total.values())
    return _corrected(observed, expected, n)


def krippendorff_alpha(
    ratings: Sequence[Sequence[Label]], level: Level = "nominal", ranks: Sequence[Label] = ()
) -> float | None:
    """α = 1 - Do/De for any number of raters and missing ratings (Krippendorff 2004, 11.3).

    None where all ratings are one label. Items with fewer than two ratings tell nothing and are
    left out. `ranks` orders the labels of the ordinal level, worst first; labels of the interval
    level are numbers.

    Raises:
        ValueError: no item has two ratings, or a label is missing in `ranks` or is no number.
    """
    rows = [[x for x in row if x is not None] for row in ratings]
    rows = [row for row in rows if len(row) > 1]
    if not rows:
        raise ValueError("agreement needs an item with two ratings; got none")
    total = Counter(x for row in rows for x in row)
    n = sum(total.values())
    far = _difference(level, ranks, total)
    seen = sum(sum(far(x, y) for x, y in permutations(row, 2)) / (len(row) - 1) for row in rows) / n
    by_chance = sum(
        times * others * far(x, y) for x, times in total.items() for y, others in total.items()
    ) / (n * (n - 1))
    return 1 - seen / by_chance if by_chance else None


def _both(a: Sequence[Label], b: Sequence[Label]) -> list[tuple[Label, Label]]:
    if len(a) != len(b):
        raise ValueError(f"two raters rate the same items; got {len(a)} and {len(b)} ratings")
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if not pairs:
        raise ValueError("agreement needs an item that both rated; got none")
    return pairs


def _equal(x: Label, y: Label) -> float:
    return float(x == y)


def _corrected(observed: float, expected: float, n: int) -> Agreement:
    # Sums of shares: 1 may come out as the float beside it.
    if expected > 1 - 1e-12:
        return Agreement(None, observed, expected, n)
    return Agreement((observed - expected) / (1 - expected), observed, expected, n)


def _specific(agreed: int, differ: int) -> float | None:
    return 2 * agreed / (2 * agreed + differ) if agreed or differ else None


def _distance_weight(ranks: Sequence[Label], *, power: int) -> Weight:
    place = {label: number for number, label in enumerate(ranks)}
    if len(place) < 2:
        raise ValueError(f"weights need at least two labels; got {list(ranks)!r}")
    return lambda x, y: 1 - (abs(place[x] - place[y]) / (len(place) - 1)) ** power


def _difference(level: Level, ranks: Sequence[Label], total: Counter[Label]) -> Weight:
    if level == "nominal":
        return lambda x, y: float(x != y)
    if level == "interval":
        return lambda x, y: (_number(x) - _number(y)) ** 2
    if unknown := [label for label in total if label not in ranks]:
        raise ValueError(f"the order of the labels must name each; got {unknown!r} beside it")
    # Ratings that lie between two ranks, half of the two themselves included.
    upto = {x: sum(total[y] for y in ranks[: ranks.index(x)]) + total[x] / 2 for x in total}
    return lambda x, y: (upto[x] - upto[y]) ** 2


def _number(label: Label) -> float:
    if isinstance(label, (int, float)) and not isinstance(label, bool):
        return label
    raise ValueError(f"the interval level needs numbers; got {label!r}")
