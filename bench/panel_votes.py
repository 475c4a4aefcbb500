"""Simulated judges whose errors come together: votes with a known truth behind each trial.

Tasks pass at rates of Beta(1.2, 1), five trials each. A judge errs on a trial by a draw that all
judges share, with probability the root of r, else by a draw of its own, so that the errors of two
judges correlate by r; it passes failures more often than it fails passes. In one of its two orders
a judge may say the opposite, and now and then a reply is of no use.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from trajaudit.datamodel.judging import Overall, ReplyStatus, Vote

FAMILIES = ("a", "b", "c")
TRIALS = 5


@dataclass(frozen=True, kw_only=True)
class Judges:
    """How judges err. Rates as in the sources of docs/judging.md; 0.44 from nine real judges."""

    correlation: float = 0.44
    false_pass: float = 0.12
    false_fail: float = 0.05
    turns: float = 0.06
    """Share of trials on which a judge says the opposite in one of its orders."""
    useless: float = 0.02
    """Share of replies without a verdict, the one re-ask included."""


@dataclass(frozen=True)
class Trial:
    """One trial with its truth and the votes that each family would cast."""

    task: int
    truth: bool
    votes: tuple[Vote, ...]


def trials(tasks: int, judges: Judges, seed: int) -> Iterator[Trial]:
    """Yield the trials of so many tasks, the same for the same seed."""
    rng = random.Random(seed)
    for task in range(tasks):
        rate = rng.betavariate(1.2, 1)
        for number in range(TRIALS):
            truth = rng.random() < rate
            yield Trial(task, truth, tuple(_votes(f"{task}-{number}", truth, judges, rng)))


def _votes(item: str, truth: bool, judges: Judges, rng: random.Random) -> Iterator[Vote]:
    rate = judges.false_fail if truth else judges.false_pass
    shared = rng.random() < rate
    weight = sqrt(judges.correlation)
    for family in FAMILIES:
        wrong = shared if rng.random() < weight else rng.random() < rate
        turned = rng.choice((1, 2)) if rng.random() < judges.turns else None
        for order in (1, 2):
            said = truth ^ wrong ^ (order == turned)
            lost = rng.random() < judges.useless
            yield _vote(item, family, 1 if order == 1 else 2, None if lost else said)


def _vote(item: str, family: str, order: Literal[1, 2], said: bool | None) -> Vote:
    overall: Overall | None = None if said is None else ("pass" if said else "fail")
    return Vote(
        task_id=item,
        trial=1,
        rubric="simulated",
        judge=family,
        family=family,
        order=order,
        status=ReplyStatus.OK if overall else ReplyStatus.UNPARSED,
        overall=overall,
        raw=("x",) if overall else ("x", "x"),
        view_sha256="",
        prompt_sha256="",
    )
