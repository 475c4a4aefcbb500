"""Coverage of the intervals of agreement: a jackknife over tasks, and a bootstrap of tasks."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.coverage.row import Hits, Row
from trajaudit.stats.reliability import reliability
from trajaudit.stats.resampled import kappa_interval
from trajaudit.stats.tallied import FigureName

Rated = list[list[tuple[bool, bool]]]


@dataclass(frozen=True)
class Raters:
    """Two people who see the truth with so many errors."""

    name: str
    tasks: int
    trials: int
    right: float
    shape: tuple[float, float] = (1.2, 1.0)
    """Of the beta distribution of the tasks' pass rates."""


SETTINGS = (
    Raters("50 items, people right in 90 %", 50, 1, 0.9),
    Raters("50 items, people right in 97 %", 50, 1, 0.97),
    Raters("20 tasks of 5 trials, right in 90 %", 20, 5, 0.9),
    Raters("50 tasks of 5 trials, 90 % pass", 50, 5, 0.9, (9.0, 1.0)),
)
_FIGURES: dict[FigureName, str] = {
    "percent": "share of agreement",
    "kappa": "Cohen's κ",
    "alpha": "Krippendorff's α",
    "ac1": "Gwet's AC1",
    "positive": "positive agreement",
    "negative": "negative agreement",
}


def of_raters(raters: Raters, reps: int, seed: int) -> Iterator[Row]:
    """Every figure of two raters; the truth is that of very many items."""
    rng = np.random.default_rng(seed)
    truth = _truth(raters)
    hits = {name: Hits() for name in _FIGURES}
    bootstrap = Hits()
    for rep in range(reps):
        rated = _rated(raters, rng)
        found = reliability(rated, positive=True)
        for name, counted in hits.items():
            interval = found.figures[name].interval
            if interval is not None:
                counted.add(interval, truth[name])
        # Slow, and so only every second time.
        drawn = kappa_interval(rated, rng=random.Random(rep), draws=400) if rep % 2 == 0 else None
        if drawn is not None:
            bootstrap.add(drawn, truth["kappa"])
    for name, counted in hits.items():
        yield counted.row(_FIGURES[name], raters.name, "ours")
    yield bootstrap.row("Cohen's κ, bootstrap of tasks", raters.name, "naive")


def _rated(raters: Raters, rng: np.random.Generator) -> Rated:
    a, b = _labels(raters, rng, raters.tasks)
    return [list(zip(one, other, strict=True)) for one, other in zip(a, b, strict=True)]


def _labels(
    raters: Raters, rng: np.random.Generator, tasks: int
) -> tuple[list[list[bool]], list[list[bool]]]:
    shape = (tasks, raters.trials)
    passes: NDArray[np.bool_] = rng.random(shape) < rng.beta(*raters.shape, size=tasks)[:, None]
    a, b = (np.where(rng.random(shape) < raters.right, passes, ~passes) for _ in range(2))
    return a.tolist(), b.tolist()


def _truth(raters: Raters) -> dict[FigureName, float]:
    """Return each figure by its formula from the chances of the four pairs of labels."""
    share = raters.shape[0] / sum(raters.shape)
    right, wrong = raters.right, 1 - raters.right
    both = share * right**2 + (1 - share) * wrong**2
    neither = share * wrong**2 + (1 - share) * right**2
    agree, passes = both + neither, share * right + (1 - share) * wrong
    chance = passes**2 + (1 - passes) ** 2
    kappa, gwet = (agree - chance) / (1 - chance), 2 * passes * (1 - passes)
    return {
        "percent": agree,
        "kappa": kappa,
        "alpha": kappa,
        "ac1": (agree - gwet) / (1 - gwet),
        "positive": both / passes,
        "negative": neither / (1 - passes),
    }
