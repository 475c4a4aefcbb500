"""What is the rate of new tasks like these, where people labelled trials by known chances?

A guess stands for every trial, and labels correct it: each by the inverse of the chance that it had
to be made. So the guesses may be wrong in any way; better ones only make the interval shorter.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from trajaudit.stats.stratified import Stratum
from trajaudit.stats.student import student_quantile


class NewTasks(NamedTuple):
    """A rate, or a difference of two, with limits for new tasks like these."""

    value: float
    low: float
    high: float
    n: int
    tasks: int
    reach: float
    """Half of the width, before the limits were cut to what is possible."""


class Guessed(NamedTuple):
    """One trial: what is guessed of it, and what a person said where one was asked."""

    task: str
    guess: float
    label: float | None = None
    chance: float = 1.0
    """Probability with which this trial was drawn to be labelled."""


def rate_of_new_tasks(
    trials: Sequence[Guessed], *, confidence: float = 0.95, unseen: float = 0.0
) -> NewTasks:
    """θ = ḡ + N⁻¹ Σ_L (Y - g)/π, with an interval clustered by task.

    ψ_i = g_i - ḡ + 1[i in L](Y_i - g_i)/π_i - r̄, r̄ the mean correction;
    SE² = T/(T - 1) · N⁻² · Σ_t (Σ_{i in t} ψ_i)² + `unseen`, Student's t with T - 1 degrees of
    freedom.

    Args:
        trials: all of them, labelled or not.
        confidence: share of intervals that hold the true rate.
        unseen: variance that the labels cannot show; see `unseen_variance`.

    Raises:
        ValueError: no trial, no label, fewer than two tasks, or a chance outside of (0, 1].
    """
    _check(trials, confidence)
    rows = [(one.task, one.guess, _correction(one)) for one in trials]
    return _clustered(rows, confidence, unseen, (0.0, 1.0))


def difference_on_new_tasks(
    pairs: Sequence[tuple[Guessed, Guessed]], *, confidence: float = 0.95, unseen: float = 0.0
) -> NewTasks:
    """Return first rate minus second, over pairs of trials of the same task.

    ψ is that of the first less that of the second, so that what both have in common, a hard task
    or a label of both sides of a pair, adds nothing to the error. Each side needs labels of its
    own strata only; arguments and errors as for `rate_of_new_tasks`.
    """
    for side in (0, 1):
        _check([pair[side] for pair in pairs], confidence)
    rows = [
        (one.task, one.guess - other.guess, _correction(one) - _correction(other))
        for one, other in pairs
    ]
    return _clustered(rows, confidence, unseen, (-1.0, 1.0))


def unseen_variance(strata: Iterable[Stratum]) -> float:
    """Return the variance of Σ W_h ȳ_h that labels do not show, as all or few of a stratum agree.

    Σ_h W_h² (1 - n_h/N_h) · max(0, v_h - ȳ_h(1 - ȳ_h)/n_h), v_h the variance of a share under
    Jeffreys' prior: where no label of a stratum is wrong, they show no variance at all, and the
    stratum may hold errors nevertheless.
    """
    held = [one for one in strata if one.size]
    size = sum(one.size for one in held)
    total = 0.0
    for n_all, n, k in held:
        a, b = k + 0.5, n - k + 0.5
        possible = a * b / ((a + b) ** 2 * (a + b + 1))
        shown = (k / n) * (1 - k / n) / n
        total += (n_all / size) ** 2 * (1 - n / n_all) * max(0.0, possible - shown)
    return total


def _clustered(
    rows: Sequence[tuple[str, float, float]],
    confidence: float,
    unseen: float,
    limits: tuple[float, float],
) -> NewTasks:
    """Estimate from (task, guess, correction) of each trial."""
    n = len(rows)
    mean = sum(guess for _, guess, _ in rows) / n
    correction = sum(mine for _, _, mine in rows) / n
    sums: dict[str, float] = defaultdict(float)
    for task, guess, mine in rows:
        sums[task] += guess - mean + mine - correction
    tasks = len(sums)
    if tasks < 2:
        raise ValueError(f"trials of at least two tasks are needed; got {tasks}")
    variance = tasks / (tasks - 1) * sum(one * one for one in sums.values()) / n**2 + unseen
    half = student_quantile((1 + confidence) / 2, degrees=tasks - 1) * sqrt(variance)
    value = mean + correction
    low, high = max(value - half, limits[0]), min(value + half, limits[1])
    return NewTasks(value, low, high, n, tasks, half)


def _correction(one: Guessed) -> float:
    return 0.0 if one.label is None else (one.label - one.guess) / one.chance


def _check(trials: Sequence[Guessed], confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    if not any(one.label is not None for one in trials):
        raise ValueError(f"none of {len(trials)} trials is labelled; nothing corrects the guesses")
    for one in trials:
        if not 0 < one.chance <= 1:
            raise ValueError(f"a chance to be labelled lies in (0, 1]; got {one.chance!r}")
