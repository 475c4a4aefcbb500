"""What do the two orders of a pair say together?

Labels are mapped back to what stood behind them before anything is compared. A verdict that turns
with the order is inconsistent: no tie, and no winner.
"""

from collections.abc import Mapping
from dataclasses import dataclass

TIE = "tie"


@dataclass(frozen=True)
class Shown:
    """One order of a pair, and what the judge said to it."""

    labels: Mapping[str, str]
    """Label → candidate."""
    verdict: str | None
    """A label, `tie`, or None where the reply was not usable."""


@dataclass(frozen=True)
class PairResult:
    """The winner, `tie`, `inconsistent` or `incomplete`."""

    winner: str
    escalate: bool


def across_orders(first: Shown, second: Shown, *, allow_tie: bool = True) -> PairResult:
    """Return what both orders agree on.

    Raises:
        ValueError: the orders show different candidates, or the second is not the reverse.
    """
    if list(first.labels.values()) != list(second.labels.values())[::-1]:
        raise ValueError("the second order shows the same candidates the other way round")
    said = [_candidate(one, allow_tie=allow_tie) for one in (first, second)]
    if None in said:
        return PairResult("incomplete", escalate=True)
    if said[0] != said[1]:
        return PairResult("inconsistent", escalate=True)
    return PairResult(str(said[0]), escalate=False)


def _candidate(shown: Shown, *, allow_tie: bool) -> str | None:
    if shown.verdict == TIE:
        return TIE if allow_tie else None
    return None if shown.verdict is None else shown.labels.get(shown.verdict)
