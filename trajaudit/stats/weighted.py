"""What is the rate of new tasks like these, where people labelled trials by known chances?

A guess stands for every trial, and labels correct it: each by the inverse of the chance that it had
to be made. So the guesses may be wrong in any way; better ones only make the interval shorter.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from trajaudit.stats.cluster import Estimate
from trajaudit.stats.student import student_quantile

LEAST_LABELS = 30
"""Fewer labels of a stratum tell no slope."""


class Guessed(NamedTuple):
    """One trial: what is guessed of it, and what a person said where one was asked."""

    task: str
    guess: float
    label: float | None = None
    chance: float = 1.0
    """Probability with which this trial was drawn to be labelled."""


def rate_of_new_tasks(
    trials: Sequence[Guessed], *, confidence: float = 0.95, limits: tuple[float, float] = (0, 1)
) -> Estimate:
    """θ = ḡ + N⁻¹ Σ_L (Y - g)/π, with an interval clustered by task.

    ψ_i = g_i - ḡ + 1[i in L](Y_i - g_i)/π_i - r̄, r̄ the mean correction;
    SE² = T/(T - 1) · N⁻² · Σ_t (Σ_{i in t} ψ_i)², Student's t with T - 1 degrees of freedom.

    Args:
        trials: all of them, labelled or not.
        confidence: share of intervals that hold the true rate.
        limits: the interval is cut at them; a difference of two rates lies in (-1, 1).

    Raises:
        ValueError: no trial, no label, fewer than two tasks, or a chance outside of (0, 1].
    """
    tasks = {one.task for one in trials}
    _check(trials, len(tasks), confidence)
    n = len(trials)
    mean = sum(one.guess for one in trials) / n
    corrections = [_correction(one) for one in trials]
    correction = sum(corrections) / n
    sums: dict[str, float] = defaultdict(float)
    for one, mine in zip(trials, corrections, strict=True):
        sums[one.task] += one.guess - mean + mine - correction
    variance = len(tasks) / (len(tasks) - 1) * sum(one * one for one in sums.values()) / n**2
    half = student_quantile((1 + confidence) / 2, degrees=len(tasks) - 1) * sqrt(variance)
    value = mean + correction
    low, high = max(value - half, limits[0]), min(value + half, limits[1])
    return Estimate(value, low, high, n, len(tasks))


def stratum_means(strata: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean label of each stratum: the guess for all of its trials.

    Raises:
        ValueError: a stratum has no label.
    """
    empty = [name for name, labels in strata.items() if not labels]
    if empty:
        raise ValueError(
            f"no label in the strata {', '.join(map(repr, empty))}; label some of each"
        )
    return {name: sum(labels) / len(labels) for name, labels in strata.items()}


def score_slope(labels: Sequence[float], scores: Sequence[float]) -> float:
    """Return by how much a guess should follow a soft score: λ = Cov(Y, s)/Var(s), within [0, 1].

    0 where fewer than `LEAST_LABELS` labels tell it, the scores do not differ, or its 95 % interval
    holds 0 (PPI++, Angelopoulos et al. 2023, arXiv:2311.01453, with the slope's usual error).
    """
    n = len(labels)
    if n != len(scores):
        raise ValueError(f"as many labels as scores are needed; got {n} and {len(scores)}")
    if n < LEAST_LABELS:
        return 0.0
    y, s = sum(labels) / n, sum(scores) / n
    spread = sum((one - s) ** 2 for one in scores)
    if spread == 0:
        return 0.0
    slope = sum((a - y) * (b - s) for a, b in zip(labels, scores, strict=True)) / spread
    rest = sum((a - y - slope * (b - s)) ** 2 for a, b in zip(labels, scores, strict=True))
    error = sqrt(rest / (n - 2) / spread)
    if slope - student_quantile(0.975, degrees=n - 2) * error <= 0:
        return 0.0
    return min(slope, 1.0)


def _correction(one: Guessed) -> float:
    return 0.0 if one.label is None else (one.label - one.guess) / one.chance


def _check(trials: Sequence[Guessed], tasks: int, confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    if not any(one.label is not None for one in trials):
        raise ValueError(f"none of {len(trials)} trials is labelled; nothing corrects the guesses")
    if tasks < 2:
        raise ValueError(f"trials of at least two tasks are needed; got {tasks}")
    for one in trials:
        if not 0 < one.chance <= 1:
            raise ValueError(f"a chance to be labelled lies in (0, 1]; got {one.chance!r}")
