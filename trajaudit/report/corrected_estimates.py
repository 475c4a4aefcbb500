"""Each corrected rate by its formula, or the reason why there is none."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from trajaudit.report.corrected_old import KnownErrors
from trajaudit.report.corrected_pool import Key, Pool, Sample, by_stratum
from trajaudit.report.corrected_schema import Bound, Estimated
from trajaudit.stats import Interval
from trajaudit.stats.soft import score_slope, soft_part
from trajaudit.stats.stratified import (
    combined,
    guaranteed_rate,
    jeffreys_parts,
    labels_to_halve,
    rate_of_these,
)
from trajaudit.stats.student import student_quantile
from trajaudit.stats.watched import watched_rate
from trajaudit.stats.weighted import (
    Guessed,
    NewTasks,
    difference_on_new_tasks,
    rate_of_new_tasks,
    unseen_variance,
)

_POWER = 0.8416
"""Normal quantile of 0.8: what a difference needs to be shown four times of five."""
_FEW_TASKS = 10


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Which estimate of a run is wanted."""

    of: Literal["these", "new-tasks", "watched"] = "these"
    guarantee: bool = False
    soft: bool = False
    against: Pool | None = None
    gold: KnownErrors | None = None
    confidence: float = 0.95


@dataclass(frozen=True)
class _Found:
    """A value with limits, and what it is made by."""

    value: float
    interval: Interval
    method: str
    slopes: Mapping[str, float]


def estimated(pool: Pool, sample: Sample, asked: Asked) -> Estimated:
    """Return the rate that was asked for; with both bounds where people left trials open."""
    of = "new_tasks" if asked.of == "new-tasks" else asked.of
    count = _COUNTED[asked.of]
    if refused := _refusal(sample):
        return Estimated(of=of, method=_METHODS[asked.of], refused=refused)
    try:
        found = count(pool, sample, asked)
    except ValueError as error:
        return Estimated(of=of, method=_METHODS[asked.of], refused=str(error))
    halving = None
    if asked.of == "these" and not (asked.guarantee or asked.soft):
        halving = labels_to_halve(list(sample.strata.values()), confidence=asked.confidence)
    bounds: dict[bool, Bound | None] = {True: None, False: None}
    if any(one.open for one in sample.trials):
        for passed in bounds:
            one = count(pool, sample.settled_as(passed=passed), asked)
            bounds[passed] = Bound(value=one.value, interval=one.interval)
    return Estimated(
        of=of,
        method=found.method,
        value=found.value,
        interval=found.interval,
        if_fail=bounds[False],
        if_pass=bounds[True],
        labels_to_halve=halving,
        slopes=dict(found.slopes),
        banners=_few_tasks(sample) if of == "new_tasks" else (),
    )


def _refusal(sample: Sample) -> str:
    if not sample.trials:
        return "there is no trial to estimate the rate of"
    if not sample.labelled():
        return "no trial of the sample has a settled label: trajaudit review"
    if missing := sample.unlabelled():
        return f"nothing is known of {'; of '.join(missing)}"
    return ""


def _of_these(pool: Pool, sample: Sample, asked: Asked) -> _Found:
    strata = sample.strata
    if asked.guarantee:
        sure = guaranteed_rate(list(strata.values()), confidence=asked.confidence)
        return _Found(sure.value, sure.interval, _GUARANTEED, {})
    if not asked.soft:
        found = rate_of_these(list(strata.values()), confidence=asked.confidence)
        return _Found(found.value, found.interval, _METHODS["these"], {})
    parts, plain, slopes = [], [], _slopes(pool, sample)
    for name, trials in by_stratum(sample.trials).items():
        if name not in slopes:
            plain.append(strata[name])
            continue
        known = [one for one in trials if one.passed is not None]
        part = soft_part(
            [float(one.passed is True) for one in known],
            [pool.scores[one.key] for one in known],
            [pool.scores[one.key] for one in trials],
            slopes[name],
            confidence=asked.confidence,
        )
        parts.append(part)
    parts += jeffreys_parts(plain, confidence=asked.confidence)
    size = len(sample.trials)
    value = sum(one.total for one in parts) / size
    return _Found(value, combined(parts, size), _SOFT_THESE, slopes)


def _of_new_tasks(pool: Pool, sample: Sample, asked: Asked) -> _Found:
    slopes = _slopes(pool, sample) if asked.soft else {}
    found = rate_of_new_tasks(
        list(_guessed(pool, sample, slopes).values()),
        confidence=asked.confidence,
        unseen=unseen_variance(sample.strata.values()),
    )
    method = _METHODS["new-tasks"] + (_SOFT if asked.soft else "")
    return _Found(found.value, Interval(found.low, found.high), method, slopes)


