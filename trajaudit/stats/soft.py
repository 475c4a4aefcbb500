"""How much does a soft score tell inside a stratum, beside what the stratum tells already?"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from trajaudit.stats.stratified import Part
from trajaudit.stats.student import student_quantile

LEAST_LABELS = 30
"""Fewer labels of a stratum tell no slope."""
LEAST_OF_EACH = 5
"""Nor do labels of which nearly all say the same."""


def score_slope(labels: Sequence[float], scores: Sequence[float]) -> float:
    """Return by how much a guess should follow a soft score: λ = Cov(Y, s)/Var(s), within [0, 1].

    0 where fewer than `LEAST_LABELS` labels tell it, fewer than `LEAST_OF_EACH` pass or fail, the
    scores do not differ, or its 95 % interval holds 0 (PPI++, Angelopoulos et al. 2023,
    arXiv:2311.01453, with the slope's usual error).

    Raises:
        ValueError: there are not as many labels as scores.
    """
    n = len(labels)
    if n != len(scores):
        raise ValueError(f"as many labels as scores are needed; got {n} and {len(scores)}")
    if n < LEAST_LABELS or not LEAST_OF_EACH <= sum(labels) <= n - LEAST_OF_EACH:
        return 0.0
    y, s = fmean(labels), fmean(scores)
    spread = sum((one - s) ** 2 for one in scores)
    if spread == 0:
        return 0.0
    slope = sum((a - y) * (b - s) for a, b in zip(labels, scores, strict=True)) / spread
    rest = sum((a - y - slope * (b - s)) ** 2 for a, b in zip(labels, scores, strict=True))
    error = sqrt(rest / (n - 2) / spread)
    if slope - student_quantile(0.975, degrees=n - 2) * error <= 0:
        return 0.0
    return min(slope, 1.0)


def soft_part(
    labels: Sequence[float],
    scores: Sequence[float],
    pool: Sequence[float],
    slope: float,
    *,
    confidence: float = 0.95,
) -> Part:
    """Return the passes of one stratum by regression on a score that all of its trials have.

    t = N (ȳ + λ(s̄_N - s̄_n)), s̄_N over the stratum and s̄_n over its labelled trials; SE² =
    N² (1 - n/N) s²/n, s² = Σ (Y - ȳ - λ(s - s̄_n))²/(n - 2); Student's t with n - 2 degrees of
    freedom. Limits end where labels do.

    Args:
        labels: of the labelled trials, 0 or 1; at least three.
        scores: of the same trials.
        pool: scores of all trials of the stratum, the labelled ones included.
        slope: λ, as `score_slope` gives it.
        confidence: share of intervals that hold the true number.
    """
    n, size = len(labels), len(pool)
    y, s = fmean(labels), fmean(scores)
    total = size * (y + slope * (fmean(pool) - s))
    rest = sum((a - y - slope * (b - s)) ** 2 for a, b in zip(labels, scores, strict=True))
    error = size * sqrt((1 - n / size) * rest / (n - 2) / n)
    reach = student_quantile((1 + confidence) / 2, degrees=n - 2) * error
    least, most = sum(labels), sum(labels) + size - n
    total = min(max(total, least), most)
    return Part(total, max(total - reach, least), min(total + reach, most))
