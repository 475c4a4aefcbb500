"""What do several trials of one task say together: at least one, all, or most of k pass?

`n` trials were graded and `passes` of them passed; `k` of them are drawn without replacement.
With fewer than `k` graded trials there is no answer, and none is made up.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import NamedTuple, TypeVar

from trajaudit.stats.interval import Tally

Answer = TypeVar("Answer")
Formula = Callable[[int, int, int], float]


class OverTasks(NamedTuple):
    """A mean over the tasks with enough graded trials; None where no task has."""

    value: float | None
    tasks: int


def pass_at_k(n: int, passes: int, k: int) -> float:
    """Chance that at least one of k trials passes: 1 - C(n-c, k)/C(n, k) (Chen et al. 2021).

    Raises:
        ValueError: k is below 1 or above n, or `passes` is not between 0 and n.
    """
    _check(n, passes, k)
    return 1 - comb(n - passes, k) / comb(n, k)


def pass_hat_k(n: int, passes: int, k: int) -> float:
    """Chance that all of k trials pass: C(c, k)/C(n, k) (Yao et al. 2024, written pass^k).

    Raises:
        ValueError: like `pass_at_k`.
    """
    _check(n, passes, k)
    return comb(passes, k) / comb(n, k)


def maj_at_k(n: int, passes: int, k: int) -> float:
    """Chance that more than half of k trials pass: Σ_{j>k/2} C(c, j)·C(n-c, k-j)/C(n, k).

    Raises:
        ValueError: like `pass_at_k`; also k is even, where a tie has no majority.
    """
    _check(n, passes, k)
    if k % 2 == 0:
        raise ValueError(f"a majority needs an odd k; got {k!r}")
    ways = sum(comb(passes, j) * comb(n - passes, k - j) for j in range(k // 2 + 1, k + 1))
    return ways / comb(n, k)


def over_tasks(formula: Formula, tasks: Sequence[Tally], k: int) -> OverTasks:
    """Mean over tasks of one of the formulas above, never of pooled counts.

    Tasks with fewer than `k` graded trials are left out, and missing in `tasks`.
    """
    found = [formula(graded, passes, k) for passes, graded in tasks if graded >= k]
    return OverTasks(sum(found) / len(found) if found else None, len(found))


def most_given(
    answers: Sequence[Answer | None], same: Callable[[Answer, Answer], bool]
) -> Answer | None:
    """Return the answer that more trials give than any other, as it was first written.

    None where two answers lead alike, or nobody answered: a tie has no majority. A missing answer
    (None) does not vote. `same` says whether two answers are one.
    """
    votes: list[list[Answer]] = []
    for answer in answers:
        if answer is None:
            continue
        group = next((group for group in votes if same(group[0], answer)), None)
        if group is None:
            votes.append([answer])
        else:
            group.append(answer)
    sizes = sorted((len(group) for group in votes), reverse=True)
    if not sizes or sizes[:2] == sizes[:1] * 2:
        return None
    return max(votes, key=len)[0]


def _check(n: int, passes: int, k: int) -> None:
    if not 1 <= k <= n:
        raise ValueError(f"k lies between 1 and the number of graded trials {n}; got {k!r}")
    if not 0 <= passes <= n:
        raise ValueError(f"passes lie between 0 and {n}; got {passes!r}")
