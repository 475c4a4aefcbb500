"""Made-up pools: tasks that differ, several trials of each, judges whose errors go together.

As in the simulations that the design rests on: tasks pass with chances from a Beta(1.2, 1)
distribution; with a chance `together` a judge's error is that of a shock which all judges share.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trajaudit.datamodel.judging import Audit
from trajaudit.judge.audit import allocation
from trajaudit.stats.stratified import Stratum

Bools = NDArray[np.bool_]
JUDGES = 3
TRUE_RATE = 1.2 / 2.2
"""Of new tasks like these."""


@dataclass(frozen=True)
class World:
    """Where pools come from, and how many of their trials people label."""

    name: str
    tasks: int
    labels: int
    trials: int = 5
    false_pass: float = 0.155
    false_fail: float = 0.045
    together: float = 0.77
    floor: int = 15
    kinds: int = 1
    """Strata that unanimous failures come in."""
    rare: bool = False
    """Judges hardly ever err together."""


@dataclass(frozen=True)
class Made:
    """One pool, with a sample of it labelled."""

    truth: Bools
    passes: NDArray[np.int64]
    """Judges that pass the trial."""
    task: NDArray[np.int64]
    score: NDArray[np.float64]
    """A soft score that follows the truth loosely."""
    strata: list[NDArray[np.int64]]
    """Trials of each stratum, those that were drawn first."""
    drawn: list[int]

    def counts(self) -> list[Stratum]:
        """Return size, labels and passes of each stratum."""
        return [
            Stratum(len(each), n, int(self.truth[each[:n]].sum()))
            for each, n in zip(self.strata, self.drawn, strict=True)
        ]

    def split(self) -> Bools:
        """Return the trials on which judges differ."""
        return (self.passes > 0) & (self.passes < JUDGES)

    def majority(self) -> Bools:
        """Return what most judges say."""
        return self.passes * 2 > JUDGES


def chances(world: World, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return how often each task is passed."""
    return rng.beta(1.2, 1.0, size=world.tasks)


def made(
    world: World,
    rng: np.random.Generator,
    by_task: NDArray[np.float64] | None = None,
    ranks: NDArray[np.float64] | None = None,
) -> Made:
    """Return a pool. `by_task`: chances of the tasks; `ranks`: those of the lowest are labelled."""
    by_task = chances(world, rng) if by_task is None else by_task
    size = world.tasks * world.trials
    truth = (rng.random((world.tasks, world.trials)) < by_task[:, None]).ravel()
    rate = np.where(truth, world.false_fail, world.false_pass)
    shock = rng.random(size) < rate
    own = rng.random((size, JUDGES)) < rate[:, None]
    wrong = np.where(rng.random((size, JUDGES)) < world.together, shock[:, None], own)
    passes = np.where(wrong, ~truth[:, None], truth[:, None]).sum(axis=1)
    kind = rng.integers(world.kinds, size=size)
    ranks = rng.random(size) if ranks is None else ranks
    names = _names(passes, kind)
    strata = {str(name): np.flatnonzero(names == name) for name in np.unique(names)}
    audit = Audit(least=world.labels, share=0, floor=world.floor)
    sizes = allocation({name: len(each) for name, each in strata.items()}, audit)
    return Made(
        truth=truth,
        passes=passes,
        task=np.repeat(np.arange(world.tasks), world.trials),
        score=0.5 * truth + rng.random(size),
        strata=[each[np.argsort(ranks[each])] for each in strata.values()],
        drawn=[sizes[name] for name in strata],
    )


def _names(passes: NDArray[np.int64], kind: NDArray[np.int64]) -> NDArray[np.str_]:
    named: Sequence[str] = [
        "pass" if count == JUDGES else f"split/{count}" if count else f"fail/{of}"
        for count, of in zip(passes.tolist(), kind.tolist(), strict=True)
    ]
    return np.array(named)
