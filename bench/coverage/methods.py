"""Every interval that a report prints, and those that look right and are not, on one made pool."""

from collections.abc import Callable
from math import sqrt

import numpy as np

from bench.coverage.made import Made
from trajaudit.stats.interval import Interval, wilson
from trajaudit.stats.misclassified import rogan_gladen
from trajaudit.stats.soft import score_slope, soft_part
from trajaudit.stats.stratified import (
    combined,
    guaranteed_rate,
    jeffreys_parts,
    rate_of_these,
)
from trajaudit.stats.watched import watched_rate
from trajaudit.stats.weighted import (
    Guessed,
    NewTasks,
    difference_on_new_tasks,
    rate_of_new_tasks,
    unseen_variance,
)

Method = Callable[[Made], Interval]
_Z = 1.959964
_DRAWS = 500


def these(made: Made) -> Interval:
    return rate_of_these(made.counts()).interval


def guaranteed(made: Made) -> Interval:
    return guaranteed_rate(made.counts()).interval


def watched(made: Made) -> Interval:
    return watched_rate(made.counts()).interval


def these_soft(made: Made) -> Interval:
    parts, plain = [], []
    for counts, each, n in zip(made.counts(), made.strata, made.drawn, strict=True):
        labels = [float(one) for one in made.truth[each[:n]]]
        scores = made.score[each].tolist()
        slope = score_slope(labels, scores[:n])
        if slope:
            parts.append(soft_part(labels, scores[:n], scores, slope))
        else:
            plain.append(counts)
    parts += jeffreys_parts(plain)
    return combined(parts, len(made.truth))


def new_tasks(made: Made) -> Interval:
    return _limits(rate_of_new_tasks(guessed(made), unseen=unseen_variance(made.counts())))


def new_tasks_soft(made: Made) -> Interval:
    return _limits(
        rate_of_new_tasks(guessed(made, soft=True), unseen=unseen_variance(made.counts()))
    )


def difference(one: Made, other: Made) -> Interval:
    unseen = unseen_variance(one.counts()) + unseen_variance(other.counts())
    pairs = list(zip(guessed(one), guessed(other), strict=True))
    return _limits(difference_on_new_tasks(pairs, unseen=unseen))


def old_gold(made: Made, gold: Made) -> Interval:
    """Labels of another pool, all of its trials; the judge is what most say."""
    said, right = gold.majority(), gold.truth
    return rogan_gladen(
        (int(made.majority().sum()), len(made.truth)),
        (int((~said & ~right).sum()), int((~right).sum())),
        (int((said & right).sum()), int(right.sum())),
        of_pool=True,
    ).interval


def majority_alone(made: Made) -> Interval:
    return wilson(int(made.majority().sum()), len(made.truth))


def disagreements_fixed(made: Made) -> Interval:
    """People settle every trial on which judges differ, and nobody looks at the others."""
    settled = made.majority().copy()
    split = made.split()
    settled[split] = made.truth[split]
    return wilson(int(settled.sum()), len(settled))


def wald(made: Made) -> Interval:
    """The textbook interval of a stratified mean."""
    size = len(made.truth)
    mean = variance = 0.0
    for n_all, n, passes in made.counts():
        p = passes / n
        mean += n_all / size * p
        variance += (n_all / size) ** 2 * (1 - n / n_all) * p * (1 - p) / max(1, n - 1)
    return Interval(mean - _Z * sqrt(variance), mean + _Z * sqrt(variance))


def labels_alone(made: Made) -> Interval:
    """All that people labelled, as if it had been drawn without regard to strata."""
    counts = made.counts()
    return wilson(sum(one.passes for one in counts), sum(one.labelled for one in counts))


def all_labelled(made: Made) -> Interval:
    """People label every trial, and trials are taken as independent."""
    return wilson(int(made.truth.sum()), len(made.truth))


def guessed(made: Made, *, soft: bool = False) -> list[Guessed]:
    """Return every trial with its guess, and the label of those drawn."""
    found: list[Guessed | None] = [None] * len(made.truth)
    for each, n in zip(made.strata, made.drawn, strict=True):
        labels = [float(one) for one in made.truth[each[:n]]]
        scores = made.score[each].tolist()
        mean, middle = sum(labels) / n, sum(scores[:n]) / n
        slope = score_slope(labels, scores[:n]) if soft else 0.0
        tasks = made.task[each].tolist()
        for at, place in enumerate(each.tolist()):
            label = labels[at] if at < n else None
            guess = mean + slope * (scores[at] - middle)
            found[place] = Guessed(str(tasks[at]), guess, label, n / len(each))
    return [one for one in found if one is not None]


def _limits(found: NewTasks) -> Interval:
    return Interval(found.low, found.high)


def posteriors_summed(made: Made, rng: np.random.Generator) -> Interval:
    """Quantiles of the sum of draws from each stratum's posterior under Jeffreys' prior."""
    total = np.zeros(_DRAWS)
    for n_all, n, passes in made.counts():
        p = rng.beta(passes + 0.5, n - passes + 0.5, size=_DRAWS)
        total += passes + rng.binomial(n_all - n, p)
    low, high = np.quantile(total / len(made.truth), [0.025, 0.975])
    return Interval(float(low), float(high))
