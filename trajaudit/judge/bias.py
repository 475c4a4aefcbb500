"""How much does a change that must not matter move a judge, beyond its own unsteadiness?"""

from collections.abc import Sequence

from trajaudit.datamodel.bias import ProbeEffect, Shown
from trajaudit.judge.battery import Pair, Probed
from trajaudit.judge.probes import Probe
from trajaudit.stats.paired import holm
from trajaudit.stats.paired_rates import RateDifference, newcombe

LIMIT = 0.05
"""Largest effect that a must-pass probe may have."""
LEVEL = 0.05
"""At which an effect counts as shown, all probes of a judge together."""
_VERDICTS = ("pass", "fail")


def effects(
    probed: Sequence[Probed],
    probes: Sequence[Probe],
    *,
    limit: float = LIMIT,
    confidence: float = 0.95,
) -> list[ProbeEffect]:
    """Return the effect of each probe on each judge.

    Effect: rate of flips under the probe less the rate of flips between two identical requests,
    over the trials that had a verdict each time.
    """
    judges = list(dict.fromkeys((one.judge, one.family) for one in probed))
    found: list[ProbeEffect] = []
    for judge, family in judges:
        own = [one for one in probed if (one.judge, one.family) == (judge, family)]
        found += _of_judge(own, probes, limit, confidence)
    return found


def _of_judge(
    own: Sequence[Probed], probes: Sequence[Probe], limit: float, confidence: float
) -> list[ProbeEffect]:
    counted = [_counted(own, one) for one in probes]
    differences = [newcombe(flips, confidence=confidence) if flips else None for flips in counted]
    known = [one.p_value for one in differences if one is not None]
    adjusted = iter(holm(known))
    found: list[ProbeEffect] = []
    for one, flips, difference in zip(probes, counted, differences, strict=True):
        p_holm = None if difference is None else next(adjusted)
        found.append(_effect(own, one, flips, difference, p_holm, limit))
    return found


def _counted(own: Sequence[Probed], one: Probe) -> list[tuple[bool, bool]]:
    """Return whether the probe and the placebo flipped each trial that counts."""
    return [
        (pair.base != pair.twin, each.clean != each.placebo)
        for each in own
        if (pair := each.pairs.get(one.name)) is not None and _is_whole(each, pair)
    ]


def _is_whole(each: Probed, pair: Pair) -> bool:
    return all(said in _VERDICTS for said in (each.clean, each.placebo, pair.base, pair.twin))


def _effect(
    own: Sequence[Probed],
    one: Probe,
    flips: Sequence[tuple[bool, bool]],
    difference: RateDifference | None,
    p_holm: float | None,
    limit: float,
) -> ProbeEffect:
    pairs = [(each, each.pairs[one.name]) for each in own if one.name in each.pairs]
    hidden = sum(pair.hidden for _, pair in pairs)
    return ProbeEffect(
        probe=one.name,
        judge=own[0].judge,
        family=own[0].family,
        must_pass=one.must_pass,
        applies=len(pairs),
        n=len(flips),
        hidden=hidden,
        flips=sum(probe for probe, _ in flips),
        to_pass=sum(
            pair.twin == "pass" != pair.base for each, pair in pairs if _is_whole(each, pair)
        ),
        placebo_flips=sum(placebo for _, placebo in flips),
        effect=difference.value if difference else None,
        low=difference.interval.low if difference else None,
        high=difference.interval.high if difference else None,
        p_value=difference.p_value if difference else None,
        p_holm=p_holm,
        verdict=_verdict(len(pairs), hidden, difference, p_holm, limit),
    )


def _verdict(
    applies: int,
    hidden: int,
    difference: RateDifference | None,
    p_holm: float | None,
    limit: float,
) -> Shown:
    if not applies:
        return "not_applicable"
    if hidden == applies:
        return "hidden"
    if difference is None or p_holm is None:
        return "not_shown"
    if difference.interval.high <= limit:
        return "clear"
    return "shown" if p_holm <= LEVEL and difference.value > 0 else "not_shown"


def failures(found: Sequence[ProbeEffect]) -> list[str]:
    """Return `probe/judge` of the must-pass probes that were not passed."""
    return [
        f"{one.probe}/{one.judge}"
        for one in found
        if one.must_pass and one.verdict not in ("clear", "hidden")
    ]
