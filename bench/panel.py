"""The staged panel against a fixed one of three models in two orders, on simulated judges.

    python -m bench.panel [TASKS] [--seed N]

Both see the same votes. The fixed panel asks all six and takes the majority (a person decides where
there is none), or, stricter, only what all usable votes agree on. The staged panel is the
product's. Calls count re-asks. Ratios are staged to fixed; intervals at 95 % draw whole tasks.
The judges are made up: what is shown is what stages do to judges that err together, not how good
any judge is.
"""

import argparse
import math
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.panel_votes import FAMILIES, Judges, Trial, trials
from trajaudit.datamodel.judging import Judge, Panel, Vote
from trajaudit.judge.decide import Circumstances
from trajaudit.judge.staged import decided_in_stages, heard_in_stages

DRAWS = 1000
PANEL = Panel(
    name="simulated", version=1, judges=tuple(Judge(model="x", family=name) for name in FAMILIES)
)


@dataclass(frozen=True)
class Done:
    """What a panel did with one trial."""

    task: int
    calls: int
    settled: bool
    wrong: bool


Rule = Callable[[Trial], Done]


def staged(trial: Trial) -> Done:
    """The product's panel."""
    known = Circumstances(task_id=trial.votes[0].task_id, trial=1, rubric="simulated")
    found = decided_in_stages(trial.votes, known, PANEL)
    said = None if found is None or found.queue == "resolve" else found.result
    return _done(trial, heard_in_stages(trial.votes, PANEL), said)


def majority(trial: Trial) -> Done:
    """Six calls; more than half of the usable votes decide."""
    said = [vote.overall for vote in trial.votes if vote.overall]
    passes = said.count("pass")
    if 2 * passes == len(said):
        return _done(trial, trial.votes, None)
    return _done(trial, trial.votes, "pass" if 2 * passes > len(said) else "fail")


def unanimity(trial: Trial) -> Done:
    """Six calls; all usable votes of at least two families have to agree."""
    usable = [vote for vote in trial.votes if vote.overall]
    said = {vote.overall for vote in usable}
    agreed = len(said) == 1 and len({vote.family for vote in usable}) > 1
    return _done(trial, trial.votes, str(said.pop()) if agreed else None)


def _done(trial: Trial, votes: Sequence[Vote], said: str | None) -> Done:
    settled = said in ("pass", "fail")
    calls = sum(len(vote.raw) for vote in votes)
    return Done(trial.task, calls, settled, settled and (said == "pass") is not trial.truth)


@dataclass(frozen=True)
class Counts:
    """Sums over trials."""

    trials: int = 0
    calls: int = 0
    settled: int = 0
    wrong: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.trials + other.trials,
            self.calls + other.calls,
            self.settled + other.settled,
            self.wrong + other.wrong,
        )


FIGURES: dict[str, Callable[[Counts], float]] = {
    "calls per settled trial": lambda counts: counts.calls / counts.settled,
    "wrong, of the settled": lambda counts: counts.wrong / counts.settled,
    "wrong settlements, of all": lambda counts: counts.wrong / counts.trials,
}
RULES: dict[str, Rule] = {"staged": staged, "majority": majority, "unanimity": unanimity}


def by_task(done: Sequence[Done]) -> list[Counts]:
    """Return the sums of each task."""
    found: dict[int, Counts] = {}
    for one in done:
        counts = Counts(1, one.calls, one.settled, one.wrong)
        found[one.task] = found.get(one.task, Counts()) + counts
    return list(found.values())


def ratio(
    first: Sequence[Counts],
    second: Sequence[Counts],
    figure: Callable[[Counts], float],
    rng: random.Random,
) -> tuple[float, float, float]:
    """Return a figure of the first over that of the second, and its limits; tasks are drawn."""
    places = range(len(first))
    drawn: list[float] = []
    for _ in range(DRAWS):
        chosen = rng.choices(places, k=len(first))
        one = sum((first[at] for at in chosen), Counts())
        drawn.append(_over(figure(one), figure(sum((second[at] for at in chosen), Counts()))))
    drawn.sort()
    tail = int(0.025 * DRAWS)
    value = _over(figure(sum(first, Counts())), figure(sum(second, Counts())))
    return value, drawn[tail], drawn[DRAWS - 1 - tail]


def _over(one: float, other: float) -> float:
    """Divide; a draw in which the other panel never erred has no upper limit."""
    return one / other if other else math.inf


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", type=int, nargs="?", default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    every = list(trials(given.tasks, Judges(), given.seed))
    sums = {name: by_task([rule(one) for one in every]) for name, rule in RULES.items()}
    print(f"{len(every)} trials of {given.tasks} tasks, judges' errors correlate by 0.44")
    for name, each in sums.items():
        whole = sum(each, Counts())
        print(
            f"{name:10} {whole.calls / whole.trials:.2f} calls a trial, "
            f"{whole.settled / whole.trials:.1%} settled, {whole.wrong} wrong"
        )
    rng = random.Random(given.seed)
    for other in ("majority", "unanimity"):
        for what, figure in FIGURES.items():
            value, low, high = ratio(sums["staged"], sums[other], figure, rng)
            print(f"staged / fixed by {other:10} {what:26} {value:.2f} [{low:.2f}, {high:.2f}]")
    return 0


if __name__ == "__main__":
    sys.exit(main())
