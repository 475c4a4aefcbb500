"""The rates of each column, with coverage and bounds."""

from collections import Counter
from collections.abc import Sequence

from trajaudit.report.board import Board, Entry
from trajaudit.report.schema import Column, ColumnName, Count, RepeatedRate
from trajaudit.stats import Attempted, Tally, pass_at_k, pass_hat_k, pass_rate
from trajaudit.stats.repeated import Formula, over_tasks

_PICKED: tuple[ColumnName, ...] = ("panel", "human")
"""Columns that see only the trials picked for them."""


def column_of(board: Board, name: ColumnName, k: int) -> Column:
    """Every rate of one column; `k` trials per task."""
    counts = [count(entries, name) for entries in board.tasks.values()]
    dues = [len(entries) for entries in board.tasks.values()]
    whole = sum(c.graded for c in counts) == sum(dues)
    shown = bool(counts) and (whole or name not in _PICKED)
    rate = (
        pass_rate([Attempted(c.passes, c.graded, due) for c, due in zip(counts, dues, strict=True)])
        if shown
        else None
    )
    repeated = shown and k > 1
    return Column(
        name=name,
        passes=sum(c.passes for c in counts),
        graded=sum(c.graded for c in counts),
        due=sum(dues),
        pass_at_1=rate.value if rate else None,
        interval=rate.interval if rate else None,
        if_wrong=rate.if_wrong if rate else None,
        if_right=rate.if_right if rate else None,
        pass_at_k=_repeated(pass_at_k, counts, k) if repeated else None,
        pass_hat_k=_repeated(pass_hat_k, counts, k) if repeated else None,
        ungraded=_reasons(board.entries(), name),
    )


def count(entries: Sequence[Entry], name: ColumnName) -> Count:
    """Passes and graded trials of one task in one column."""
    decisions = [entry.decision(name) for entry in entries]
    graded = [decision for decision in decisions if decision is not None]
    return Count(passes=sum(graded), graded=len(graded))


def _repeated(formula: Formula, counts: Sequence[Count], k: int) -> RepeatedRate:
    found = over_tasks(formula, [Tally(c.passes, c.graded) for c in counts], k)
    return RepeatedRate(k=k, value=found.value, tasks=found.tasks, of=len(counts))


def _reasons(entries: Sequence[Entry], name: ColumnName) -> dict[str, int]:
    reasons = Counter(entry.why_ungraded(name) for entry in entries if entry.decision(name) is None)
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
