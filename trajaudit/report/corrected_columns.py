"""Every way of deciding over the same trials, beside the corrected rate."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from trajaudit.report.corrected_pool import Key, Pool, Sample
from trajaudit.report.corrected_schema import Estimated, RateColumn
from trajaudit.stats import Interval
from trajaudit.stats.cluster import clustered_mean

Grader = Literal["raw", "strict", "lenient", "panel"]
_GRADERS: tuple[Grader, ...] = ("raw", "strict", "lenient", "panel")
_CLUSTERED = "mean over trials, interval clustered by task"
_PEOPLE = f"labelled trials only, in which those in doubt are many; {_CLUSTERED}"
_LEFT_OUT = "no verdict"


def columns_of(
    pool: Pool, sample: Sample, estimate: Estimated, confidence: float
) -> tuple[RateColumn, ...]:
    """Return graders that decided anything, people's labels as they are, and the corrected rate."""
    said = {name: _said(pool, sample, name) for name in _GRADERS}
    found = [
        _column(name, values, _CLUSTERED, (0.0, 1.0), confidence)
        for name, values in said.items()
        if values
    ]
    people = {one.key: float(one.passed) for one in sample.trials if one.passed is not None}
    found.append(_column("human", people, _PEOPLE, (0.0, 1.0), confidence))
    return (*found, _corrected(estimate, sample))


def differences_of(
    one: tuple[Pool, Sample], other: tuple[Pool, Sample], estimate: Estimated, confidence: float
) -> tuple[RateColumn, ...]:
    """Return the same of a difference, over pairs that both sides decided."""
    found = []
    for name in _GRADERS:
        first, second = _said(*one, name), _said(*other, name)
        values = {key: first[key] - second[key] for key in first if key in second}
        if values:
            found.append(_column(name, values, _CLUSTERED, (-1.0, 1.0), confidence))
    return (*found, _corrected(estimate, one[1]))


def _said(pool: Pool, sample: Sample, name: Grader) -> dict[Key, float]:
    found: dict[Key, float] = {}
    for one in sample.trials:
        outcome = pool.outcomes.get(one.key)
        said: bool | None = None if outcome is None else getattr(outcome, name)
        if said is not None:
            found[one.key] = float(said)
    return found


def _column(
    name: Literal["raw", "strict", "lenient", "panel", "human"],
    values: Mapping[Key, float],
    method: str,
    limits: tuple[float, float],
    confidence: float,
) -> RateColumn:
    by_task: dict[str, list[float]] = defaultdict(list)
    for (task, _), value in values.items():
        by_task[task].append(value)
    found = clustered_mean(by_task, confidence=confidence)
    if found is None:
        return RateColumn(name=name, value=None, interval=None, decided=0, method=_LEFT_OUT)
    interval = None
    # Where all are alike there is no spread to tell an interval by.
    if found.low is not None and found.high is not None and found.low < found.high:
        interval = Interval(max(found.low, limits[0]), min(found.high, limits[1]))
    return RateColumn(
        name=name, value=found.value, interval=interval, decided=found.n, method=method
    )


def _corrected(estimate: Estimated, sample: Sample) -> RateColumn:
    return RateColumn(
        name="corrected",
        value=estimate.value,
        interval=estimate.interval,
        decided=len(sample.trials) if estimate.value is not None else 0,
        method=estimate.method,
    )
