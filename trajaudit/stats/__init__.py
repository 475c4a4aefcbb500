"""Numbers in, numbers out; where there is no number, a ValueError instead of NaN."""

from trajaudit.stats.interval import Interval, Tally, clustered, wilson
from trajaudit.stats.length import (
    Length,
    bounds,
    finished_curve,
    finished_share,
    limit_for_all,
    limit_for_finished,
)
from trajaudit.stats.rate import Attempted, Rate, pass_rate
from trajaudit.stats.repeated import maj_at_k, pass_at_k, pass_hat_k

__all__ = [
    "Attempted",
    "Interval",
    "Length",
    "Rate",
    "Tally",
    "bounds",
    "clustered",
    "finished_curve",
    "finished_share",
    "limit_for_all",
    "limit_for_finished",
    "maj_at_k",
    "pass_at_k",
    "pass_hat_k",
    "pass_rate",
    "wilson",
]
