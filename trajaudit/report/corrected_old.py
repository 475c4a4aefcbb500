"""The rate of a run that nobody labelled, by what its judge got wrong elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from trajaudit.datamodel.gold import Certificate
from trajaudit.report.corrected_pool import Key, Pool, Sample, by_stratum
from trajaudit.report.corrected_schema import Estimated
from trajaudit.stats.misclassified import rogan_gladen

Judge = Literal["panel", "lenient"]


class Share(NamedTuple):
    """Hits of so many; fractions where labels count by their weights."""

    hits: float
    of: float


@dataclass(frozen=True)
class KnownErrors:
    """How often a judge was right on trials whose verdict is known."""

    on_passes: Share
    """Labelled passes that it passed."""
    on_failures: Share
    """Labelled failures that it failed."""
    source: str
    judge: Judge = "panel"
    refused: str = ""
    """Why the labels do not tell."""


def errors_of_certificate(found: Certificate) -> KnownErrors:
    """Return what the panel showed on labelled trials."""
    standing = found.panel_standing
    return KnownErrors(
        on_passes=Share(standing.passes.hits, standing.passes.of),
        on_failures=Share(standing.fails.hits, standing.fails.of),
        source=f"the certificate of {found.panel} on {found.gold}",
    )


def errors_of_pool(pool: Pool, judge: Judge) -> KnownErrors:
    """Return how often a column of a labelled run was right, each label counted by the inverse of
    its chance; the labels count for as many as equal ones would (Kish 1965).
    """
    weights = _weights(pool, judge)
    missing = Sample.of(pool).unlabelled()
    return KnownErrors(
        on_passes=_share(weights, passed=True),
        on_failures=_share(weights, passed=False),
        source=f"labels of {pool.run_id}",
        judge=judge,
        refused=f"{pool.run_id}: nothing is known of {'; of '.join(missing)}" if missing else "",
    )


def judge_of(pool: Pool) -> Judge:
    """Return the panel where it decided anything, else the careful reading of the rules."""
    has_panel = any(one.panel is not None for one in pool.outcomes.values())
    return "panel" if has_panel else "lenient"


def by_old_labels(pool: Pool, sample: Sample, gold: KnownErrors, confidence: float) -> Estimated:
    """Return the rate among trials that the judge decided, its known errors taken back out."""
    said = list(_said(pool, (one.key for one in sample.trials), gold.judge).values())
    method = f"Rogan-Gladen on the {gold.judge} column, by {gold.source}"
    refused = gold.refused
    if not said:
        refused = (
            f"no trial has a verdict in the {gold.judge} column: trajaudit judge {pool.run_id}"
        )
    if refused:
        return Estimated(of="old_gold", method=method, refused=refused)
    try:
        found = rogan_gladen(
            Share(sum(said), len(said)),
            gold.on_failures,
            gold.on_passes,
            confidence=confidence,
            of_pool=True,
        )
    except ValueError as error:
        return Estimated(of="old_gold", method=method, refused=str(error))
    assumed = (
        f"assumes that the {gold.judge} column errs here as it did there: passes found "
        f"{found.sensitivity:.2f}, failures found {found.specificity:.2f}"
    )
    left = len(sample.trials) - len(said)
    banners = (
        (assumed, f"{left} trials without its verdict are not in the rate") if left else (assumed,)
    )
    return Estimated(
        of="old_gold", method=method, value=found.value, interval=found.interval, banners=banners
    )


def _said(pool: Pool, keys: Iterable[Key], judge: Judge) -> dict[Key, bool]:
    found: dict[Key, bool] = {}
    for key in keys:
        outcome = pool.outcomes.get(key)
        said = None if outcome is None else outcome.panel if judge == "panel" else outcome.lenient
        if said is not None:
            found[key] = said
    return found


def _weights(pool: Pool, judge: Judge) -> list[tuple[bool, bool, float]]:
    """Return (label, verdict, weight) of every labelled trial with a verdict of the judge."""
    sample = Sample.of(pool)
    said = _said(pool, (one.key for one in sample.trials), judge)
    found = []
    for trials in by_stratum(sample.trials).values():
        known = [one for one in trials if one.passed is not None]
        found += [
            (one.passed, said[one.key], len(trials) / len(known))
            for one in known
            if one.passed is not None and one.key in said
        ]
    return found


def _share(weights: Iterable[tuple[bool, bool, float]], *, passed: bool) -> Share:
    own = [(verdict is label, weight) for label, verdict, weight in weights if label is passed]
    total = sum(weight for _, weight in own)
    if not total:
        return Share(0, 0)
    count = total**2 / sum(weight**2 for _, weight in own)
    return Share(count * sum(weight for right, weight in own if right) / total, count)