def _watched(_: Pool, sample: Sample, asked: Asked) -> _Found:
    found = watched_rate(list(sample.strata.values()), confidence=asked.confidence)
    return _Found(found.value, found.interval, _METHODS["watched"], {})


def _guessed(
    pool: Pool, sample: Sample, slopes: Mapping[str, float] | None = None
) -> dict[Key, Guessed]:
    """Return every trial with the mean label of its stratum as the guess, moved by its score."""
    found: dict[Key, Guessed] = {}
    for name, trials in by_stratum(sample.trials).items():
        known = [one for one in trials if one.passed is not None]
        mean = sum(one.passed is True for one in known) / len(known)
        slope = (slopes or {}).get(name, 0.0)
        middle = sum(pool.scores[one.key] for one in known) / len(known) if slope else 0.0
        chance = len(known) / len(trials)
        # Without a label, trials of one task are all the same; there are many of them.
        plain = {one.key[0]: Guessed(one.key[0], mean, None, chance) for one in trials}
        for one in trials:
            if one.passed is None and not slope:
                found[one.key] = plain[one.key[0]]
                continue
            guess = mean + (slope * (pool.scores[one.key] - middle) if slope else 0.0)
            label = None if one.passed is None else float(one.passed)
            found[one.key] = Guessed(one.key[0], guess, label, chance)
    return found


def _slopes(pool: Pool, sample: Sample) -> dict[str, float]:
    """Return how far guesses follow the panel's score, of strata in which labels show it."""
    found = {}
    for name, trials in by_stratum(sample.trials).items():
        if all(one.key in pool.scores for one in trials):
            known = [one for one in trials if one.passed is not None]
            labels = [float(one.passed is True) for one in known]
            found[name] = score_slope(labels, [pool.scores[one.key] for one in known])
    return {name: slope for name, slope in found.items() if slope > 0}


def difference(
    one: tuple[Pool, Sample], other: tuple[Pool, Sample], confidence: float
) -> Estimated:
    """Return how far the first run's rate lies above the second's, over the same trials of both."""
    method = _METHODS["difference"]
    for pool, sample in (one, other):
        if refused := _refusal(sample):
            return Estimated(of="difference", method=method, refused=f"{pool.run_id}: {refused}")
    try:
        found = _apart(one, other, confidence)
    except ValueError as error:
        return Estimated(of="difference", method=method, refused=str(error))
    bounds: dict[bool, Bound | None] = {True: None, False: None}
    if any(trial.open for _, sample in (one, other) for trial in sample.trials):
        for passed in bounds:
            first = (one[0], one[1].settled_as(passed=passed))
            second = (other[0], other[1].settled_as(passed=not passed))
            at = _apart(first, second, confidence)
            bounds[passed] = Bound(value=at.value, interval=Interval(at.low, at.high))
    quantile = student_quantile((1 + confidence) / 2, degrees=found.tasks - 1)
    return Estimated(
        of="difference",
        method=method,
        value=found.value,
        interval=Interval(found.low, found.high),
        if_fail=bounds[False],
        if_pass=bounds[True],
        detectable=found.reach * (1 + _POWER / quantile),
        banners=_few_tasks(one[1]),
    )


def _apart(one: tuple[Pool, Sample], other: tuple[Pool, Sample], confidence: float) -> NewTasks:
    a, b = _guessed(*one), _guessed(*other)
    unseen = sum(unseen_variance(sample.strata.values()) for _, sample in (one, other))
    pairs = [(a[key], b[key]) for key in a]
    return difference_on_new_tasks(pairs, confidence=confidence, unseen=unseen)


def _few_tasks(sample: Sample) -> tuple[str, ...]:
    tasks = sample.tasks()
    if tasks >= _FEW_TASKS:
        return ()
    return (f"only {tasks} tasks: the interval says little of other tasks",)


_Count = Callable[[Pool, Sample, Asked], _Found]
_COUNTED: dict[str, _Count] = {
    "these": _of_these,
    "new-tasks": _of_new_tasks,
    "watched": _watched,
}
_METHODS = {
    "these": "stratified, Jeffreys limits of the unlabelled (these trials)",
    "new-tasks": "stratified difference estimator, clustered by task (new tasks)",
    "watched": "beta-mixture confidence sequence (these trials, looked at any time)",
    "difference": "stratified difference estimator of both runs, clustered by task (new tasks)",
}
_GUARANTEED = "stratified, exact hypergeometric limits (these trials, guaranteed)"
_SOFT = ", regression on the panel's score where labels show that it tells"
_SOFT_THESE = _METHODS["these"] + _SOFT
