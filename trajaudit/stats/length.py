"""How long would replies have become, had none been cut? Lengths of which some are censored.

A reply that was cut at n tokens is only known to be longer than n. Two answers, kept apart:

* `finished_share`, the estimate of Kaplan and Meier (1958): the share of all replies that end
  within a limit is 1 - Π (1 - d/n) over the lengths up to it, d replies ending there of n that were
  at least as long. It takes the cut replies to go on as the others of their length did, which no
  data can show;
* `bounds`, which assume nothing: every cut reply would have gone on for ever, or would have ended
  at its next token.
"""

from collections.abc import Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple


class Length(NamedTuple):
    """Tokens of one reply; `cut`: at its limit, so it is only known to be longer."""

    tokens: int
    cut: bool


class Point(NamedTuple):
    """`share` of all replies end within `tokens`, by estimate."""

    tokens: int
    share: float


class Bounds(NamedTuple):
    """Both limits of a share, 0 ≤ low ≤ high ≤ 1."""

    low: float
    high: float


def finished_curve(lengths: Sequence[Length]) -> list[Point]:
    """Estimate the share of replies that end within each length at which one did, ascending.

    At equal length endings come before cuts: a reply that was cut there went on. Beyond the longest
    ending the curve is flat up to the longest cut, and unknown after it.

    Raises:
        ValueError: there is no reply, or one has a negative length.
    """
    _check(lengths)
    left, going_on = len(lengths), 1.0
    points: list[Point] = []
    for tokens, group in groupby(sorted(lengths), key=lambda one: one.tokens):
        same = list(group)
        ended = sum(not one.cut for one in same)
        if ended:
            going_on *= 1 - ended / left
            points.append(Point(tokens, 1 - going_on))
        left -= len(same)
    return points


def finished_share(lengths: Sequence[Length], limit: int) -> float | None:
    """Estimate the share of replies that end within a limit; None: beyond what was seen.

    Raises:
        ValueError: like `finished_curve`.
    """
    curve = finished_curve(lengths)
    longest = max(lengths)
    if longest.cut and limit > longest.tokens:
        return None
    return max((point.share for point in curve if point.tokens <= limit), default=0.0)


def bounds(lengths: Sequence[Length], limit: int) -> Bounds:
    """Return between what the share of replies that end within a limit lies for certain.

    Raises:
        ValueError: like `finished_curve`.
    """
    _check(lengths)
    ended = sum(not one.cut and one.tokens <= limit for one in lengths)
    perhaps = sum(one.cut and one.tokens < limit for one in lengths)
    return Bounds(ended / len(lengths), (ended + perhaps) / len(lengths))


def limit_for_all(lengths: Sequence[Length], share: float) -> int | None:
    """Return the smallest limit within which `share` of all replies end, by estimate.

    None: it is longer than any reply that ended.

    Raises:
        ValueError: like `finished_curve`, or `share` is not in (0, 1].
    """
    _check_share(share)
    # A product of shares such as 9/10 · 8/9 is not exact.
    return next((p.tokens for p in finished_curve(lengths) if p.share >= share - 1e-12), None)


def limit_for_finished(lengths: Sequence[Length], share: float) -> int | None:
    """Return the smallest limit within which `share` of the replies that ended did end.

    None: no reply ended.

    Raises:
        ValueError: like `limit_for_all`.
    """
    _check(lengths)
    _check_share(share)
    ended = sorted(one.tokens for one in lengths if not one.cut)
    return ended[ceil(share * len(ended) - 1e-12) - 1] if ended else None


def _check(lengths: Sequence[Length]) -> None:
    if not lengths:
        raise ValueError("lengths need at least one reply; got none")
    if any(one.tokens < 0 for one in lengths):
        raise ValueError(f"a length is not negative; got {min(lengths).tokens!r}")


def _check_share(share: float) -> None:
    if not 0 < share <= 1:
        raise ValueError(f"a share lies above 0 and at most at 1; got {share!r}")
