"""How often is an interval right all the time, where somebody looks after each label?"""

from collections.abc import Iterator

import numpy as np

from bench.coverage.row import Hits, Row
from trajaudit.stats.interval import Interval
from trajaudit.stats.stratified import Stratum, rate_of_these
from trajaudit.stats.watched import watched_rate

_SETTING = "1,500 trials, looked at from 20 labels to 300"
_SIZE, _FIRST, _LAST = 1500, 20, 300
_SHARES = (0.07, 0.5, 0.93)
_NEVER, _ALWAYS = Interval(2.0, 2.0), Interval(0.0, 1.0)


def of_looks(reps: int, seed: int) -> Iterator[Row]:
    """One stratum labelled in random order; a series holds where none of its intervals misses."""
    rng = np.random.default_rng(seed)
    watched, fixed = Hits(), Hits()
    for rep in range(reps):
        truth = rng.random(_SIZE) < _SHARES[rep % len(_SHARES)]
        seen = np.cumsum(truth[:_LAST])
        strata = [Stratum(_SIZE, n, int(seen[n - 1])) for n in range(_FIRST, _LAST + 1)]
        share = float(truth.mean())
        watched.add(_series([watched_rate([one]).interval for one in strata], share), share)
        fixed.add(_series([rate_of_these([one]).interval for one in strata], share), share)
    yield watched.row("watched, at every look", _SETTING, "guaranteed", width=False)
    yield fixed.row("these trials, at every look", _SETTING, "naive", width=False)


def _series(intervals: list[Interval], truth: float) -> Interval:
    held = all(one.low - 1e-9 <= truth <= one.high + 1e-9 for one in intervals)
    return _ALWAYS if held else _NEVER
