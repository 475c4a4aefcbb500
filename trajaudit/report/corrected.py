"""What people's labels say of the rate of a run, beside what every grader says of it."""

from math import sqrt

from trajaudit.report.corrected_columns import columns_of, differences_of
from trajaudit.report.corrected_estimates import Asked, difference, estimated
from trajaudit.report.corrected_old import by_old_labels
from trajaudit.report.corrected_pool import Pool, Sample
from trajaudit.report.corrected_schema import Correction, Estimated, RateColumn

SOFT_GOLD = 0.6
"""People whose α lies below it are no firm ground."""


def correction(pool: Pool, asked: Asked) -> Correction:
    """Return the estimate that was asked for first, and beside it what every column says."""
    if asked.against is not None:
        return _against(pool, asked.against, asked.confidence)
    sample = Sample.of(pool)
    if asked.gold is not None:
        first = by_old_labels(pool, sample, asked.gold, asked.confidence)
        return _correction(pool, sample, (first,), asked.confidence)
    return _correction(pool, sample, (estimated(pool, sample, asked),), asked.confidence)


def correction_for_report(pool: Pool, *, confidence: float = 0.95) -> Correction | None:
    """Return the rate of these trials and that of new tasks; None where nobody labelled any."""
    sample = Sample.of(pool)
    if not (sample.labelled() or sample.beside or sample.broken_tasks or pool.pending):
        return None
    wanted = (Asked(confidence=confidence), Asked(of="new-tasks", confidence=confidence))
    estimates = tuple(estimated(pool, sample, one) for one in wanted)
    return _correction(pool, sample, estimates, confidence)


def _correction(
    pool: Pool,
    sample: Sample,
    estimates: tuple[Estimated, ...],
    confidence: float,
    columns: tuple[RateColumn, ...] | None = None,
) -> Correction:
    rho = _correlation(sample)
    labelled = sample.labelled()
    return Correction(
        run_id=pool.run_id,
        confidence=confidence,
        trials=len(sample.trials),
        tasks=sample.tasks(),
        labelled=labelled,
        cannot_tell=sample.counted("cannot_tell"),
        pending=sample.counted("pending"),
        beside=sample.beside,
        broken_tasks=sample.broken_tasks,
        strata=sample.rows(),
        columns=columns or columns_of(pool, sample, estimates[0], confidence),
        estimates=estimates,
        correlation=rho,
        effective_labels=labelled / (1 - rho**2) if rho is not None and rho < 1 else None,
        human_alpha=pool.alpha,
        human_alpha_interval=pool.alpha_interval,
        banners=tuple(_banners(pool, sample)),
    )


def _against(pool: Pool, other: Pool, confidence: float) -> Correction:
    """Return how far two runs lie apart, over the (task, trial) pairs that both have."""
    broken = {
        one.task_id for each in (pool, other) for one in each.human.values() if one.task_broken
    }
    keys = {(one.task_id, one.trial) for one in pool.framed if one.task_id not in broken}
    keys &= {(one.task_id, one.trial) for one in other.framed}
    first, second = Sample.of(pool, keys), Sample.of(other, keys)
    estimate = difference((pool, first), (other, second), confidence)
    columns = differences_of((pool, first), (other, second), estimate, confidence)
    found = _correction(pool, first, (estimate,), confidence, columns)
    return found.model_copy(
        update={
            "against": other.run_id,
            "broken_tasks": tuple(sorted(broken)),
            "banners": (*found.banners, *_banners(other, second)),
        }
    )


def _correlation(sample: Sample) -> float | None:
    """Return the correlation of labels with the mean labels of their strata, over the pool."""
    strata = [one for one in sample.strata.values() if one.labelled]
    size = sum(one.size for one in strata)
    if not size:
        return None
    mean = sum(one.total for one in strata) / size
    spread = mean * (1 - mean)
    between = sum(one.size * (one.passes / one.labelled - mean) ** 2 for one in strata) / size
    return sqrt(min(1.0, between / spread)) if spread > 0 and len(strata) > 1 else None


def _banners(pool: Pool, sample: Sample) -> list[str]:
    found = []
    if pool.alpha is not None and pool.alpha < SOFT_GOLD:
        found.append(
            f"gold is soft: people agree with α {pool.alpha:.2f}, below {SOFT_GOLD}; the "
            "corrected rate is no firmer than they are"
        )
    if pending := sample.counted("pending"):
        found.append(
            f"{pending} labelled trials are not settled, and those that contradict a panel settle "
            "last: settle them before the rate is used"
        )
    if open_ones := sample.counted("cannot_tell"):
        found.append(f"people could not tell on {open_ones} trials: both bounds are shown")
    return found
