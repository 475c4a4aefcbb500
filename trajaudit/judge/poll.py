"""Every judge asked about one trial, whatever the others said: how judges are measured."""

from dataclasses import dataclass
from typing import Literal

from trajaudit.datamodel.judging import ReplyStatus, Vote
from trajaudit.judge.meter import BudgetSpentError
from trajaudit.judge.panel import Bench
from trajaudit.judge.seat import Item, Seat

_ORDERS: tuple[Literal[1, 2], ...] = (1, 2)


@dataclass(frozen=True)
class Polled:
    """One trial with the votes of every judge; not all of them where the budget ended."""

    item: Item
    votes: tuple[Vote, ...]
    why: str = ""
    """What kept judges from being asked."""


def poll(bench: Bench, item: Item) -> Polled:
    """Ask every judge of another family than the agent's, in both orders, for every draw."""
    votes: list[Vote] = []
    seats, _ = bench.seated(item.agent_family)
    try:
        for seat in seats:
            if seat.family != item.agent_family:
                _ask(bench, seat, item, votes)
    except BudgetSpentError as error:
        return Polled(item, tuple(votes), str(error))
    return Polled(item, tuple(votes))


def _ask(bench: Bench, seat: Seat, item: Item, votes: list[Vote]) -> None:
    noted = bench.noted(seat, item)
    if noted is not None and noted.status is ReplyStatus.PROVIDER_FAILED:
        return
    for replicate in range(1, bench.panel.replicates + 1):
        for order in _ORDERS:
            if seat.is_dead:
                return
            vote = seat.ask(
                item,
                bench.rubric,
                bench.template,
                seed=bench.panel.seed,
                order=order,
                replicate=replicate,
                notes="" if noted is None else noted.text,
            )
            votes.append(vote)
