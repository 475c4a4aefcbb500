"""How far may judges be trusted, by trials whose verdict is known?

What a judge did not decide (a reply of no use, an abstention, a turn with the order) is no error:
it is left out of both shares, counted, and shown. A judge is admitted where the lower bounds of
both shares reach the bar; each holds with the stated confidence, so both together do, too.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from trajaudit.datamodel.gold import Bounded, Label, Standing
from trajaudit.datamodel.judging import PanelDecision, Vote
from trajaudit.stats.agreement import cohen_kappa
from trajaudit.stats.exact import lower_bound
from trajaudit.stats.interval import Interval
from trajaudit.stats.paired_rates import phi
from trajaudit.stats.resampled import kappa_interval

DECIDED = "decided"
UNDECIDED = ("flipped", "abstained", "unusable", "not_heard", "to_a_person")
PANEL = "panel"
LEAST_PAIRS = 50
"""Trials that two judges both decided before the correlation of their errors means anything."""


@dataclass(frozen=True)
class Said:
    """What one judge, or the panel, made of a labelled trial."""

    verdict: Label | None
    why: str = DECIDED
    """Where there is no verdict: one of `UNDECIDED`."""


@dataclass(frozen=True)
class Case:
    """A labelled trial and what was said to it."""

    label: Label
    group: str
    """Trials of one group are twins."""
    said: Said


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What is wanted of a judge."""

    least: float = 0.8
    """Of the lower bounds of both shares."""
    confidence: float = 0.95


def said_by(votes: Sequence[Vote]) -> Said:
    """Return what one family's votes on a trial come to: a verdict where all of them agree."""
    if not votes or any(vote.status.value == "provider_failed" for vote in votes):
        return Said(None, "not_heard")
    overalls = {vote.overall for vote in votes}
    if {"pass", "fail"} <= overalls:
        return Said(None, "flipped")
    if None in overalls:
        return Said(None, "unusable")
    if "abstain" in overalls:
        return Said(None, "abstained")
    return Said("pass" if overalls == {"pass"} else "fail")


def said_together(decision: PanelDecision | None) -> Said:
    """Return what the panel settles without a person."""
    if decision is None:
        return Said(None, "not_heard")
    if decision.result == "undecided" or decision.queue == "resolve":
        return Said(None, "to_a_person")
    return Said(decision.result)


def standing(judge: str, family: str, cases: Sequence[Case], bar: Bar) -> Standing:
    """Return the shares of a judge with their bounds, its κ with the labels, and whether it is
    admitted.
    """
    passes, fails = (_bounded(cases, label, bar.confidence) for label in ("pass", "fail"))
    decided = [one for one in cases if one.said.verdict is not None]
    kappa = (
        cohen_kappa([one.label for one in decided], [one.said.verdict for one in decided]).value
        if decided
        else None
    )
    interval = _kappa_interval(decided, bar.confidence) if kappa is not None else None
    lowers = (passes.lower, fails.lower)
    return Standing(
        judge=judge,
        family=family,
        passes=passes,
        fails=fails,
        due=len(cases),
        statuses=dict(sorted(Counter(one.said.why for one in cases).items())),
        kappa=kappa,
        kappa_low=interval.low if interval else None,
        kappa_high=interval.high if interval else None,
        admitted=all(lower is not None and lower >= bar.least for lower in lowers),
    )


def _bounded(cases: Sequence[Case], label: str, confidence: float) -> Bounded:
    said = [one.said.verdict for one in cases if one.label == label]
    decided = [verdict for verdict in said if verdict is not None]
    hits = sum(verdict == label for verdict in decided)
    lower = lower_bound(hits, len(decided), confidence=confidence) if decided else None
    return Bounded(hits=hits, of=len(decided), lower=lower)


def _kappa_interval(decided: Sequence[Case], confidence: float) -> Interval | None:
    groups: dict[str, list[tuple[str, str | None]]] = {}
    for one in decided:
        groups.setdefault(one.group, []).append((one.label, one.said.verdict))
    return kappa_interval(list(groups.values()), rng=random.Random(0), confidence=confidence)


def error_correlation(judges: Iterable[Sequence[Case]]) -> float | None:
    """Return the mean φ of the judges' errors, over pairs of judges that both decided enough.

    None: no pair has decided `LEAST_PAIRS` trials in common, or no pair errs and is right both.
    """
    found: list[float] = []
    for one, other in combinations(judges, 2):
        pairs = [
            (a.said.verdict != a.label, b.said.verdict != b.label)
            for a, b in zip(one, other, strict=True)
            if a.said.verdict is not None and b.said.verdict is not None
        ]
        value = phi(pairs) if len(pairs) >= LEAST_PAIRS else None
        if value is not None:
            found.append(value)
    return sum(found) / len(found) if found else None
