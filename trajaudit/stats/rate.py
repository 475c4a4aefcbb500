"""What is the pass rate, how much of it was graded, and where could the truth lie at most?"""

from collections.abc import Sequence
from typing import NamedTuple

from trajaudit.stats.interval import Interval, Tally, clustered, task_rates


class Attempted(NamedTuple):
    """Trials of one task: passed, graded, and all that were due."""

    passes: int
    graded: int
    due: int


class Rate(NamedTuple):
    """Mean over tasks, with what is missing kept visible."""

    value: float | None
    """None: no trial was graded, so there is no rate."""
    interval: Interval | None
    graded: int
    due: int
    if_wrong: float
    """The rate, were every ungraded trial a failure."""
    if_right: float
    """The rate, were every ungraded trial a pass."""


def pass_rate(tasks: Sequence[Attempted], *, confidence: float = 0.95) -> Rate:
    """pass@1 as the mean over tasks; tasks without a graded trial count in the bounds only.

    `if_wrong` ≤ `value` ≤ `if_right` always holds.

    Raises:
        ValueError: there is no task, or the counts of one are impossible.
    """
    if not tasks:
        raise ValueError("a rate needs at least one task; got none")
    for task in tasks:
        if not 0 <= task.passes <= task.graded <= task.due or task.due < 1:
            raise ValueError(
                "a task needs 0 ≤ passes ≤ graded ≤ due and due ≥ 1; "
                f"got passes={task.passes!r}, graded={task.graded!r}, due={task.due!r}"
            )
    graded = [Tally(task.passes, task.graded) for task in tasks if task.graded]
    rates = task_rates(graded) if graded else []
    missing = sum((task.due - task.graded) / task.due for task in tasks) / len(tasks)
    if_wrong = sum(task.passes / task.due for task in tasks) / len(tasks)
    return Rate(
        value=sum(rates) / len(rates) if rates else None,
        interval=clustered(graded, confidence=confidence) if graded else None,
        graded=sum(task.graded for task in tasks),
        due=sum(task.due for task in tasks),
        if_wrong=if_wrong,
        if_right=min(1.0, if_wrong + missing),
    )
