"""What do people's looks at settled trials say of those that nobody looked at?

A stratum holds the settled trials on which the panel said the same and the rules had, or had not, a
reading of their own. Of each, the audited trials tell how often such a verdict is wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trajaudit.datamodel.judging import Costs, PanelDecision, Trigger
from trajaudit.stats.exact import lower_bound

Key = tuple[str, int]
_EXPECTED = {"pass": 0.07, "fail": 0.07}
"""Share of wrong verdicts that is expected before anybody looked; of undecided trials one half."""


@dataclass(frozen=True)
class Audited:
    """What people found in the audit sample of one stratum."""

    looked_at: int
    wrong: int

    @property
    def error_rate(self) -> float:
        """(x + ½)/(n + 1): the posterior mean under Jeffreys' prior."""
        return (self.wrong + 0.5) / (self.looked_at + 1)

    def upper_bound(self, confidence: float = 0.95) -> float:
        """Return the one-sided upper limit of the error rate (Clopper and Pearson 1934)."""
        right = self.looked_at - self.wrong
        return 1 - lower_bound(right, self.looked_at, confidence=confidence)


def audited(decisions: Iterable[PanelDecision], human: Mapping[Key, bool]) -> dict[str, Audited]:
    """Return what people said of the audited trials, by stratum.

    Only trials drawn at random count: what was sent to people for a reason is wrong more often.
    """
    found: dict[str, Audited] = {}
    for one in decisions:
        said = human.get((one.task_id, one.trial))
        if one.queue != "audit" or said is None:
            continue
        before = found.get(one.stratum, Audited(0, 0))
        wrong = one.result != ("pass" if said else "fail")
        found[one.stratum] = Audited(before.looked_at + 1, before.wrong + wrong)
    return found


def with_risk(
    decisions: Sequence[PanelDecision], known: Mapping[str, Audited], costs: Costs | None
) -> list[PanelDecision]:
    """Return the decisions with the priority of each, and those sent to people that are worth it.

    A settled trial is sent where its stratum's error rate times the cost of an error is more than
    the cost of a look (Chow 1970). The audit sample stays what it is, so that its weights hold.
    """
    weight = 1.0 if costs is None else costs.error / costs.review
    found = []
    for one in decisions:
        sample = known.get(one.stratum)
        rate = _EXPECTED.get(one.result, 0.5) if sample is None else sample.error_rate
        update: dict[str, object] = {"priority": 0.0 if one.queue == "audit" else rate * weight}
        if one.queue == "none" and costs is not None and sample is not None and rate * weight > 1:
            triggers = (*one.triggers, Trigger.AUDITED_RISK)
            update |= {"queue": "resolve", "triggers": triggers}
        found.append(one.model_copy(update=update))
    return found


def claimable(known: Mapping[str, Audited], *, risk: float, confidence: float = 0.95) -> list[str]:
    """Return the strata whose verdicts may be said to be wrong in at most `risk` of cases.

    Strata are tested from the surest to the least sure, and the first failure ends it: so each is
    tested at the full level (fixed-sequence testing; Jung et al. 2025). The order is that of their
    sizes of sample, which does not depend on what was found.
    """
    found: list[str] = []
    for name, sample in sorted(known.items(), key=lambda item: (-item[1].looked_at, item[0])):
        if sample.upper_bound(confidence) > risk:
            break
        found.append(name)
    return found
