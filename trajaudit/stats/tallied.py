"""Every figure of agreement from sums that add up over items, so that parts can be taken off.

An item is a row of ratings, None where one is missing. With r ratings of an item, r_k of them the
label k, and w_kl how far two labels agree (1 for equal ones, 0 for others where no weights are
given):

    agreement of an item    a = Σ_k r_k (Σ_l w_kl r_l - 1) / (r (r - 1))       items with r ≥ 2
    shares of the labels    π_k = mean of r_k / r                             all rated items
    coincidences            o_kl = Σ r_k (r_l - [k = l]) / (r - 1)            items with r ≥ 2
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from trajaudit.stats.agreement import Label, Weight

FigureName = Literal[
    "percent",
    "kappa",
    "fleiss",
    "alpha",
    "ac1",
    "positive",
    "negative",
    "kappa_weighted",
    "alpha_weighted",
    "ac2",
]
Ratings = Sequence[Label | None]
_BY_CHANCE = frozenset({"ac1", "ac2"})
"""With one label only there is nothing to correct for, whatever their formula gives."""


class Sums(NamedTuple):
    """What some items add up to; `labels` says what places k mean."""

    items: float
    """Items with two ratings at least."""
    agree: float
    agree_weighted: float
    rated: float
    """Items with one rating at least."""
    shares: tuple[float, ...]
    coincidences: tuple[float, ...]
    """Row after row."""
    table: tuple[float, ...]
    """Of two columns, how often the first said k and the second l; else all 0."""

    def less(self, other: "Sums") -> "Sums":
        """Return what is left without some of the items."""
        return Sums(
            self.items - other.items,
            self.agree - other.agree,
            self.agree_weighted - other.agree_weighted,
            self.rated - other.rated,
            _less(self.shares, other.shares),
            _less(self.coincidences, other.coincidences),
            _less(self.table, other.table),
        )

    def worsened(self, share: float) -> "Sums":
        """Return what there would be, did items that agree differ so often by chance."""
        labels = range(len(self.shares))

        def spread(cells: Sequence[float]) -> tuple[float, ...]:
            total, size = sum(cells), len(self.shares)
            apart = share * total / max(1, size * (size - 1))
            return tuple(
                cells[k * size + m] * (1 - share) if k == m else apart
                for k in labels
                for m in labels
            )

        return self._replace(
            agree=self.agree * (1 - share),
            agree_weighted=self.agree_weighted * (1 - share),
            coincidences=spread(self.coincidences),
            table=spread(self.table),
        )


class Tallies:
    """Sums of groups of items, and the figures that come of such sums."""

    def __init__(
        self,
        groups: Iterable[Sequence[Ratings]],
        *,
        labels: Sequence[Label] = (),
        positive: Label | None = None,
        weight: Weight | None = None,
    ) -> None:
        """Add up. `labels` names those that could have been given, where some never were.

        Raises:
            ValueError: a rating is none of the `labels`.
        """
        held = [[tuple(row) for row in group] for group in groups]
        used = dict.fromkeys(x for group in held for row in group for x in row if x is not None)
        self.labels: tuple[Label, ...] = tuple(labels) or tuple(sorted(used, key=repr))
        if unknown := [x for x in used if x not in self.labels]:
            raise ValueError(f"a rating is one of {list(self.labels)!r}; got {unknown!r}")
        self._place = {label: at for at, label in enumerate(self.labels)}
        self._weights = [
            [float(x == y) if weight is None else weight(x, y) for y in self.labels]
            for x in self.labels
        ]
        self._positive = None if positive is None else self._place.get(positive, -1)
        self._sizes = {
            sum(x is not None for x in row) for group in held for row in group if any_rated(row)
        }
        self.is_pair = {len(row) for group in held for row in group} == {2}
        kept: dict[tuple[Label | None, ...], Sums] = {}
        found = [self._total(group, kept) for group in held]
        self.whole = self._added(found)
        self.groups = [one for one in found if one.items]
        """Those that hold an item with two ratings."""

    def names(self, *, weighted: bool) -> list[FigureName]:
        """Return the figures that such ratings can have."""
        found: list[FigureName] = ["percent", "alpha", "ac1"]
        found += ["kappa"] if self.is_pair else ["fleiss"]
        found += ["positive", "negative"] if self._positive is not None else []
        if weighted:
            found += ["alpha_weighted", "ac2"]
            found += ["kappa_weighted"] if self.is_pair else []
        return found

    def value(self, name: FigureName) -> float | None:
        """Return one figure of all items; None where there is none, `why_none` says why."""
        if name in _BY_CHANCE and sum(share > 0 for share in self.whole.shares) < 2:
            return None
        return self.figure(name, self.whole)

    def figure(self, name: FigureName, sums: Sums) -> float | None:
        """Return one figure of some of the items; None where there is none."""
        return self._FIGURES[name](self, sums)

    def why_none(self, name: FigureName) -> str:
        """Say why a figure has no value over all items."""
        if not self.whole.items:
            return "no item has two ratings"
        if name == "fleiss" and len(self._sizes) > 1:
            return "items differ in how many people rated them; alpha takes such"
        if name in {"positive", "negative"}:
            return "nobody gave the label"
        return "all ratings are one label, so that chance alone explains everything"

    def _percent(self, sums: Sums) -> float | None:
        return sums.agree / sums.items if sums.items > _NOTHING else None

    def _kappa(self, sums: Sums) -> float | None:
        return self._of_table(sums, None)

    def _kappa_weighted(self, sums: Sums) -> float | None:
        return self._of_table(sums, self._weights)

    def _of_table(self, sums: Sums, weights: list[list[float]] | None) -> float | None:
        size, n = len(self.labels), sum(sums.table)
        if n < _NOTHING:
            return None
        rows = [sum(sums.table[k * size : (k + 1) * size]) for k in range(size)]
        columns = [sum(sums.table[k::size]) for k in range(size)]
        cells = [(k, m, _agree(weights, k, m)) for k in range(size) for m in range(size)]
        seen = sum(sums.table[k * size + m] * agree for k, m, agree in cells) / n
        chance = sum(rows[k] * columns[m] * agree for k, m, agree in cells) / n**2
        return _corrected(seen, chance)

    def _fleiss(self, sums: Sums) -> float | None:
        if sums.items < _NOTHING or len(self._sizes) > 1:
            return None
        chance = sum((share / sums.rated) ** 2 for share in sums.shares)
        return _corrected(sums.agree / sums.items, chance)

    def _alpha(self, sums: Sums) -> float | None:
        return self._of_coincidences(sums, None)

    def _alpha_weighted(self, sums: Sums) -> float | None:
        return self._of_coincidences(sums, self._weights)

    def _of_coincidences(self, sums: Sums, weights: list[list[float]] | None) -> float | None:
        size, n = len(self.labels), sum(sums.coincidences)
        if n < 1 + _NOTHING:
            return None
        totals = [sum(sums.coincidences[k * size : (k + 1) * size]) for k in range(size)]
        cells = [(k, m, 1 - _agree(weights, k, m)) for k in range(size) for m in range(size)]
        seen = sum(sums.coincidences[k * size + m] * far for k, m, far in cells) / n
        chance = sum(totals[k] * totals[m] * far for k, m, far in cells) / (n * (n - 1))
        return 1 - seen / chance if chance > _NOTHING else None

    def _ac1(self, sums: Sums) -> float | None:
        return self._gwet(sums, sums.agree, float(len(self.labels)))

    def _ac2(self, sums: Sums) -> float | None:
        return self._gwet(sums, sums.agree_weighted, sum(map(sum, self._weights)))

    def _gwet(self, sums: Sums, agree: float, weights: float) -> float | None:
        size = len(self.labels)
        if sums.items < _NOTHING or size < 2:
            return None
        shares = [share / sums.rated for share in sums.shares]
        chance = weights / (size * (size - 1)) * sum(share * (1 - share) for share in shares)
        return _corrected(agree / sums.items, chance)

    def _specific(self, sums: Sums, *, positive: bool) -> float | None:
        size, place = len(self.labels), self._positive
        if place is None:
            return None
        side = [k for k in range(size) if (k == place) is positive]
        given = sum(sums.coincidences[k * size + m] for k in side for m in range(size))
        both = sum(sums.coincidences[k * size + m] for k in side for m in side)
        return both / given if given > _NOTHING else None

    _FIGURES: Mapping[FigureName, Callable[["Tallies", Sums], float | None]] = MappingProxyType(
        {
            "percent": _percent,
            "kappa": _kappa,
            "kappa_weighted": _kappa_weighted,
            "fleiss": _fleiss,
            "alpha": _alpha,
            "alpha_weighted": _alpha_weighted,
            "ac1": _ac1,
            "ac2": _ac2,
            "positive": lambda self, sums: self._specific(sums, positive=True),
            "negative": lambda self, sums: self._specific(sums, positive=False),
        }
    )

    def _total(
        self, rows: Sequence[tuple[Label | None, ...]], kept: dict[tuple[Label | None, ...], Sums]
    ) -> Sums:
        for row in rows:
            if row not in kept:
                kept[row] = self._sums(row)
        return self._added([kept[row] for row in rows])

    def _added(self, parts: Sequence[Sums]) -> Sums:
        size = len(self.labels)
        if not parts:
            return Sums(0, 0, 0, 0, (0.0,) * size, (0.0,) * size**2, (0.0,) * size**2)
        return Sums(
            sum(one.items for one in parts),
            sum(one.agree for one in parts),
            sum(one.agree_weighted for one in parts),
            sum(one.rated for one in parts),
            _summed([one.shares for one in parts]),
            _summed([one.coincidences for one in parts]),
            _summed([one.table for one in parts]),
        )

    def _sums(self, row: tuple[Label | None, ...]) -> Sums:
        size = len(self.labels)
        counts = Counter(self._place[x] for x in row if x is not None)
        given = [counts[k] for k in range(size)]
        r = sum(given)
        shares = tuple(count / r if r else 0.0 for count in given)
        if r < 2:
            nothing = (0.0,) * size**2
            return Sums(0, 0, 0, float(r > 0), shares, nothing, nothing)
        pairs = [
            given[k] * (given[m] - (k == m)) / (r - 1) for k in range(size) for m in range(size)
        ]
        weighted = sum(
            pairs[k * size + m] * self._weights[k][m] for k in range(size) for m in range(size)
        )
        table = [0.0] * size**2
        if len(row) == 2:
            table[self._place[row[0]] * size + self._place[row[1]]] = 1.0
        equal = sum(pairs[k * size + k] for k in range(size))
        return Sums(1, equal / r, weighted / r, 1, shares, tuple(pairs), tuple(table))


def any_rated(row: Ratings) -> bool:
    """Whether anybody rated the item."""
    return any(x is not None for x in row)


_NOTHING = 1e-9
"""What is left of sums after others were taken off is not exact."""


def _less(mine: Sequence[float], theirs: Sequence[float]) -> tuple[float, ...]:
    return tuple(a - b for a, b in zip(mine, theirs, strict=True))


def _summed(lists: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*lists, strict=True)))


def _agree(weights: list[list[float]] | None, k: int, m: int) -> float:
    return float(k == m) if weights is None else weights[k][m]


def _corrected(seen: float, chance: float) -> float | None:
    return (seen - chance) / (1 - chance) if chance < 1 - _NOTHING else None
