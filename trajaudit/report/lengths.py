"""Which token limit would have sufficed? Replies that ended by themselves against those cut."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log2

from pydantic import JsonValue

from trajaudit.datamodel.verdict import Verdict
from trajaudit.report.board import Board, Entry
from trajaudit.report.schema import Lengths, LimitShare, Sufficient, TaskLengths
from trajaudit.stats import Length, bounds, finished_share, limit_for_all, limit_for_finished

SHARES = (0.5, 0.9, 0.95, 0.99, 1.0)
_MOST_DOUBLINGS = 12


def lengths_of(board: Board, max_tokens: int | None) -> Lengths | None:
    """Return the lengths of all replies, and of each task; None where no length is known."""
    by_task = {task_id: _replies(entries) for task_id, entries in board.tasks.items()}
    replies = [one for found in by_task.values() for one in found]
    if not replies:
        return None
    return Lengths(
        max_tokens=max_tokens,
        replies=len(replies),
        cut=_cut(replies),
        longest_cut=max((one.tokens for one in replies if one.cut), default=None),
        unmeasured=sum(_unmeasured(entry) for entry in board.entries()),
        sufficient=_sufficient(replies),
        limits=tuple(_at(replies, limit) for limit in _limits(replies, max_tokens)),
        tasks=tuple(
            TaskLengths(
                task_id=task_id,
                replies=len(found),
                cut=_cut(found),
                sufficient=_sufficient(found),
            )
            for task_id, found in by_task.items()
            if found
        ),
    )


def _cut(replies: Sequence[Length]) -> int:
    return sum(one.cut for one in replies)


def _sufficient(replies: Sequence[Length]) -> tuple[Sufficient, ...]:
    return tuple(
        Sufficient(
            share=share,
            of_finished=limit_for_finished(replies, share),
            of_all=limit_for_all(replies, share),
        )
        for share in SHARES
    )


def _at(replies: Sequence[Length], limit: int) -> LimitShare:
    low, high = bounds(replies, limit)
    return LimitShare(limit=limit, share=finished_share(replies, limit), low=low, high=high)


def _limits(replies: Sequence[Length], max_tokens: int | None) -> list[int]:
    """Powers of two around the lengths, and the limit that was set."""
    last = ceil(log2(max(one.tokens for one in replies) + 1))
    first = max(floor(log2(min(one.tokens for one in replies) + 1)), last - _MOST_DOUBLINGS)
    powers = {2**power for power in range(first, last + 1)}
    return sorted(powers | ({max_tokens} if max_tokens else set()))


def _replies(entries: Iterable[Entry]) -> list[Length]:
    return [
        Length(tokens, cut=name == "cut")
        for entry in entries
        if (verdict := _verdict(entry)) is not None
        for name in ("ended", "cut")
        for tokens in _numbers(verdict.detail.get(name))
    ]


def _unmeasured(entry: Entry) -> int:
    verdict = _verdict(entry)
    count = verdict.detail.get("unmeasured") if verdict is not None else 0
    return count if isinstance(count, int) else 0


def _verdict(entry: Entry) -> Verdict | None:
    found = (v for v in entry.verdicts if v.scorer == "truncation" and v.mode == "strict")
    return next(found, None)


def _numbers(value: JsonValue) -> list[int]:
    return [one for one in value if isinstance(one, int)] if isinstance(value, list) else []
