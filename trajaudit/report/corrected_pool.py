"""The trials of a run as an estimate sees them: by stratum, with what people said of those drawn.

Trials of tasks that people call broken are in no rate. Labels of trials that nobody drew (of a
calibration round, for example) correct nothing: what made somebody look may go with the outcome.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from trajaudit.datamodel.review import Framed, HumanDecision
from trajaudit.datamodel.run import Outcome
from trajaudit.report.corrected_schema import LabelledStratum
from trajaudit.stats import Interval
from trajaudit.stats.stratified import Stratum

Key = tuple[str, int]
_RESOLVE = "resolve/"


@dataclass(frozen=True, kw_only=True)
class Pool:
    """What is known of the trials of one run."""

    run_id: str
    framed: Sequence[Framed]
    outcomes: Mapping[Key, Outcome]
    human: Mapping[Key, HumanDecision]
    scores: Mapping[Key, float] = field(default_factory=dict)
    """Share of passes among the panel's votes, where it voted."""
    pending: Collection[Key] = ()
    """Trials that somebody labelled, and that are not settled yet."""
    alpha: float | None = None
    """Krippendorff's α of people's first labels."""
    alpha_interval: Interval | None = None


class Drawn(NamedTuple):
    """One trial of the pool."""

    key: Key
    stratum: str
    drawn: bool
    """It belongs to the random sample, or to what people look at anyway."""
    passed: bool | None
    """The settled label, where it was drawn."""
    open: str = ""
    """`cannot_tell` or `pending`, where it has labels and no verdict."""


@dataclass(frozen=True)
class Sample:
    """The pool by strata."""

    trials: tuple[Drawn, ...]
    broken_tasks: tuple[str, ...] = ()
    beside: int = 0

    @classmethod
    def of(cls, pool: Pool, keys: Collection[Key] | None = None) -> "Sample":
        """Put labels to trials; `keys`: only these trials are the pool."""
        broken = {one.task_id for one in pool.human.values() if one.task_broken}
        trials = [
            _drawn(one, pool)
            for one in pool.framed
            if one.task_id not in broken and (keys is None or (one.task_id, one.trial) in keys)
        ]
        held = {one.key: one for one in trials}
        beside = sum(
            key in held and not held[key].drawn and one.passed is not None
            for key, one in pool.human.items()
        )
        return cls(tuple(trials), tuple(sorted(broken)), beside)

    @cached_property
    def strata(self) -> dict[str, Stratum]:
        """Size, labels and passes of each stratum."""
        found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for one in self.trials:
            counts = found[one.stratum]
            counts[0] += 1
            counts[1] += one.passed is not None
            counts[2] += one.passed is True
        return {name: Stratum(*found[name]) for name in sorted(found, key=_order)}

    def rows(self) -> tuple[LabelledStratum, ...]:
        """Return the strata as a report shows them."""
        told: dict[tuple[str, str], int] = defaultdict(int)
        for one in self.trials:
            told[one.stratum, one.open] += 1
        return tuple(
            LabelledStratum(
                name=name,
                queue="resolve" if name.startswith(_RESOLVE) else "audit",
                size=one.size,
                labelled=one.labelled,
                passes=one.passes,
                cannot_tell=told[name, "cannot_tell"],
                pending=told[name, "pending"],
            )
            for name, one in self.strata.items()
        )

    def counted(self, why: str) -> int:
        """Return how many trials are open for a reason."""
        return sum(one.open == why for one in self.trials)

    def labelled(self) -> int:
        """Return how many trials have a verdict of people."""
        return sum(one.passed is not None for one in self.trials)

    def tasks(self) -> int:
        """Return how many tasks the pool has trials of."""
        return len({one.key[0] for one in self.trials})

    def settled_as(self, *, passed: bool) -> "Sample":
        """Return the sample, were every open trial decided alike."""
        trials = (one._replace(passed=passed, open="") if one.open else one for one in self.trials)
        return replace(self, trials=tuple(trials))

    def unlabelled(self) -> list[str]:
        """Return the strata of which nothing is known, with what they need."""
        drawn: dict[str, int] = defaultdict(int)
        for one in self.trials:
            drawn[one.stratum] += one.drawn
        return [
            f"{name} (needs 1 label, better {max(1, min(drawn[name], one.size))}, "
            f"of {one.size} trials)"
            for name, one in self.strata.items()
            if not one.labelled
        ]


def by_stratum(trials: Iterable[Drawn]) -> dict[str, list[Drawn]]:
    """Return the trials of each stratum."""
    found: dict[str, list[Drawn]] = defaultdict(list)
    for one in trials:
        found[one.stratum].append(one)
    return found


def _drawn(one: Framed, pool: Pool) -> Drawn:
    key = (one.task_id, one.trial)
    drawn, said = one.queue != "none", pool.human.get(key)
    if not drawn:
        return Drawn(key, one.stratum, drawn=False, passed=None)
    if said is None:
        return Drawn(key, one.stratum, True, None, "pending" if key in pool.pending else "")
    return Drawn(key, one.stratum, True, said.passed, "cannot_tell" if said.passed is None else "")


def _order(name: str) -> tuple[bool, str]:
    return not name.startswith(_RESOLVE), name
